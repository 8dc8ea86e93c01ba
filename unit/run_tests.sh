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
# A program ends with a closing line (unit/sums.sh).  The last line here is their sum.

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

# run TITLE PROGRAM: TITLE says which set is forced.
run() {
    case $2 in
    *.sh) sh "$2" > "$log" 2>&1 ;;
    *) $TEST_WRAPPER "$2" > "$log" 2>&1 ;;
    esac
    count_sum "$1" "$log" $? || cat "$log"
    sed -n '/^skipped: /p' "$log" >> "$log.skipped"
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
finish
