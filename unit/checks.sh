# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by the scripts that test from outside: counts checks.  From them: $work, a folder,
# and $suite, the name in the last line.

# No tune file of the machine.
PERMXOR_TUNE=
export PERMXOR_TUNE

passed=0
failed=0
skipped=0

# check NAME COMMAND...: passes when the command succeeds.
check() {
    name=$1
    shift
    if "$@" > "$work/check.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        sed 's/^/    /' "$work/check.log"
    fi
}

skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1 ($2)"
}

# That nothing was checked or skipped is a failure.
finish() {
    echo "$suite: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
    exit
}
