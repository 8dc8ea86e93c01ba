#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The share of the portable part's lines (erasure_code/*.c, raid/*.c) that
# the tests reach; fails below COVERAGE_LEAST per cent (95).
#
# Which lines they reach hangs neither on the repetitions, of which a quarter are done
# (PXR_EFFORT), nor on the instructions: two sets will do, the one that the machine chooses
# and base, which multiply by different forms of coefficients where the first has GFNI.
#
# From the environment: what sub_build.sh needs, and the test programs in
# $once and $each.

: "${once:?}" "${each:?}" "${COVERAGE_LEAST:=95}"
. "$top_srcdir/unit/sub_build.sh"

command -v gcovr > /dev/null || { echo "coverage needs gcovr"; exit 1; }
copy_sources || exit 1
# Atomic counts: threads that lose some to one another leave sums that do not add up, and gcov
# derives negative ones from them.
sub_build coverage unit-programs \
    CFLAGS="-O1 -g --coverage -fprofile-update=atomic" || exit 1
find . \( -name '*.gcda' -o -name '*conftest.gcno' \) -exec rm -f {} +
sets=$(unit/kernel_sets | sed -n 's/^chosen //p')
[ "$sets" = base ] || sets="$sets base"
PXR_EFFORT=${PXR_EFFORT:-25}
export PXR_EFFORT
# shellcheck disable=SC2086 # lists of programs
sh "$top_srcdir/unit/run_tests.sh" --sets "$sets" once $once each $each || exit 1
gcovr --root "$sub_root/source" --filter "$sub_root/source/erasure_code/[^/]*\.c" \
    --filter "$sub_root/source/raid/[^/]*\.c" \
    --object-directory . --fail-under-line "$COVERAGE_LEAST" .
