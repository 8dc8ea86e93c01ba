# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Sourced by scripts that run the suite on several builds or machines: their
# sums.

: "${top_srcdir:?}"

passed=0
failed=0
skipped=0

pass() {
    passed=$((passed + 1))
}

skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1 ($2)"
}

fail() {
    failed=$((failed + 1))
    echo "FAILED: $1"
}

# The last line, and the script's status.
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}

# add_sum TITLE LOG: adds the sum that the log ends with to ours, and shows the
# rest of the log.
add_sum() {
    title=$1
    sed '$d' "$2"
    # shellcheck disable=SC2046 # three numbers
    set -- $(sed -n '$s/^\([^ ]*: \)*\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\2 \3 \4/p' "$2")
    [ $# -eq 3 ] || { fail "$title gave no sum"; return 1; }
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}

# run_suite TITLE ARGUMENTS...: run_tests.sh, under the command $under, on the
# build in the current folder; its sum is added to ours.
under=
run_suite() {
    title=$1
    shift
    echo "== $title"
    top_builddir=$PWD $under sh "$top_srcdir/unit/run_tests.sh" \
        --kernel-sets unit/kernel_sets "$@" > suite.log 2>&1
    add_sum "$title" suite.log
}

# without PROGRAMS: the words on standard input but these.
without() {
    tr ' ' '\n' | grep -vxF "$(printf '%s\n' "$@")" | tr '\n' ' '
}
