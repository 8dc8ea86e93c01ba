# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# command_faults.sh and command_pairs.sh source this file.  It finds what unit/faults/*.py
# needs.  A script sets $suite, the name in the closing line.  This file sets $program, the
# command, and $preload, the library of unit/faults/*.c.

: "${top_srcdir:?}" "${top_builddir:?}" "${suite:?}"

# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

# If the program uses a shared library, libtool puts a script in its place.  The tests need the
# program itself.
program=$top_builddir/.libs/permxor
[ -x "$program" ] || program=$top_builddir/permxor
preload=$top_builddir/unit/faults/.libs/faults.so

[ -x "$program" ] || skip_all "this build has no command"
command -v python3 > /dev/null || skip_all "no python3"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' ||
    skip_all "python3 is older than 3.9"
[ -e "$preload" ] || skip_all "this build has no shared libraries"
