#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests ec_perf: its command line, the arguments that it refuses, and its CSV file.  Speed is
# not judged.
#
# It runs in the build directory.  The environment sets top_srcdir and CC.

: "${top_srcdir:?}" "${CC:=cc}"

suite=perf_cli
. "$top_srcdir/unit/perf_lib.sh"

roofline_refuses() {
    perf/roofline --rounds 2 > "$work/out" 2>&1
    [ $? -eq 2 ] && grep -q unrecognized "$work/out"
}

# A run that cannot begin does not change the CSV file of an earlier run.
keeps_csv() {
    for arguments in "$work/none.so" "--op none $ours" "--mode none $ours"; do
        echo kept > "$work/csv"
        # shellcheck disable=SC2086 # words
        ends 2 "" $arguments && [ "$(cat "$work/csv")" = kept ] || return
    done
}

# ------------------------------------------------------------------- refusals --

refusals() {
    echo "no library" > "$work/text"
    check "no library" ends 2 "no library is given"
    check "missing library" ends 2 "No such file" "$work/none.so"
    check "no library in it" ends 2 "too short" "$work/text"
    check "unknown option" ends 2 "unrecognized" --none "$ours"
    for option in "--rounds 0" "--batch 0" "--pass-time x" "--time -1" "--len 4,x"; do
        # shellcheck disable=SC2086 # two words
        check "$option" ends 2 "" $option "$ours"
    done
    for codes in 10+ 0 256 10+256 10:4 10,x; do
        check "-k $codes" ends 2 "there is no code called" -k "$codes" "$ours"
    done
    check "unknown set" ends 2 "no such kernel set" "$library@none"
    check "unknown setting" ends 2 "no such setting" "x=$library@base,nonsense=1"
    check "a setting needs a name" ends 2 "must not contain commas" "$library@,own=1M"
    check "settings" ends 0 "kernel set base, own = 1M, way dot own=none" \
        "a=$library@base,own = 1M,way dot own=none" "b=$library@,own=64K" "c=$library"
    check "set of a library without them" ends 2 "has no pxr_kernel_select" "$ours@base"
    check "all sets of a library without them" ends 2 "has no pxr_kernel_info" "$ours@all"
    check "settings of all sets" ends 2 "takes no settings" "x=$library@all,own=1M"
    check "one name twice" ends 2 "two subjects" "$ours" "./$ours"
    check "comma in a name" ends 2 "must not contain commas" "a,b=$ours"
    check "empty path" ends 2 "names no library" "a=@base"
    check "empty name" ends 2 "characters" "=$ours"
    # shellcheck disable=SC2046 # words
    check "too many" ends 2 "at most 16" $(seq -f "n%g=$ours" 17)
    check "unknown grid" ends 2 "no grid" --grid none "$ours"
    check "unknown operation" ends 2 "no operation" --op encode,none "$ours"
    check "unknown matrix" ends 2 "no matrix" --matrix vand,none "$ours"
    check "unknown layout" ends 2 "no layout" --layout aligned,none "$ours"
    check "unknown suffix" ends 0 "no such variant" --len 64 "$ours" "s=$ours:none"
    check "empty suffix" ends 2 "not a suffix" "$ours:"
    check "unknown mode" ends 2 "no mode" --mode warm,none "$ours"
    for list in op len matrix mode layout; do
        check "an empty list of --$list" ends 2 "there is no" "--$list" "" "$ours"
    done
    check "an empty list of codes" ends 2 "there is no code" -k "" "$ours"
    check "roofline: an option of others" roofline_refuses
    check "a file kept" keeps_csv
}

# --------------------------------------------------------------------- coding --

one_subject() {
    ends 0 "1 shapes timed" --len 64 "$ours" && csv_is 1 libisal.so.2
}

many_subjects() {
    ends 0 "30 shapes timed" --op encode,decode,update,mul,tables --len 64,512 \
        --mode warm,cold --matrix vand,cauchy -k 4 -m 2 \
        "$ours" self="$ours" "$library@base" "$library" &&
        csv_is 30 libisal.so.2 self permxor.so@base permxor.so
}

sweep() {
    ends 0 "40 lengths, the lowest 8" --sweep --len 1..40 \
        a="$ours" b="$ours" c="$ours" &&
        csv_is 48 a b c
}

# An operation that works on no shards is timed with one layout.
layouts() {
    ends 0 "24 shapes timed" --layout displaced,contiguous,aligned,off1,off16,scattered \
        --mode warm,cold --len 1,4000 -k 4 -m 2 "$ours" self="$ours" &&
        csv_is 24 libisal.so.2 self &&
        [ "$(cut -d, -f8 "$work/csv" | sort | uniq -c | tr -s ' \n' ' ')" = \
            " 8 aligned 8 contiguous 8 displaced 1 layout 8 off1 8 off16 8 scattered " ] &&
        ends 0 "2 shapes timed" --layout displaced,aligned --op tables,invert "$ours"
}

