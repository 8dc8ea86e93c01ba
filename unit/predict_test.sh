#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# How perf/predict.py finds the loops that it simulates: unit/predict_test.py.  Nothing is
# compiled or simulated.
#
# From the environment: top_srcdir.

: "${top_srcdir:?}"

if ! command -v python3 > /dev/null; then
    echo "skipped: predict_test (no python3)"
    echo "predict_test: 0 passed, 0 failed, 1 skipped"
    exit 0
fi
python3 "$top_srcdir/unit/predict_test.py" "$top_srcdir"
