#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The command lines of ec_perf, leopard_perf and raid_perf, what they refuse, and their CSV
# files.
# No time is judged.
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
figures=subject,bytes,seconds,seconds_low,seconds_high,gbs,ratio,ratio_low,ratio_high
figures=$figures,rounds,calls,preempted,noisy,cycles,instructions,roof,roof_gbs
suite=perf_cli
. "$top_srcdir/unit/checks.sh"

# brief PROGRAM ARGUMENT...: with the shortest times, on little memory.
brief() {
    program=$1
    shift
    "perf/$program" --time 0.001 --rounds 2 --batch 0.00001 --pass-time 0.0001 --set 1 \
        --csv "$work/csv" "$@" > "$work/out" 2>&1
}

# ends STATUS TEXT PROGRAM ARGUMENT...: so it ends, and says this.
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

# csv_is HEAD SHAPES COLUMN NAME...: each shape has a line for each of these subjects,
# in this order, in which all that is timed is above 0.  COLUMN is the subject's.
csv_is() {
    [ "$(head -n 1 "$work/csv")" = "$1,$figures" ] || { head -n 1 "$work/csv"; return 1; }
    shapes=$2
    column=$3
    shift 3
    awk -F, -v shapes="$shapes" -v column="$column" -v names="$*" '
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

# What cannot begin leaves the CSV file of an earlier run as it is.
keeps_csv() {
    for arguments in "ec_perf $work/none.so" "ec_perf --op none $ours" \
        "raid_perf $work/none.so" "raid_perf --sets base,none" "raid_perf --mode none $ours"; do
        echo kept > "$work/csv"
        # shellcheck disable=SC2086 # words
        ends 2 "" $arguments && [ "$(cat "$work/csv")" = kept ] || return
    done
}

# ------------------------------------------------------------ what is refused --

refusals() {
    echo "no library" > "$work/text"
    for program in ec_perf raid_perf; do
        check "$program: no library" ends 2 "a library is needed" $program
        check "$program: missing library" ends 2 "No such file" $program "$work/none.so"
        check "$program: no library in it" ends 2 "too short" $program "$work/text"
        check "$program: unknown option" ends 2 "unrecognized" $program --none "$ours"
        for option in "--rounds 0" "--batch 0" "--pass-time x" "--time -1" "--len 4,x"; do
            # shellcheck disable=SC2086 # two words
            check "$program: $option" ends 2 "" $program $option "$ours"
        done
        check "$program: unknown set" ends 2 "no such kernel set" $program "$library@none"
        check "$program: unknown setting" ends 2 "no such setting" \
            $program "x=$library@base,nonsense=1"
        check "$program: a setting needs a name" ends 2 "no commas" $program "$library@,own=1M"
        check "$program: settings" ends 0 "kernel set base, own = 1M, way dot own=none" \
            $program "a=$library@base,own = 1M,way dot own=none" "b=$library@,own=64K" "c=$library"
        check "$program: set of a library without them" ends 2 "has no pxr_kernel_select" \
            $program "$ours@base"
        check "$program: one name twice" ends 2 "two subjects" $program "$ours" "./$ours"
        check "$program: comma in a name" ends 2 "no commas" $program "a,b=$ours"
        check "$program: empty path" ends 2 "names no library" $program "a=@base"
        check "$program: empty name" ends 2 "characters" $program "=$ours"
        # shellcheck disable=SC2046 # words
        check "$program: too many" ends 2 "1 to 16" $program $(seq -f "n%g=$ours" 17)
    done
    check "unknown grid" ends 2 "no grid" ec_perf --grid none "$ours"
    check "unknown operation" ends 2 "no operation" ec_perf --op encode,none "$ours"
    check "unknown matrix" ends 2 "no matrix" ec_perf --matrix vand,none "$ours"
    check "unknown layout" ends 2 "no layout" ec_perf --layout aligned,none "$ours"
    check "unknown suffix" ends 0 "no such variant" ec_perf --len 64 "$ours" "s=$ours:none"
    check "empty suffix" ends 2 "end so" ec_perf "$ours:"
    check "unknown mode" ends 2 "no mode" ec_perf --mode warm,none "$ours"
    check "RAID: unknown mode" ends 2 "no mode" raid_perf --mode warm,none "$ours"
    check "Leopard: unknown mode" ends 2 "no mode" leopard_perf --mode warm,none "$ours"
    check "Leopard: no peer" ends 2 "a peer is needed" leopard_perf
    check "roofline: an option of others" ends 2 "unrecognized" roofline
    check "a file kept" keeps_csv
    check "two jobs" ends 2 "only one of these" raid_perf --own --speed
    check "a job and a library" ends 2 "no library is taken" raid_perf --own "$ours"
    check "one set alone" ends 2 "2 to 32" raid_perf --sets base
    check "an unknown set" ends 2 "no kernel set" raid_perf --sets base,none
    check "a set twice" ends 2 "twice" raid_perf --sets base,base
    check "--speed with operations" ends 2 "own operations" raid_perf --speed --op gen_p
}

# --------------------------------------------------------------------- ec_perf --

ec_head=operation,variant,matrix,k,m,mode,len,layout,stripes

one_subject() {
    ends 0 "1 shapes timed" ec_perf --len 64 "$ours" && csv_is $ec_head 1 10 libisal.so.2
}

many_subjects() {
    ends 0 "30 shapes timed" ec_perf --op encode,decode,update,mul,tables --len 64,512 \
        --mode warm,cold --matrix vand,cauchy -k 4 -m 2 \
        "$ours" self="$ours" "$library@base" "$library" &&
        csv_is $ec_head 30 10 libisal.so.2 self permxor.so@base permxor.so
}

sweep() {
    ends 0 "40 lengths, the lowest 8" ec_perf --sweep --len 1..40 \
        a="$ours" b="$ours" c="$ours" &&
        csv_is $ec_head 48 10 a b c
}

# Of what works on no shards there is one layout.
layouts() {
    ends 0 "20 shapes timed" ec_perf --layout displaced,contiguous,aligned,off1,off16 \
        --mode warm,cold --len 1,4000 -k 4 -m 2 "$ours" self="$ours" &&
        csv_is $ec_head 20 10 libisal.so.2 self &&
        [ "$(cut -d, -f8 "$work/csv" | sort | uniq -c | tr -s ' \n' ' ')" = \
            " 8 aligned 8 contiguous 8 displaced 1 layout 8 off1 8 off16 " ] &&
        ends 0 "2 shapes timed" ec_perf --layout displaced,aligned --op tables,invert "$ours"
}

# Twice the last-level cache, but no more than a quarter of the memory.
cold_set() {
    perf/ec_perf --time 0.001 --rounds 2 --len 64 "$ours" > "$work/out" || return
    sed -n 's/^cold set: \([0-9]*\) MiB, last-level cache \([0-9]*\) MiB.*/\1 \2/p' "$work/out" |
        awk -v memory="$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)" '{
            wanted = $2 * 2 > 512 ? $2 * 2 : 512
            quarter = memory / 4
            exit !($1 >= (wanted < quarter ? wanted : quarter) - 2 && $1 <= wanted)
        }' || { grep "^cold set" "$work/out"; return 1; }
}

