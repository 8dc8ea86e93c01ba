# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Every script that counts tests sources this file.  A test program or a test script prints a
# line `skipped: NAME (why)` for each test that it skips, and it ends with the closing line
#
#     [NAME: ]N passed, N failed, N skipped
#
# Only this file reads closing lines.  Scripts print theirs by finish().

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

# closing_sum LOG: prints the three numbers of the last closing line in the log as words.  It
# prints nothing if the log has no such line.
closing_sum() {
    sum_number='\([0-9]*\)'
    sum_line="$sum_number passed, $sum_number failed, $sum_number skipped"
    sed -n "s/^\([^ ]*: \)*$sum_line\$/\2 \3 \4/p" "$1" | tail -n 1
}

# count_sum TITLE LOG STATUS: prints the numbers of the log's closing line and adds them to this
# script's numbers.  It fails if a test failed.  A program that died has no closing line, which
# counts as one failure.  If the numbers contain no failure but the status is not 0, that counts
# as one failure, too.
count_sum() {
    sum_title=$1
    sum_status=$3
    # shellcheck disable=SC2046 # three words
    set -- $(closing_sum "$2")
    [ $# -eq 3 ] || { fail "$sum_title: status $sum_status, without a closing line"; return 1; }
    echo "$sum_title: $1 passed, $2 failed, $3 skipped"
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
    [ "$2" -eq 0 ] || return 1
    [ "$sum_status" -eq 0 ] ||
        { fail "$sum_title: status $sum_status, but no test failed"; return 1; }
}

# Prints the closing line, with the name in $suite if that is set, and ends the script.  The
# status is 0 if nothing failed and at least one test was counted.  Skipped tests count.
finish() {
    echo "${suite:+$suite: }$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
    exit
}

# Succeeds if a preloaded library can replace fstat(), and the newest version of each function
# of the C library.  That is so with glibc 2.33 and later, and with every other C library.
stands_before_stat() {
    getconf GNU_LIBC_VERSION 2> /dev/null |
        awk '{ split($2, v, "."); if (v[1] * 1000 + v[2] < 2033) exit 1 }'
}

# skip_all WHY: ends a script none of whose tests can run here.
skip_all() {
    skip "$suite" "$1"
    finish
}
