#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the report of perf/report on made-up figures, with unit/report_test.py.  Nothing is
# timed.
#
# The environment sets top_srcdir, and can set PYTHON to a Python that has matplotlib and Jinja.

: "${top_srcdir:?}"
suite=report_test
# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-report.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Takes the first Python that can draw.  If none can, it takes the first one that is installed.
python=
for candidate in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
    command -v "$candidate" > /dev/null || continue
    : "${python:=$candidate}"
    if "$candidate" -c 'import jinja2, matplotlib' 2> /dev/null; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || skip_all "no python3"
"$python" "$top_srcdir/unit/report_test.py" "$top_srcdir" "$work"
