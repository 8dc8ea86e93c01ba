# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Sourced by every script that counts tests.  A test program or a script of tests names what
# it skips in lines `skipped: NAME (why)`, and ends with the line
#
#     [NAME: ]N passed, N failed, N skipped
#
# This file has the only code that reads such a line, and that of scripts which print one.

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

# closing_sum LOG: the numbers of the last closing line as three words, or nothing.
closing_sum() {
    number='\([0-9]*\)'
    line="$number passed, $number failed, $number skipped"
    sed -n "s/^\([^ ]*: \)*$line\$/\2 \3 \4/p" "$1" | tail -n 1
}

# count_sum TITLE LOG STATUS: says the numbers of the log's closing line and adds them to ours.
# It fails where something failed.  A program that died has no such line; that is one failure, and so
# is a status that no failure among the numbers explains.
count_sum() {
    title=$1
    status=$3
    # shellcheck disable=SC2046 # three words
    set -- $(closing_sum "$2")
    [ $# -eq 3 ] || { fail "$title: status $status, without a closing line"; return 1; }
    echo "$title: $1 passed, $2 failed, $3 skipped"
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
    [ "$2" -eq 0 ] || return 1
    [ "$status" -eq 0 ] || { fail "$title: status $status in spite of no failure"; return 1; }
}

# The closing line, with the name in $suite if there is one, and the script's status.  That
# everything is skipped, by name, is no failure; that nothing was counted is one.
finish() {
    echo "${suite:+$suite: }$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
    exit
}

# Whether the C library lets a preloaded one stand before fstat() and before the newest version
# of each of its functions: glibc 2.33 and later, and what is no glibc.
stands_before_stat() {
    getconf GNU_LIBC_VERSION 2> /dev/null |
        awk '{ split($2, v, "."); if (v[1] * 1000 + v[2] < 2033) exit 1 }'
}

# skip_all WHY: ends a script whose tests cannot run here at all.
skip_all() {
    skip "$suite" "$1"
    finish
}
