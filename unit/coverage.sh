#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The share of the lines that the tests reach: of the portable part
# (kernels/*.c, erasure_code/*.c, raid/*.c, hash/*.c), of which COVERAGE_LEAST per cent (95) must be,
# and of the command (tools/*.c), by the programs and by $scripts, of which
# COVERAGE_TOOLS per cent (95) must be.
#
# Which lines they reach hangs neither on the repetitions, of which a quarter are done
# (PXR_EFFORT), nor on the instructions: two sets will do, the one that the machine chooses
# and base, which multiply by different forms of coefficients where the first has GFNI.
#
# From the environment: what sub_build.sh needs, the test programs in $once and
# $each, and the tests of the command in $scripts, which are none where it is
# not built.

: "${once:?}" "${each:?}" "${COVERAGE_LEAST:=95}" "${COVERAGE_TOOLS:=95}"
. "$top_srcdir/unit/sub_build.sh"

command -v gcovr > /dev/null || { echo "coverage needs gcovr"; exit 1; }
copy_sources || exit 1
# Nothing else counts, so the tests keep their speed.  Atomic counts: threads that
# lose some to one another leave sums that do not add up, and gcov derives negative ones from
# them.
COVERAGE_CFLAGS="--coverage -fprofile-update=atomic"
export COVERAGE_CFLAGS
sub_build coverage unit-programs --enable-kernel-sets="$(chosen_set)" \
    CFLAGS="-O1 -g1" LDFLAGS=--coverage || exit 1
find . \( -name '*.gcda' -o -name '*conftest.gcno' \) -exec rm -f {} +
sets=$(chosen_set)
[ "$sets" = base ] || sets="$sets base"
PXR_EFFORT=${PXR_EFFORT:-25}
export PXR_EFFORT

# preload LIBRARY SOURCE...: as libtool would, which here builds no shared libraries; its
# folder is where the scripts look.
preload() {
    library=$1
    shift
    mkdir -p "$(dirname "$library")" &&
        $CC -I. -D_GNU_SOURCE -pthread -shared -fPIC -o "$library" "$@" -ldl
}

if [ -n "$scripts" ]; then
    sources=$sub_root/source/unit
    preload unit/.libs/cli_badread.so "$sources/cli_badread.c" &&
        preload unit/.libs/cli_shim.so "$sources/cli_shim.c" &&
        preload unit/faults/.libs/faults.so "$sources"/faults/*.c || exit 1
fi
# What cannot write its counts, for want of files or rights, is not to say so to the tests.
GCOV_ERROR_FILE=/dev/null
top_builddir=$PWD
export GCOV_ERROR_FILE top_builddir
# shellcheck disable=SC2086 # lists of programs
sh "$top_srcdir/unit/run_tests.sh" --sets "$sets" once $once each $each once $scripts || exit 1

# least PERCENT FILTER...: shows the lines that are reached, and fails below that.
least() {
    percent=$1
    shift
    for filter in "$@"; do
        set -- "$@" --filter "$sub_root/source/$filter"
        shift
    done
    gcovr --root "$sub_root/source" --object-directory . --fail-under-line "$percent" "$@" .
}

least "$COVERAGE_LEAST" 'kernels/[^/]*\.c' 'erasure_code/[^/]*\.c' 'raid/[^/]*\.c' 'hash/[^/]*\.c' \
    'gf_complete/[^/]*\.c' || exit 1
[ -z "$scripts" ] || least "$COVERAGE_TOOLS" 'tools/[^/]*\.c'