# Subjects with suffixes of their own.
suffixes() {
    ends 0 "1 shapes timed" ec_perf --len 64 a="$library@base" b="$ours:base" &&
        csv_is $ec_head 1 10 a b && grep -q "^encode,base," "$work/csv" &&
        ends 0 "1 shapes timed" ec_perf --len 64 a="$ours" b="$ours:base" &&
        csv_is $ec_head 1 10 a b && grep -q "^encode,dispatched," "$work/csv" &&
        ends 0 "another instruction set" ec_perf --suffix base --len 64 \
            a="$ours" b="$ours:none" && csv_is $ec_head 1 10 a &&
        ends 0 "1 shapes timed" raid_perf --disks 4 --len 64 --op pq_gen --mode warm \
            a="$library@base" b="$ours:base" && csv_is $raid_head 1 7 a b &&
        grep -q "^pq_gen,base," "$work/csv"
}

# Without functions for matrices, for updates and for products.
peer() {
    ends 0 "not timed: no such variant of ec_encode_data_update" ec_perf -k 4 -m 2 --len 64 \
        --op encode,decode,update,invert,mul "$ours" peer="$work/peer.so" self="$ours" &&
        grep -q "peer *not timed: no gf_invert_matrix" "$work/out" &&
        grep -q "peer *not timed: no such variant of gf_vect_mul" "$work/out" &&
        [ "$(grep -c ",peer," "$work/csv")" -eq 2 ] &&
        [ "$(grep -c ",self," "$work/csv")" -eq 5 ]
}

wrong_bytes() {
    ends 1 "not timed: other bytes than the reference" ec_perf --len 64 \
        "$ours" wrong="$work/wrong.so" self="$ours" &&
        csv_is $ec_head 1 10 libisal.so.2 self
}

# A length that ISA-L's contract leaves out is not done wrong, but cannot be timed either.
out_of_contract() {
    ends 0 "not timed: other bytes, at a length that ISA-L rules out" ec_perf --op dot --len 31 \
        "$ours" wrong="$work/wrong.so" && csv_is $ec_head 1 10 libisal.so.2 &&
        ends 1 "not timed: other bytes than the reference" ec_perf --op dot --len 32 \
            "$ours" wrong="$work/wrong.so"
}

# In a sweep, too, each of them is named: here at the lengths that the peer does wrong.
wrong_in_sweep() {
    ends 1 "40 lengths" ec_perf --sweep --len 1..40 "$ours" wrong="$work/wrong.so" &&
        [ "$(grep -c "wrong *not timed: other bytes" "$work/out")" -eq 40 ]
}

# No room for what a shape needs: neither timed nor judged.
no_memory() (
    ulimit -v 1000000
    ends 2 "not timed: out of memory" ec_perf --len 4K,16M -k 200 "$ours" self="$ours" &&
        grep -q "^1 shapes timed, 1 not timed" "$work/out"
)

