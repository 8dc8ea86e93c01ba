#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Measures the share of the lines that the tests reach, and fails if it is too small.
#
# - The portable part (kernels/*.c, erasure_code/*.c, raid/*.c, hash/*.c, array/*.c,
#   gf_complete/*.c) needs COVERAGE_LEAST per cent (95).
# - The command (tools/*.c) needs COVERAGE_TOOLS per cent (95).  The programs and the $scripts
#   count.
#
# The lines that the tests reach do not depend on the repetitions, so a quarter of these is done
# (PXR_EFFORT).  They do not depend on the instructions either, so two_sets() are enough.  The
# faults of the command are the exception: many of its lines handle errors, so all of the faults
# are done.
#
# The environment sets what sub_build.sh needs, the test programs in $once and $each, and the
# tests of the command in $scripts, which is empty if the command is not built.

: "${once:?}" "${each:?}" "${COVERAGE_LEAST:=95}" "${COVERAGE_TOOLS:=95}"
. "$top_srcdir/unit/sub_build.sh"

command -v gcovr > /dev/null || { echo "coverage.sh: needs gcovr"; exit 1; }
copy_sources || exit 1
# Only the measured files have these flags, so the tests keep their speed.  The counts have to
# be atomic: if threads lose some of them, the sums do not add up, and gcov computes negative
# counts.
COVERAGE_CFLAGS="--coverage -fprofile-update=atomic"
export COVERAGE_CFLAGS
sub_build coverage unit-programs --enable-kernel-sets="$(chosen_set)" \
    CFLAGS="-O1 -g1" LDFLAGS=--coverage || exit 1
find . \( -name '*.gcda' -o -name '*conftest.gcno' \) -exec rm -f {} +
sets=$(two_sets)
PXR_EFFORT=${PXR_EFFORT:-25}
FAULTS_EFFORT=100
export PXR_EFFORT FAULTS_EFFORT

# preload LIBRARY SOURCE...: builds a library to preload.  libtool builds no shared libraries
# here.  The path is the one where libtool would put the library, because the scripts look
# there.
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
# A program may be unable to write its counts, because it may open no more files or has no right
# to.  Its message must not appear in the output that the tests compare.
GCOV_ERROR_FILE=/dev/null
top_builddir=$PWD
export GCOV_ERROR_FILE top_builddir
# shellcheck disable=SC2086 # lists of programs
sh "$top_srcdir/unit/run_tests.sh" --sets "$sets" once $once each $each once $scripts || exit 1

# least PERCENT FILTER...: prints the share of the lines that are reached in the files that
# match a filter, and fails if it is below PERCENT.
least() {
    percent=$1
    shift
    for filter in "$@"; do
        set -- "$@" --filter "$sub_root/source/$filter"
        shift
    done
    gcovr --root "$sub_root/source" --object-directory . --fail-under-line "$percent" "$@" .
}

least "$COVERAGE_LEAST" 'kernels/[^/]*\.c' 'erasure_code/[^/]*\.c' 'raid/[^/]*\.c' \
    'hash/[^/]*\.c' 'array/[^/]*\.c' 'gf_complete/[^/]*\.c' || exit 1
[ -z "$scripts" ] || least "$COVERAGE_TOOLS" 'tools/[^/]*\.c'
