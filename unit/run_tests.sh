#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs test programs and adds up their results.
#
#   run_tests.sh [--sets "NAME..."] [--kernel-sets PROGRAM] [WORD...]
#
# WORD is `once`, `each` or a program.  Programs after `each` run once for each kernel set in
# --sets, or for each set that PROGRAM lists as usable.  PERMXOR_KERNELS forces the set.
# Programs after `once` run once, and so do programs before the first such word.  $TEST_WRAPPER
# is a command that runs each program that is not a script.
#
# A tune file of the machine does not affect the tests.
#
# Each program ends with a closing line (unit/sums.sh).  The last line of this script is their
# sum.  A line `slow: TITLE (N s)` names each run that took SLOW (20) seconds or more.

PERMXOR_TUNE=
export PERMXOR_TUNE
# shellcheck source=unit/sums.sh
. "$(dirname "$0")/sums.sh"
sets=
lister=
mode=once
log=${TMPDIR:-/tmp}/permxor-test.$$
trap 'rm -f "$log" "$log.skipped"' EXIT
trap 'exit 130' INT TERM
: > "$log.skipped"

# run TITLE PROGRAM: runs the program and adds its numbers.
run() {
    began=$(date +%s)
    case $2 in
    *.sh) sh "$2" > "$log" 2>&1 ;;
    *) $TEST_WRAPPER "$2" > "$log" 2>&1 ;;
    esac
    count_sum "$1" "$log" $? || cat "$log"
    sed -n '/^skipped: /p' "$log" >> "$log.skipped"
    seconds=$(($(date +%s) - began))
    [ "$seconds" -lt "${SLOW:-20}" ] || echo "slow: $1 ($seconds s)"
}

# run_each PROGRAM: runs the program with each set.  The title names the set, because a program
# may fail with only one of them.
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
                echo "run_tests.sh: $lister lists no usable kernel set"
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
finish
