# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Sourced by scripts that run the suite on several builds or machines: their
# sums.

: "${top_srcdir:?}"
# No tune file of the machine: under qemu, too, programs read its /proc/cpuinfo
# and would take the file for theirs.
PERMXOR_TUNE=
export PERMXOR_TUNE

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

# The last line, and the script's status.  That everything is skipped, by name,
# is no failure; that nothing is said is one.
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
    exit
}

# Calls part_NAME for each name in $PARTS.
run_parts() {
    for part in $PARTS; do
        if command -v "part_$part" > /dev/null; then
            "part_$part"
        else
            fail "PARTS=$PARTS: there is no part $part"
        fi
    done
}

# add_sum TITLE LOG STATUS: adds the sum that the log ends with to ours, and
# shows the rest of the log.  A status that no failure in the sum explains is
# one failure more.
add_sum() {
    title=$1
    status=$3
    number='\([0-9]*\)'
    sum="$number passed, $number failed, $number skipped"
    sed '$d' "$2"
    # shellcheck disable=SC2046 # three numbers
    set -- $(sed -n "\$s/^\([^ ]*: \)*$sum\$/\2 \3 \4/p" "$2")
    [ $# -eq 3 ] || { fail "$title gave no sum, and status $status"; return 1; }
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
    [ "$status" -eq 0 ] || [ "$2" -gt 0 ] ||
        fail "$title: status $status in spite of no failure"
}

# run_suite TITLE ARGUMENTS...: run_tests.sh, under the command $under, on the
# build in the current folder; its sum is added to ours.  $sub_root is
# sub_build.sh's.
under=
run_suite() {
    title=$1
    shift
    echo "== $title"
    top_builddir=$PWD $under sh "$top_srcdir/unit/run_tests.sh" \
        --kernel-sets unit/kernel_sets "$@" > "$sub_root/suite.log" 2>&1
    add_sum "$title" "$sub_root/suite.log" $?
}

# without PROGRAMS: the words on standard input but these.
without() {
    tr ' ' '\n' | grep -vxF "$(printf '%s\n' "$@")" | tr '\n' ' '
}
