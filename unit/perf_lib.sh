# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034,SC2154
#
# The tests of ec_perf set $suite and source this file for the functions that they share.
#
# They run in the build directory.  The environment sets top_srcdir and CC.

: "${top_srcdir:?}" "${CC:=cc}"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-perf.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
unset LD_LIBRARY_PATH LD_PRELOAD PERMXOR_KERNELS
LC_ALL=C
export LC_ALL

ours=.libs/libisal.so.2
library=perf/.libs/permxor.so
head=operation,variant,matrix,k,m,mode,len,layout,stripes
head=$head,subject,bytes,seconds,seconds_low,seconds_high,gbs,ratio,ratio_low,ratio_high
head=$head,rounds,calls,preempted,noisy,cycles,instructions,roof,roof_gbs
. "$top_srcdir/unit/checks.sh"

# brief ARGUMENT...: runs ec_perf with the shortest times and little memory.
brief() {
    perf/ec_perf --time 0.001 --rounds 2 --batch 0.00001 --pass-time 0.0001 --set 1 \
        --csv "$work/csv" "$@" > "$work/out" 2>&1
}

# ends STATUS TEXT ARGUMENT...: succeeds if ec_perf ends with this status and prints this text.
ends() {
    status=$1
    text=$2
    shift 2
    brief "$@"
    found=$?
    [ "$found" -eq "$status" ] && grep -qF -e "$text" "$work/out" && return
    echo "the status is $found instead of $status, or \"$text\" is missing:"
    cat "$work/out"
    return 1
}

# csv_is SHAPES NAME...: succeeds if the CSV file has a line for each shape and each of these
# subjects, in this order, and all times and rates in it are above 0.
csv_is() {
    [ "$(head -n 1 "$work/csv")" = "$head" ] || { head -n 1 "$work/csv"; return 1; }
    shapes=$1
    shift
    awk -F, -v shapes="$shapes" -v column=10 -v names="$*" '
        BEGIN { count = split(names, name, " ") }
        NR == 1 { fields = NF; next }
        $column != name[(NR - 2) % count + 1] { print "another subject: " $0; bad = 1 }
        NF != fields { print "columns: " $0; bad = 1 }
        !($(column + 2) > 0 && $(column + 6) > 0 && $(column + 9) > 0) { print $0; bad = 1 }
        END {
            if (NR - 1 != shapes * count) { print NR " lines"; bad = 1 }
            exit bad
        }' "$work/csv"
}

# needs_ec_perf WHAT: skips WHAT and ends the script if ec_perf cannot be tested.
needs_ec_perf() {
    if [ ! -e "$ours" ] || [ ! -e "$library" ]; then
        skip "$1" "needs shared libraries"
        finish
    elif ! perf/ec_perf --help > /dev/null 2>&1; then
        skip "$1" "perf/ec_perf does not run here"
        finish
    fi
}
