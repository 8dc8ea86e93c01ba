#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the statements of the documentation that a program can test: unit/docs_test.py.
#
# It runs in the build directory.  The environment sets top_srcdir and CC.

: "${top_srcdir:?}"
: "${CC:=cc}"
suite=docs_test
# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

command -v python3 > /dev/null || skip_all "no python3"
python3 -B "$top_srcdir/unit/docs_test.py" "$top_srcdir" "$CC"
