# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Sourced by command_faults.sh and command_pairs.sh: finds what unit/faults/*.py needs.
# From them: $suite, the name in the last line.  For them: $program, the command itself, and
# $preload, what unit/faults/*.c become.

: "${top_srcdir:?}" "${top_builddir:?}" "${suite:?}"

# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

# Not the script that libtool puts in front of a program with a shared library.
program=$top_builddir/.libs/permxor
[ -x "$program" ] || program=$top_builddir/permxor
preload=$top_builddir/unit/faults/.libs/faults.so

[ -x "$program" ] || skip_all "this build has no command"
command -v python3 > /dev/null || skip_all "no python3"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' ||
    skip_all "python3 is older than 3.9"
[ -e "$preload" ] || skip_all "this build has no shared libraries"
