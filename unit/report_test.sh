#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The report of perf/report, on made-up figures: unit/report_test.py.  Nothing is timed.
#
# From the environment: top_srcdir; PYTHON, with matplotlib and Jinja where they are.

: "${top_srcdir:?}"
suite=report_test
# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-report.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# The first that can draw, or else the first that is there.
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
