#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests jerasure's codes and gf-complete's regions in ec_perf.  Speed is not judged.
#
# It runs in the build directory.  The environment sets top_srcdir and CC.

: "${top_srcdir:?}" "${CC:=cc}"

suite=perf_jerasure
. "$top_srcdir/unit/perf_lib.sh"
jerasure=.libs/libJerasure.so.2

refusals() {
    for matrix in cauchy_good cauchy_good/8 cauchy_good/33/1024 cauchy_good/0/1024 \
        cauchy_good/8/1020 cauchy_good/8/0 cauchy_good/8/1024/1 cauchy_good/8/8x \
        liber8tion/7/1024 reed_sol_van reed_sol_van/12 reed_sol_van/16/1024 vand/8; do
        check "--matrix $matrix" ends 2 "is not valid: the form is" --matrix "$matrix" "$library"
    done
}

# There is a subject of each kind: with code objects, with jerasure's calls, and with neither.
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

# These codes have two parity shards.  jerasure has a call of its own for the matrix of each.
jerasure_raid6() {
    matrices=liberation/5/8,blaum_roth/4/16,liber8tion/8/8,reed_sol_r6_op/8,reed_sol_r6_op/32
    ends 0 "15 shapes timed" --op jerasure -k 4+2 --len 4K --matrix "$matrices" \
        a="$jerasure" "$library" && csv_is 15 a permxor.so
}

# A subject that has no such code, or has another interface, is not timed.
jerasure_refusals() {
    ends 0 "needs a matrix of jerasure" --op jerasure --len 64 "$library" &&
        ends 0 "needs a matrix of ISA-L" --matrix reed_sol_van/16 --len 64 "$library" &&
        ends 0 "the matrix needs m = 2" --op jerasure --matrix liberation/7/8 -k 5+3 \
            "$jerasure" &&
        ends 0 "permxor.h cannot make this code" --op jerasure --matrix liberation/5/8 -k 6+2 \
            "$library" &&
        ends 0 "jerasure cannot make this code" --op jerasure --matrix cauchy_orig/2/8 -k 4+2 \
            "$jerasure" &&
        ends 0 "32-byte boundaries only" --op jerasure --matrix reed_sol_van/8 --layout off1 \
            --len 64 "$library" &&
        ends 0 "lacks functions of the interface" --len 64 "$jerasure"
}

# This library has a wrong encoder of its own, and takes all other functions from another
# library.
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

# originals FILE: times Debian's library FILE beside ours.  Each has to use its own gf-complete.
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

# ------------------------------------------------------------------------ main --

needs_ec_perf "jerasure's codes"
refusals
if [ ! -e "$jerasure" ] || ! brief --len 64 "$jerasure"; then
    skip "jerasure's codes" "$jerasure is missing or cannot be loaded, as with a sanitizer"
    finish
fi
# shellcheck disable=SC2086 # CC may be several words
check "compile a peer" $CC -shared -fPIC -O1 "$top_srcdir/unit/perf_peer.c" -o "$work/peer.so"
check "codes" jerasure_codes
check "codes of two parity shards" jerasure_raid6
check "what is refused" jerasure_refusals
check "wrong bytes" jerasure_wrong
check "regions" regions
for real in /usr/lib/*-linux-gnu/libJerasure.so.2; do
    if brief --len 64 "$real"; then
        check "$real" originals "$real"
    else
        skip "beside the original" "needs a libJerasure.so.2 of this architecture"
    fi
done
finish
