#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Whether the documentation is true where a program can tell: unit/docs_test.py.
#
# From the environment: top_srcdir, CC; it runs in the build directory.

: "${top_srcdir:?}"
: "${CC:=cc}"
suite=docs_test
# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

command -v python3 > /dev/null || skip_all "no python3"
python3 "$top_srcdir/unit/docs_test.py" "$top_srcdir" "$CC"
