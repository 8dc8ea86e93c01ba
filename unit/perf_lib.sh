# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034,SC2154
#
# What tests of ec_perf have in common; they set suite, and source this.
#
# From the environment: top_srcdir and CC; it runs in the build directory.

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

# brief ARGUMENT...: with the shortest times, on little memory.
brief() {
    perf/ec_perf --time 0.001 --rounds 2 --batch 0.00001 --pass-time 0.0001 --set 1 \
        --csv "$work/csv" "$@" > "$work/out" 2>&1
}

# ends STATUS TEXT ARGUMENT...: so it ends, and says this.
ends() {
    status=$1
    text=$2
    shift 2
    brief "$@"
    found=$?
    [ "$found" -eq "$status" ] && grep -qF -e "$text" "$work/out" && return
    echo "status $found, not $status, or no \"$text\":"
    cat "$work/out"
    return 1
}

# csv_is SHAPES NAME...: each shape has a line for each of these subjects, in this order,
# in which all that is timed is above 0.
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

# needs_ec_perf WHAT: the end, with WHAT skipped, where there is none to test.
needs_ec_perf() {
    if [ ! -e "$ours" ] || [ ! -e "$library" ]; then
        skip "$1" "needs shared libraries"
        finish
    elif ! perf/ec_perf --help > /dev/null 2>&1; then
        skip "$1" "perf/ec_perf does not run here"
        finish
    fi
}
