# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by the scripts that test from outside: counts checks.  From them: $work, a folder,
# and $suite, the name in the last line.

# No tune file of the machine.
PERMXOR_TUNE=
export PERMXOR_TUNE

# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

# check NAME COMMAND...: passes when the command succeeds.
check() {
    name=$1
    shift
    if "$@" > "$work/check.log" 2>&1; then
        pass
    else
        fail "$name"
        sed 's/^/    /' "$work/check.log"
    fi
}
