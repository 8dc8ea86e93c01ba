# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Scripts that run the suite on several builds or machines source this file.

: "${top_srcdir:?}"
# A tune file of the machine must not affect the tests.  Even under qemu, a program reads this
# machine's /proc/cpuinfo, and would use this machine's tune file.
PERMXOR_TUNE=
export PERMXOR_TUNE

# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

# Calls the function part_NAME for each name in $PARTS.
run_parts() {
    for part in $PARTS; do
        if command -v "part_$part" > /dev/null; then
            "part_$part"
        else
            fail "PARTS=$PARTS: there is no part $part"
        fi
    done
}

# add_sum TITLE LOG STATUS: adds the numbers in the last line of the log to this script's
# numbers, and shows the other lines.
add_sum() {
    sed '$d' "$2"
    count_sum "$@"
}

# run_suite TITLE ARGUMENTS...: runs run_tests.sh with these arguments on the build in the
# current folder, and adds its numbers to this script's numbers.  $under is a command to run it
# under, or empty.  sub_build.sh sets $sub_root.
under=
run_suite() {
    title=$1
    shift
    echo "== $title"
    top_builddir=$PWD $under sh "$top_srcdir/unit/run_tests.sh" \
        --kernel-sets unit/kernel_sets "$@" > "$sub_root/suite.log" 2>&1
    add_sum "$title" "$sub_root/suite.log" $?
}

# without WORD...: prints the words on standard input except these.
without() {
    tr ' ' '\n' | grep -vxF "$(printf '%s\n' "$@")" | tr '\n' ' '
}