# in_container BYTES COMMAND...: runs COMMAND where control groups limit the memory to BYTES.
in_container() {
    unshare -rm sh -c 'limit=$1; shift
        mount -t tmpfs none /sys/fs/cgroup && mkdir /sys/fs/cgroup/memory &&
            echo "$limit" > /sys/fs/cgroup/memory.max &&
            echo "$limit" > /sys/fs/cgroup/memory/memory.limit_in_bytes && "$@"' sh "$@"
}

# A quarter of the memory of a container is less than 512 MiB here.
cold_set_of_container() {
    in_container $((1 << 30)) perf/ec_perf --time 0.001 --rounds 2 --len 64 "$ours" \
        > "$work/out" && grep -q "^cold set: 256 MiB" "$work/out" && return
    grep "^cold set" "$work/out"
    return 1
}

# The cold set is twice the last-level cache and at least 512 MiB, but at most a quarter of the
# memory.
cold_set() {
    in_container $((1 << 60)) perf/ec_perf --time 0.001 --rounds 2 --len 64 "$ours" \
        > "$work/out" || return
    sed -n 's/^cold set: \([0-9]*\) MiB, last-level cache \([0-9]*\) MiB.*/\1 \2/p' "$work/out" |
        awk -v memory="$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)" '{
            wanted = $2 * 2 > 512 ? $2 * 2 : 512
            quarter = memory / 4
            exit !($1 >= (wanted < quarter ? wanted : quarter) - 2 && $1 <= wanted)
        }' || { grep "^cold set" "$work/out"; return 1; }
}

# Subjects can have suffixes of their own.
suffixes() {
    ends 0 "1 shapes timed" --len 64 a="$library@base" b="$ours:base" &&
        csv_is 1 a b && grep -q "^encode,base," "$work/csv" &&
        ends 0 "1 shapes timed" --len 64 a="$ours" b="$ours:base" &&
        csv_is 1 a b && grep -q "^encode,dispatched," "$work/csv" &&
        ends 0 "1 shapes timed" -k 4 --len 64 --op pq_gen \
            a="$library@base" b="$ours:base" && csv_is 1 a b &&
        grep -q "^pq_gen,base," "$work/csv"
}

# The peer has no functions for matrices, for updates and for products.
peer() {
    ends 0 "not timed: no such variant of ec_encode_data_update" -k 4 -m 2 --len 64 \
        --op encode,decode,update,invert,mul "$ours" peer="$work/peer.so" self="$ours" &&
        grep -q "peer *not timed: no gf_invert_matrix" "$work/out" &&
        grep -q "peer *not timed: no such variant of gf_vect_mul" "$work/out" &&
        [ "$(grep -c ",peer," "$work/csv")" -eq 2 ] &&
        [ "$(grep -c ",self," "$work/csv")" -eq 5 ]
}

wrong_bytes() {
    ends 1 "not timed: other bytes than the reference" --len 64 \
        "$ours" wrong="$work/wrong.so" self="$ours" &&
        csv_is 1 libisal.so.2 self
}

# At a length that ISA-L's contract rules out, other bytes are not an error.  The subject is not
# timed.
out_of_contract() {
    ends 0 "not timed: other bytes, at a length that ISA-L rules out" --op dot --len 31 \
        "$ours" wrong="$work/wrong.so" && csv_is 1 libisal.so.2 &&
        ends 1 "not timed: other bytes than the reference" --op dot --len 32 \
            "$ours" wrong="$work/wrong.so"
}

# A sweep names each length at which a subject gives wrong bytes.
wrong_in_sweep() {
    ends 1 "40 lengths" --sweep --len 1..40 "$ours" wrong="$work/wrong.so" &&
        [ "$(grep -c "wrong *not timed: other bytes" "$work/out")" -eq 40 ]
}

# A shape that needs too much memory is neither timed nor judged.
no_memory() (
    ulimit -v 1000000
    ends 2 "not timed: out of memory" --len 4K,16M -k 200 "$ours" self="$ours" &&
        grep -q "^1 shapes timed, 1 not timed" "$work/out"
)

# A walk does a batch in one call.  ec_perf compares it with single calls if there is more than
# one stripe.
walks() {
    ends 1 "not timed: its walks give other bytes than its calls" --len 64 -k 4 -m 2 \
        --op encode,decode,update --mode warm,cold \
        "$ours" walk="$work/walk.so" lost="$work/lost.so" &&
        [ "$(grep -c ",walk," "$work/csv")" -eq 6 ] &&
        [ "$(grep -c ",warm,.*,lost," "$work/csv")" -eq 3 ] &&
        ! grep ",cold,.*,lost," "$work/csv"
}

# The tables of an adapter are not ISA-L's tables, so they are not timed.
no_tables() {
    ends 0 "not timed: no gf_gen_rs_matrix" --op tables "$ours" peer="$work/peer.so" &&
        csv_is 1 libisal.so.2
}

