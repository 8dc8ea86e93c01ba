#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The command line of ec_perf, what it refuses, and its CSV file.  No time is judged.
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
jerasure=.libs/libJerasure.so.2
head=operation,variant,matrix,k,m,mode,len,layout,stripes
head=$head,subject,bytes,seconds,seconds_low,seconds_high,gbs,ratio,ratio_low,ratio_high
head=$head,rounds,calls,preempted,noisy,cycles,instructions,roof,roof_gbs
suite=perf_cli
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

roofline_refuses() {
    perf/roofline --rounds 2 > "$work/out" 2>&1
    [ $? -eq 2 ] && grep -q unrecognized "$work/out"
}

# What cannot begin leaves the CSV file of an earlier run as it is.
keeps_csv() {
    for arguments in "$work/none.so" "--op none $ours" "--mode none $ours"; do
        echo kept > "$work/csv"
        # shellcheck disable=SC2086 # words
        ends 2 "" $arguments && [ "$(cat "$work/csv")" = kept ] || return
    done
}

# ------------------------------------------------------------ what is refused --

refusals() {
    echo "no library" > "$work/text"
    check "no library" ends 2 "a library is needed"
    check "missing library" ends 2 "No such file" "$work/none.so"
    check "no library in it" ends 2 "too short" "$work/text"
    check "unknown option" ends 2 "unrecognized" --none "$ours"
    for option in "--rounds 0" "--batch 0" "--pass-time x" "--time -1" "--len 4,x"; do
        # shellcheck disable=SC2086 # two words
        check "$option" ends 2 "" $option "$ours"
    done
    for codes in 10+ 0 256 10+256 10:4 10,x; do
        check "-k $codes" ends 2 "no code is called" -k "$codes" "$ours"
    done
    check "unknown set" ends 2 "no such kernel set" "$library@none"
    check "unknown setting" ends 2 "no such setting" "x=$library@base,nonsense=1"
    check "a setting needs a name" ends 2 "no commas" "$library@,own=1M"
    check "settings" ends 0 "kernel set base, own = 1M, way dot own=none" \
        "a=$library@base,own = 1M,way dot own=none" "b=$library@,own=64K" "c=$library"
    check "set of a library without them" ends 2 "has no pxr_kernel_select" "$ours@base"
    check "all sets of a library without them" ends 2 "has no pxr_kernel_info" "$ours@all"
    check "settings of all sets" ends 2 "takes no settings" "x=$library@all,own=1M"
    check "one name twice" ends 2 "two subjects" "$ours" "./$ours"
    check "comma in a name" ends 2 "no commas" "a,b=$ours"
    check "empty path" ends 2 "names no library" "a=@base"
    check "empty name" ends 2 "characters" "=$ours"
    # shellcheck disable=SC2046 # words
    check "too many" ends 2 "1 to 16" $(seq -f "n%g=$ours" 17)
    check "unknown grid" ends 2 "no grid" --grid none "$ours"
    check "unknown operation" ends 2 "no operation" --op encode,none "$ours"
    check "unknown matrix" ends 2 "no matrix" --matrix vand,none "$ours"
    for matrix in cauchy_good cauchy_good/8 cauchy_good/33/1024 cauchy_good/0/1024 \
        cauchy_good/8/1020 cauchy_good/8/0 cauchy_good/8/1024/1 cauchy_good/8/8x \
        liber8tion/7/1024 reed_sol_van reed_sol_van/12 reed_sol_van/16/1024 vand/8; do
        check "--matrix $matrix" ends 2 "codes of bytes are NAME" --matrix "$matrix" "$library"
    done
    check "unknown layout" ends 2 "no layout" --layout aligned,none "$ours"
    check "unknown suffix" ends 0 "no such variant" --len 64 "$ours" "s=$ours:none"
    check "empty suffix" ends 2 "end so" "$ours:"
    check "unknown mode" ends 2 "no mode" --mode warm,none "$ours"
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

# Of what works on no shards there is one layout.
layouts() {
    ends 0 "20 shapes timed" --layout displaced,contiguous,aligned,off1,off16 \
        --mode warm,cold --len 1,4000 -k 4 -m 2 "$ours" self="$ours" &&
        csv_is 20 libisal.so.2 self &&
        [ "$(cut -d, -f8 "$work/csv" | sort | uniq -c | tr -s ' \n' ' ')" = \
            " 8 aligned 8 contiguous 8 displaced 1 layout 8 off1 8 off16 " ] &&
        ends 0 "2 shapes timed" --layout displaced,aligned --op tables,invert "$ours"
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
    ends 0 "1 shapes timed" --len 64 a="$library@base" b="$ours:base" &&
        csv_is 1 a b && grep -q "^encode,base," "$work/csv" &&
        ends 0 "1 shapes timed" --len 64 a="$ours" b="$ours:base" &&
        csv_is 1 a b && grep -q "^encode,dispatched," "$work/csv" &&
        ends 0 "another instruction set" --suffix base --len 64 \
            a="$ours" b="$ours:none" && csv_is 1 a &&
        ends 0 "1 shapes timed" -k 4 --len 64 --op pq_gen \
            a="$library@base" b="$ours:base" && csv_is 1 a b &&
        grep -q "^pq_gen,base," "$work/csv"
}

# Without functions for matrices, for updates and for products.
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

# A length that ISA-L's contract leaves out is not done wrong, but cannot be timed either.
out_of_contract() {
    ends 0 "not timed: other bytes, at a length that ISA-L rules out" --op dot --len 31 \
        "$ours" wrong="$work/wrong.so" && csv_is 1 libisal.so.2 &&
        ends 1 "not timed: other bytes than the reference" --op dot --len 32 \
            "$ours" wrong="$work/wrong.so"
}

# In a sweep, too, each of them is named: here at the lengths that the peer does wrong.
wrong_in_sweep() {
    ends 1 "40 lengths" --sweep --len 1..40 "$ours" wrong="$work/wrong.so" &&
        [ "$(grep -c "wrong *not timed: other bytes" "$work/out")" -eq 40 ]
}

# No room for what a shape needs: neither timed nor judged.
no_memory() (
    ulimit -v 1000000
    ends 2 "not timed: out of memory" --len 4K,16M -k 200 "$ours" self="$ours" &&
        grep -q "^1 shapes timed, 1 not timed" "$work/out"
)

# A batch in one call: compared with single calls, where there is more than one stripe.
walks() {
    ends 1 "not timed: its walks give other bytes than its calls" --len 64 -k 4 -m 2 \
        --op encode,decode,update --mode warm,cold \
        "$ours" walk="$work/walk.so" lost="$work/lost.so" &&
        [ "$(grep -c ",walk," "$work/csv")" -eq 6 ] &&
        [ "$(grep -c ",warm,.*,lost," "$work/csv")" -eq 3 ] &&
        ! grep ",cold,.*,lost," "$work/csv"
}

# The tables of an adapter are not ISA-L's.
no_tables() {
    ends 0 "not timed: no gf_gen_rs_matrix" --op tables "$ours" peer="$work/peer.so" &&
        csv_is 1 libisal.so.2
}

# A suffix and a set contradict one another.
suffix_and_set() {
    ends 0 "@SET" --suffix base --len 64 "$library" set="$library@base" &&
        csv_is 1 permxor.so &&
        ends 0 "@SET" --suffix base -k 4 --len 64 --op pq_gen \
            "$library" set="$library@base" && csv_is 1 permxor.so
}

# ------------------------------------------------------------------------ RAID --

# Scans have no disks: they are timed once, whatever the list of these says.
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

# Off its boundaries, and at other lengths than its multiples, ISA-L is not asked.
raid_contract() {
    ends 0 "32-byte boundaries only" --op xor_gen --layout off1 --len 64 "$ours" &&
        ends 0 "multiples of 32 bytes only" --op pq_gen --len 63 "$ours" &&
        ends 0 "3 shapes timed" --op gen_pq,rec_dd,check --layout off1 --len 63 \
            "$library"
}

# A lone library is held against arithmetic: what it writes, and what it says of bytes that are
# right or wrong.
raid_wrong() {
    ends 1 "not timed: wrong bytes" --op xor_gen --len 64 "$work/wrong.so" &&
        ends 1 "not timed: a wrong verdict" --op xor_check --len 64 "$work/wrong.so" &&
        ends 1 "not timed: other bytes than the reference" --op xor_gen --len 64 \
            "$ours" wrong="$work/wrong.so"
}

# raid_sets NAME
raid_sets() {
    ends 0 "2 shapes timed" --op gen_pq,rec_dd -k 4 --len 64 a="$library@base" \
        b="$library@$1" && csv_is 2 a b
}

# Every set that runs here, the registry's first one foremost.
all_sets() {
    sets=$(unit/kernel_sets | sed -n "s/^usable //p" | tr '\n' ' ')
    # shellcheck disable=SC2086 # words
    ends 0 "9 shapes timed" --grid raid-sets "$library@all" && csv_is 9 $sets
}

# Functions whose baseline has stripes of another size, of the same, and no baseline.
baselines() {
    ends 0 "2 shapes timed" --baseline --op update_first,rec_dd -k 4 --len 64 a="$library" \
        b="$library@base" &&
        [ "$(sed 1d "$work/csv" | cut -d, -f1,10 | tr '\n' ' ')" = "update_first,a \
update_first,b update_first,gen_pq rec_dd,a rec_dd,b rec_dd,decode_dd " ] &&
        ends 0 "1 shapes timed" --baseline --op gen_p -k 4 --len 64 "$library" &&
        csv_is 1 permxor.so
}

# Every function of permxor_raid.h, on the fewest disks that all of them can work on.
raid_own() {
    ends 0 "37 shapes timed, 0 not timed" --op own,baseline -k 4 -m 2 --len 100 "$library" &&
        ends 0 "too few disks" --op syn_4_end -k 3 --len 64 "$library"
}

# --------------------------------------------------------------------- Leopard --

# Each coder is held against itself; a library has the one or the other kind of code.
leopard() {
    ends 0 "12 shapes timed" --op leopard_encode,leopard_decode -k 16+16,32+32,128+127 \
        --len 64 --mode warm,cold "$library" "$ours" &&
        grep -q "not timed: has neither a Leopard code nor plans" "$work/out" &&
        csv_is 12 permxor.so
}

# --------------------------------------------------- jerasure's, gf-complete's --

# A subject of each kind: code objects, jerasure's calls, and neither.
jerasure_codes() {
    matrices=cauchy_good/8/64,cauchy_orig/4/24,reed_sol_van/8,reed_sol_van/16,reed_sol_van/32
    ends 0 "30 shapes timed" --op jerasure -k 5+3 --len 1000 --mode warm,cold \
        --matrix "$matrices" "$library" a="$jerasure" b="$jerasure" peer="$work/peer.so" &&
        csv_is 30 permxor.so a b &&
        grep -q "peer *not timed: has neither codes of packets and words" "$work/out" &&
        [ "$(sed 1d "$work/csv" | cut -d, -f3,7 | sort -u | tr '\n' ' ')" = \
            "cauchy_good/8/64,1024 \
cauchy_orig/4/24,960 reed_sol_van/16,1000 reed_sol_van/32,1000 reed_sol_van/8,1000 " ]
}

# With two parity shards, and calls of jerasure's alone.
jerasure_raid6() {
    matrices=liberation/5/8,blaum_roth/4/16,liber8tion/8/8,reed_sol_r6_op/8,reed_sol_r6_op/32
    ends 0 "15 shapes timed" --op jerasure -k 4+2 --len 4K --matrix "$matrices" \
        a="$jerasure" "$library" && csv_is 15 a permxor.so
}

# What has no such code, or another interface.
jerasure_refusals() {
    ends 0 "no matrix of jerasure's" --op jerasure --len 64 "$library" &&
        ends 0 "no matrix of ISA-L's" --matrix reed_sol_van/16 --len 64 "$library" &&
        ends 0 "a matrix of two parity shards" --op jerasure --matrix liberation/7/8 -k 5+3 \
            "$jerasure" &&
        ends 0 "permxor.h makes no such code" --op jerasure --matrix liberation/5/8 -k 6+2 \
            "$library" &&
        ends 0 "jerasure makes no such code" --op jerasure --matrix cauchy_orig/2/8 -k 4+2 \
            "$jerasure" &&
        ends 0 "32-byte boundaries only" --op jerasure --matrix reed_sol_van/8 --layout off1 \
            --len 64 "$library" &&
        ends 0 "lacks functions of the interface" --len 64 "$jerasure"
}

# A library that finds all but the encoder in another one.
jerasure_wrong() {
    printf 'void jerasure_matrix_encode(void);\nvoid jerasure_matrix_encode(void) {}\n' \
        > "$work/wrong.c"
    $CC -shared -fPIC "$work/wrong.c" -o "$work/wrong_jerasure.so" -Wl,--no-as-needed \
        "$jerasure" -Wl,-rpath,"$PWD/.libs" &&
        ends 1 "not timed: other bytes than the reference" --op jerasure_encode \
            --matrix reed_sol_van/16 --len 64 "$library" wrong="$work/wrong_jerasure.so" &&
        csv_is 1 permxor.so &&
        ends 1 "not timed: wrong bytes" --op jerasure_decode --matrix reed_sol_van/16 \
            --len 64 "$work/wrong_jerasure.so"
}

# Debian's, where it is: each has the gf-complete that belongs to it.
originals() {
    ends 0 "6 shapes timed" --op jerasure --matrix cauchy_good/4/64,reed_sol_van/32 -k 5+3 \
        --len 4K "$library" a="$jerasure" real="$1" && csv_is 6 permxor.so a real &&
        LD_DEBUG=files brief --op jerasure_encode --matrix reed_sol_van/8 --len 64 \
            a="$jerasure" real="$1" &&
        [ "$(sed -n 's/.*calling init: \(.*libgf_complete\)/\1/p' "$work/out" | sort -u |
            wc -l)" -eq 2 ]
}

regions() {
    ends 0 "13 shapes timed" --op gf --len 4K a=.libs/libgf_complete.so.1 b="$jerasure" &&
        csv_is 13 a b && grep -q "^region_128,dispatched,,0,0,warm,4096," "$work/csv" &&
        ends 0 "has no such field" --op region_8 --len 64 "$library" &&
        ends 0 "multiples of 32 bytes only" --op gf --len 63 .libs/libgf_complete.so.1
}

# Where no namespace takes it, as with a sanitizer, nothing of it can be timed.
check_jerasure() {
    if [ ! -e "$jerasure" ] || ! brief --len 64 "$jerasure"; then
        skip "jerasure's codes" "$jerasure is not here, or no namespace takes it"
        return
    fi
    check "jerasure's codes" jerasure_codes
    check "jerasure's codes of two parity shards" jerasure_raid6
    check "jerasure's codes: what is refused" jerasure_refusals
    check "jerasure's codes: wrong bytes" jerasure_wrong
    check "gf-complete's regions" regions
    for real in /usr/lib/*-linux-gnu/libJerasure.so.2; do
        if brief --len 64 "$real"; then
            check "$real" originals "$real"
        else
            skip "jerasure's codes beside the original" "no libJerasure.so.2 of this machine's"
        fi
    done
}

# ------------------------------------------------------------------------ main --

if [ ! -e "$ours" ] || [ ! -e "$library" ]; then
    skipped=1
    echo "skipped: the command line of ec_perf (needs shared libraries)"
    finish
elif ! perf/ec_perf --help > /dev/null 2>&1; then
    skipped=1
    echo "skipped: the command line of ec_perf (perf/ec_perf does not run here)"
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
if (ulimit -v 1000000 && brief --len 4K "$ours"); then
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
check "RAID: ISA-L's contract" raid_contract
check "RAID: wrong bytes and verdicts" raid_wrong
if [ -n "$set" ]; then
    check "RAID: sets" raid_sets "$set"
else
    skipped=$((skipped + 1))
    echo "skipped: RAID: sets (this CPU runs the portable one alone)"
fi
check "RAID: all sets" all_sets
check "RAID: own functions" raid_own
check "baselines" baselines
check "Leopard: a library without it" leopard
check_jerasure
finish
