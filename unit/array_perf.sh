#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests array_perf and array_locks: the arguments that they refuse, their tables, and the
# operations of members that array_perf counts.  Speed is not judged.
#
# It runs in the build directory.  The environment sets top_srcdir.

: "${top_srcdir:?}"
suite=array_perf
work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-array-perf.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
LC_ALL=C
export LC_ALL
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"
[ -x perf/array_perf ] || skip_all "perf/array_perf is not built"

# brief ARGUMENT...: runs array_perf for a short time, on small members.
brief() { perf/array_perf --time 0.02 --size 8 "$@" > "$work/out" 2>&1; }

refuses() {
    text=$1
    shift
    brief "$@"
    [ $? -eq 2 ] && grep -qF -e "$text" "$work/out"
}

fails() {
    text=$1
    shift
    ! brief "$@" && grep -qF -e "$text" "$work/out"
}

# A write of t blocks of a row reads t + m blocks (read-modify-write) or k - t
# (reconstruct-write), whichever is less.  A few blocks are still in memory and are not read, and few writes also read checksums.
counts_rows() {
    brief --rows --data 8 --parity 3 --time 0.1 || return
    awk 'NR > 2 {
        rmw = $1 + 3; rcw = 8 - $1; least = rmw < rcw ? rmw : rcw; rows++
        if ($4 != rmw || $5 != rcw || $2 < least - 0.2 || $2 > least + 0.3) exit 1
    } END { exit rows != 8 }' "$work/out"
}

# Each depth is a line of its own.  A read needs one operation of one member.
shows_workload() {
    brief --workload read-4k --delay 500 --depth 1,4 --shards 1,8 --batch 2 || return
    awk '$1 == "read-4k" {
        rows++
        if ($10 == "" || $11 != "1.00" || $12 != "0.00") exit 1
    } END { exit rows != 4 }' "$work/out"
}

# The blocks of a small part of the array stay in memory.
keeps_hot() {
    brief --workload write-4k --hot 1 --cache 16 --depth 8 --time 0.4 || return
    awk '$1 == "write-4k" { rows++; if ($11 == "" || $11 > 0.3) exit 1 } END { exit rows != 1 }' \
        "$work/out"
}

rebuilds() {
    brief --rebuild --depth 2 && [ "$(grep -c '^  .* [0-9.]*$' "$work/out")" -eq 3 ] &&
        grep -q '^rebuild alone .* [1-9][0-9]*\.[0-9]$' "$work/out"
}

# A row for each number of locks.  On 64 cores, one lock is predicted to be held more often than 32.
counts_locks() {
    perf/array_locks --threads 3 --depth 4 --stripes 16 --work 1 --time 0.05 --locks 1,32 \
        > "$work/out" || return
    awk 'NR > 3 { rows++; claims += $2 > 0; held[$1] = $NF }
        END { exit !(rows == 2 && claims == 2 && held[1] > held[32]) }' "$work/out"
}

refuses_locks() {
    perf/array_locks --locks 65 > "$work/out" 2>&1
    [ $? -eq 2 ] && grep -qF "at most 64 locks" "$work/out"
}

check "no argument that is no option" refuses "not an option" file
check "no such workload" refuses "no workload of this name" --workload none
check "data that are read and forgotten" refuses "only with --workload stripes" --forget
check "stripes that are forgotten" brief --forget --workload stripes --depth 2
check "too many members" refuses "at most 64 members" --data 60 --parity 5
check "too many operations" refuses "at most 1024" --depth 1,2000
check "no list" refuses "" --depth x
check "no chunk" refuses "not a valid value" --chunk 0
check "a chunk that no array can have" fails "cannot be made" --chunk 5000
check "writes of a part of a row" counts_rows
check "a workload" shows_workload
check "a write of blocks in memory reads nothing" keeps_hot
check "a rebuild" rebuilds
check "locks of the table of claims" counts_locks
check "too many locks" refuses_locks
finish
