# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Sourced by scripts that run the suite on several builds or machines.

: "${top_srcdir:?}"
# No tune file of the machine: under qemu, too, programs read its /proc/cpuinfo
# and would take the file for theirs.
PERMXOR_TUNE=
export PERMXOR_TUNE

# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

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

# add_sum TITLE LOG STATUS: adds the sum that the log ends with to ours, and shows the rest.
add_sum() {
    sed '$d' "$2"
    count_sum "$@"
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