# A batch in one call: compared with single calls, where there is more than one stripe.
walks() {
    ends 1 "not timed: its walks give other bytes than its calls" ec_perf --len 64 -k 4 -m 2 \
        --op encode,decode,update --mode warm,cold \
        "$ours" walk="$work/walk.so" lost="$work/lost.so" &&
        [ "$(grep -c ",walk," "$work/csv")" -eq 6 ] &&
        [ "$(grep -c ",warm,.*,lost," "$work/csv")" -eq 3 ] &&
        ! grep ",cold,.*,lost," "$work/csv"
}

# The tables of an adapter are not ISA-L's.
no_tables() {
    ends 0 "not timed: no gf_gen_rs_matrix" ec_perf --op tables "$ours" peer="$work/peer.so" &&
        csv_is $ec_head 1 10 libisal.so.2
}

# A suffix and a set contradict one another.
suffix_and_set() {
    ends 0 "@SET" ec_perf --suffix base --len 64 "$library" set="$library@base" &&
        csv_is $ec_head 1 10 permxor.so &&
        ends 0 "@SET" raid_perf --suffix base --disks 4 --len 64 --op pq_gen --mode warm \
            "$library" set="$library@base" && csv_is $raid_head 1 7 permxor.so
}

# ------------------------------------------------------------------- raid_perf --

raid_head=operation,variant,disks,mode,len,stripes

raid_libraries() {
    ends 0 "12 shapes timed" raid_perf --disks 4 --len 64 \
        "$ours" "$library@base" self="$ours" &&
        csv_is $raid_head 12 7 libisal.so.2 permxor.so@base self
}

raid_missing() {
    ends 0 "not timed: no such function" raid_perf --disks 4 --len 64 --mode warm --op pq_gen \
        "$ours" peer="$work/peer.so" self="$ours" && csv_is $raid_head 1 7 libisal.so.2 self
}

# raid_sets NAME
raid_sets() {
    ends 0 "2 shapes timed" raid_perf --sets "base,$1" --op gen_pq --disks 4 --len 64 &&
        csv_is $raid_head 2 7 base "$1"
}

raid_own() {
    ends 0 "2 shapes timed" raid_perf --own --op update_first --disks 4 --len 64 &&
        csv_is $raid_head 2 7 update_first gen_pq
}

raid_speed() {
    ends 0 "the best of the column" raid_perf --speed --disks 4 --len 64 &&
        grep -q "^machine: [qN]" "$work/out" && grep -q "^adler,,.*,base," "$work/csv"
}

# ---------------------------------------------------------------- leopard_perf --

# A peer that has no such code leaves the two ways of this library.
leopard_missing() {
    ends 0 "not timed: has no Leopard code" leopard_perf --len 64 --mode warm,cold "$ours" &&
        csv_is operation,k,m,mode,len,stripes 12 7 plan reconstruct
}

# ------------------------------------------------------------------------ main --

if [ ! -e "$ours" ] || [ ! -e "$library" ]; then
    skipped=1
    echo "skipped: the perf programs' command lines (needs shared libraries)"
    finish
elif ! perf/ec_perf --help > /dev/null 2>&1; then
    skipped=1
    echo "skipped: the perf programs' command lines (perf/ec_perf does not run here)"
    finish
fi
for what in peer wrong walk lost; do
    case $what in
    peer) define= ;;
    wrong) define=-DWRONG ;;
    walk) define=-DWALK=0 ;;
    lost) define=-DWALK=1 ;;
    esac
    # shellcheck disable=SC2086 # CC may be several words
    check "compile $what" $CC -shared -fPIC -O1 $define "$top_srcdir/unit/perf_peer.c" \
        -o "$work/$what.so"
done
set=$(unit/kernel_sets | sed -n "s/^usable //p" | grep -vx base | head -n 1)
refusals
check "one library" one_subject
check "libraries and sets" many_subjects
check "sweep" sweep
check "a library with little in it" peer
check "wrong bytes" wrong_bytes
check "out of contract" out_of_contract
check "wrong bytes in a sweep" wrong_in_sweep
if (ulimit -v 1000000 && brief ec_perf --len 4K "$ours"); then
    check "memory runs out" no_memory
else
    skipped=$((skipped + 1))
    echo "skipped: memory runs out (nothing runs in 1 GB of addresses, as with a sanitizer)"
fi
check "layouts" layouts
check "cold set" cold_set
check "suffixes of subjects" suffixes
check "walks" walks
check "tables of an adapter" no_tables
check "suffix and set" suffix_and_set
check "RAID: libraries and sets" raid_libraries
check "RAID: a function that is missing" raid_missing
if [ -n "$set" ]; then
    check "RAID: sets" raid_sets "$set"
else
    skipped=$((skipped + 1))
    echo "skipped: RAID: sets (this CPU runs the portable one alone)"
fi
check "RAID: own functions" raid_own
check "RAID: table" raid_speed
check "Leopard: a peer without it" leopard_missing
finish
