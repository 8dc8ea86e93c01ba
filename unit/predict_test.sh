#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests how perf/predict.py finds the loops that it simulates, with unit/predict_test.py.
# Nothing is compiled or simulated.
#
# The environment sets top_srcdir.

: "${top_srcdir:?}"
suite=predict_test
# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

command -v python3 > /dev/null || skip_all "no python3"
python3 "$top_srcdir/unit/predict_test.py" "$top_srcdir"
