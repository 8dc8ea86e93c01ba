#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The share of the portable part's lines (erasure_code/*.c, raid/*.c) that
# the tests reach; fails below COVERAGE_LEAST per cent (95).
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
# shellcheck disable=SC2086 # lists of programs
sh "$top_srcdir/unit/run_tests.sh" --kernel-sets unit/kernel_sets once $once each $each || exit 1
gcovr --root "$sub_root/source" --filter "$sub_root/source/erasure_code/[^/]*\.c" \
    --filter "$sub_root/source/raid/[^/]*\.c" \
    --object-directory . --fail-under-line "$COVERAGE_LEAST" .