# ------------------------------------------------------------------------ RAID --

# Scans work on no disks, so they are timed once, not for each number of disks.
raid_libraries() {
    ends 0 "20 shapes timed" --op raid -k 4,5 --len 64 --mode warm,cold \
        "$ours" "$library@base" self="$ours" &&
        csv_is 20 libisal.so.2 permxor.so@base self &&
        grep -q "^pq_gen,dispatched,,5,0,warm,64," "$work/csv" &&
        [ "$(grep -c "^isal_adler32,dispatched,,0,0,warm,64," "$work/csv")" -eq 3 ]
}

raid_missing() {
    ends 0 "not timed: no such variant of pq_gen" -k 4 --len 64 --op pq_gen \
        "$ours" peer="$work/peer.so" self="$ours" && csv_is 1 libisal.so.2 self
}

# ISA-L's functions are not called off 32-byte boundaries, or at lengths that are no multiples
# of 32 bytes.
raid_contract() {
    ends 0 "32-byte boundaries only" --op xor_gen --layout off1 --len 64 "$ours" &&
        ends 0 "multiples of 32 bytes only" --op pq_gen --len 63 "$ours" &&
        ends 0 "3 shapes timed" --op gen_pq,rec_dd,check --layout off1 --len 63 \
            "$library"
}

# A library that is measured alone is compared with arithmetic: the bytes that it writes, and
# its verdict on right and on wrong bytes.
raid_wrong() {
    ends 1 "not timed: wrong bytes" --op xor_gen --len 64 "$work/wrong.so" &&
        ends 1 "not timed: a wrong verdict" --op xor_check --len 64 "$work/wrong.so" &&
        ends 1 "not timed: other bytes than the reference" --op xor_gen --len 64 \
            "$ours" wrong="$work/wrong.so"
}

# raid_sets NAME: times the kernel set NAME beside the set base.
raid_sets() {
    ends 0 "2 shapes timed" --op gen_pq,rec_dd -k 4 --len 64 a="$library@base" \
        b="$library@$1" && csv_is 2 a b
}

# LIBRARY@all times every set that runs here, in the order of the registry.
all_sets() {
    sets=$(unit/kernel_sets | sed -n "s/^usable //p" | tr '\n' ' ')
    # shellcheck disable=SC2086 # words
    ends 0 "9 shapes timed" --grid raid-sets "$library@all" && csv_is 9 $sets
}

# These functions have a baseline with stripes of another size, a baseline with stripes of the
# same size, and no baseline.
baselines() {
    ends 0 "2 shapes timed" --baseline --op update_first,rec_dd -k 4 --len 64 a="$library" \
        b="$library@base" &&
        [ "$(sed 1d "$work/csv" | cut -d, -f1,10 | tr '\n' ' ')" = "update_first,a \
update_first,b update_first,gen_pq rec_dd,a rec_dd,b rec_dd,decode_dd " ] &&
        ends 0 "1 shapes timed" --baseline --op gen_p -k 4 --len 64 "$library" &&
        csv_is 1 permxor.so
}

# Times every function of permxor_raid.h on the fewest disks with which all of them work.
raid_own() {
    ends 0 "37 shapes timed, 0 not timed" --op own,baseline -k 4 -m 2 --len 100 "$library" &&
        ends 0 "too few disks" --op syn_4_end -k 3 --len 64 "$library"
}

# --------------------------------------------------------------------- Leopard --

# Each coder is compared with itself.  A library has a Leopard code, plans, or neither.
leopard() {
    ends 0 "12 shapes timed" --op leopard_encode,leopard_decode -k 16+16,32+32,128+127 \
        --len 64 --mode warm,cold "$library" "$ours" &&
        grep -q "not timed: has neither a Leopard code nor plans" "$work/out" &&
        csv_is 12 permxor.so
}

# ------------------------------------------------------------------------ main --

needs_ec_perf "the command line of ec_perf"
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
if (ulimit -v 1000000 && brief --len 4K "$ours"); then
    check "memory runs out" no_memory
else
    skip "memory runs out" "nothing runs in 1 GB of address space, as with a sanitizer"
fi
check "layouts" layouts
if in_container 1 true 2> /dev/null; then
    check "cold set" cold_set
    check "cold set in a container" cold_set_of_container
else
    skip "cold set" "there are no mount namespaces for control groups"
fi
check "suffixes of subjects" suffixes
check "walks" walks
check "tables of an adapter" no_tables
check "RAID: libraries and sets" raid_libraries
check "RAID: a function that is missing" raid_missing
check "RAID: ISA-L's contract" raid_contract
check "RAID: wrong bytes and verdicts" raid_wrong
if [ -n "$set" ]; then
    check "RAID: sets" raid_sets "$set"
else
    skip "RAID: sets" "this CPU runs only the portable set"
fi
check "RAID: all sets" all_sets
check "RAID: own functions" raid_own
check "baselines" baselines
check "Leopard: a library without it" leopard
finish
