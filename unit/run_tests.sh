#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs test programs and adds up what they report.
#
#   run_tests.sh [--sets "NAME..."] [--kernel-sets PROGRAM] [WORD...]
#
# WORD is `once`, `each` or a program.  Programs after `each` run once per
# kernel set that PROGRAM lists as usable (or that --sets names), the set
# forced by PERMXOR_KERNELS; programs after `once`, where it begins, run once.
# $TEST_WRAPPER goes before each program that is not a script.
#
# A tune file of the machine is kept out of it.
#
# A program ends with `N passed, N failed, N skipped`, its name before that or
# not, and prints a line `skipped: NAME (why)` or `skip - NAME (why)` for each
# that it skips.  One that ends otherwise has died: that is one failure more.
# The last line here is the sum.

PERMXOR_TUNE=
export PERMXOR_TUNE
sets=
lister=
mode=once
passed=0
failed=0
skipped=0
log=${TMPDIR:-/tmp}/permxor-test.$$
trap 'rm -f "$log" "$log.skipped"' EXIT
trap 'exit 130' INT TERM
: > "$log.skipped"

# The closing line's numbers, or nothing where there is no such line.
closing_numbers() {
    number='\([0-9]*\)'
    sum="$number passed, $number failed, $number skipped"
    tail -n 1 "$log" | sed -n "s/^\([^ ]*: \)*$sum\$/\2 \3 \4/p"
}

# run TITLE PROGRAM: TITLE says which set is forced.
run() {
    case $2 in
    *.sh) sh "$2" > "$log" 2>&1 ;;
    *) $TEST_WRAPPER "$2" > "$log" 2>&1 ;;
    esac
    status=$?
    numbers=$(closing_numbers)
    if [ -z "$numbers" ]; then
        cat "$log"
        echo "$1: died with status $status, without a closing line"
        failed=$((failed + 1))
        return
    fi
    # shellcheck disable=SC2086 # three words
    set -- "$1" $numbers
    passed=$((passed + $2))
    failed=$((failed + $3))
    skipped=$((skipped + $4))
    if [ "$status" -ne 0 ] && [ "$3" -eq 0 ]; then
        cat "$log"
        echo "$1: status $status in spite of no failure"
        failed=$((failed + 1))
        return
    fi
    [ "$3" -eq 0 ] || cat "$log"
    sed -n 's/^skip\(ped: \| - \)/skipped: /p' "$log" >> "$log.skipped"
    echo "$1: $2 passed, $3 failed, $4 skipped"
}

# Forced sets are named in the title, since a failure may be theirs alone.
run_each() {
    for set in $sets; do
        PERMXOR_KERNELS=$set
        export PERMXOR_KERNELS
        run "$(basename "$1") [$set]" "$1"
    done
    unset PERMXOR_KERNELS
}

while [ $# -gt 0 ]; do
    case $1 in
    --sets)
        sets=$2
        shift
        ;;
    --kernel-sets)
        lister=$2
        shift
        ;;
    once | each) mode=$1 ;;
    *)
        if [ -z "$sets" ] && [ -n "$lister" ]; then
            sets=$($TEST_WRAPPER "$lister" 2> "$log" | sed -n 's/^usable //p')
            if [ -z "$sets" ]; then
                cat "$log"
                echo "$lister lists no kernel set"
                exit 1
            fi
        fi
        if [ "$mode" = each ]; then
            run_each "$1"
        else
            run "$(basename "$1")" "$1"
        fi
        ;;
    esac
    shift
done

sort -u "$log.skipped"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
