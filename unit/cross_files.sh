#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Shards are the same whichever machine makes them:
#
#   cross_files.sh PERMXOR...
#
# takes the command as it is on several architectures.  All cells of all shards
# are compared byte for byte; and each command in turn encodes what its
# neighbour repairs and the neighbour's neighbour decodes.

: "${top_srcdir:?}"
. "$top_srcdir/unit/suite.sh"
. "$top_srcdir/unit/cli_lib.sh"
unset PERMXOR_KERNELS

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-cross.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 1

# Five data shards; jerasure_r6 has two of parity by its nature.
matrices="isal_cauchy isal_vand jerasure_van klauspost_vand jerasure_r6"

parity_of() {
    [ "$1" = jerasure_r6 ] && echo 2 || echo 3
}

# check NAME FUNCTION ARGUMENTS...
check() {
    what=$1
    shift
    # not in a condition, which would switch -e off
    (
        set -e
        "$@"
    ) > check.log 2>&1
    if [ $? -eq 0 ]; then
        pass
    else
        sed 's/^/    /' check.log
        fail "$what"
    fi
}

# encode PERMXOR MATRIX CELL FILE FOLDER
encode() {
    mkdir -p "$5"
    "$1" encode -q --no-sync -k 5 -m "$(parity_of "$2")" --matrix="$2" --cell "$3" \
        -o "$5" "$4"
}

# ----------------------------------------------------------------- cells ----

# The cell of a shard whose only stripe it is: what lies between header with
# checksum and trailer.  Set ids are random, and checksums depend on them.
cell_of() {
    tail -c +529 "$1" | head -c -512
}

# same_cells PERMXOR MATRIX FILE: as the first command made them.
same_cells() {
    encode "$1" "$2" 1M "$3" mine
    for shard in mine/*; do
        cell_of "$shard" > cell
        cmp cell "cells/$2.$(basename "$shard")"
    done
}

keep_cells() {
    encode "$1" "$2" 1M "$3" first
    mkdir -p cells
    for shard in first/*; do
        cell_of "$shard" > "cells/$2.$(basename "$shard")"
    done
    rm -r first
}

# compare_cells MATRIX FILE
compare_cells() {
    check "encode $2 $1" keep_cells "$first" "$1" "$2"
    for permxor in $others; do
        check "cells of $2 $1, $(basename "$permxor")" same_cells "$permxor" "$1" "$2"
        rm -rf mine
    done
    rm -rf cells
}

# ---------------------------------------------------------------- chains ----

# Without parity, repair does what encode does, with the same set id: every
# byte of every shard must be there again.
parity_again() {
    rm copy/*.00[5-7].pxr
    "$1" repair -q copy
    same_files set copy
}

lost_again() {
    rm copy/*.001.pxr copy/*.006.pxr
    "$1" repair -q copy
    same_files set copy
}

# Lost and damaged shards, as many as there are parities.
decoded() {
    rm copy/*.000.pxr
    for shard in copy/*.003.pxr; do
        flip "$shard" $(($(size "$shard") / 2))
    done
    "$1" decode -q -f -o decoded copy
    sha256sum < decoded > got
    sha256sum < "$2" > want
    cmp got want
}

damage_repaired() {
    "$1" repair -q copy
    same_files set copy
}

# chain ENCODER REPAIRER DECODER MATRIX FILE
chain() {
    title="$5 $4: $(basename "$1"), $(basename "$2"), $(basename "$3")"
    check "$title: encode" encode "$1" "$4" 4K "$5" set
    cp -r set copy
    check "$title: parity again" parity_again "$2"
    check "$title: lost shards again" lost_again "$2"
    check "$title: decode" decoded "$3" "$5"
    check "$title: damage repaired" damage_repaired "$3"
    rm -rf set copy decoded
}

# chains FILE: each command in each role; the matrices go round with them.
chains() {
    # shellcheck disable=SC2086 # a list
    set -- "$1" $first $others
    file=$1
    shift
    for matrix in $matrices; do
        chain "$1" "$2" "${3:-$1}" "$matrix" "$file"
        turn=$1
        shift
        set -- "$@" "$turn"
    done
}

# ------------------------------------------------------------------ main ----

if [ $# -lt 2 ]; then
    skip "files across architectures" "one architecture alone"
    finish
fi
first=$1
shift
others=$*

# A real file, and sizes at which cells are short or there are none.
cat /usr/bin/* 2> /dev/null | head -c 3000001 > real
for bytes in 0 1 4095; do
    data $bytes "f$bytes"
done
for file in f0 f1 f4095; do
    compare_cells isal_cauchy $file
done
for matrix in $matrices; do
    compare_cells "$matrix" real
done
for file in f0 f1 f4095 real; do
    chains $file
done
finish
