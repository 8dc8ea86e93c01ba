#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests that all architectures write the same shards.
#
#   cross_files.sh PERMXOR=SET...
#
# Each PERMXOR is the command for one architecture, and SET is the kernel set that this command
# has to choose.  The script compares all cells of all shards byte for byte.  Then each command
# in turn encodes a file, the next command repairs the shards, and the one after that decodes
# them.

: "${top_srcdir:?}"
. "$top_srcdir/unit/cli_lib.sh"
. "$top_srcdir/unit/suite.sh" # after cli_lib.sh, because sums.sh sets the counts
unset PERMXOR_KERNELS

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-cross.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 1

# There are five data shards.  jerasure_r6 has two parity shards by definition, and the others
# have three here.
matrices="isal_cauchy isal_vand jerasure_van klauspost_vand jerasure_r6 jerasure_cauchy_good"

parity_of() {
    [ "$1" = jerasure_r6 ] && echo 2 || echo 3
}

# packets_of MATRIX: prints the option for a packet size that fits the cells, if the matrix
# needs one.
packets_of() {
    [ "$1" != jerasure_cauchy_good ] || echo --packetsize=64
}

# check NAME FUNCTION ARGUMENTS...: passes if every command of the function succeeds.
check() {
    what=$1
    shift
    # The subshell is not in a condition, because a condition would switch -e off.
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
    # shellcheck disable=SC2046 # an option or none
    "$1" encode -q --no-sync -k 5 -m "$(parity_of "$2")" --matrix="$2" $(packets_of "$2") \
        --cell "$3" -o "$5" "$4"
}

# ------------------------------------------------------------------ sets ----

# chooses PERMXOR SET: succeeds if the command chooses this set.
chooses() {
    "$1" info > info
    set -- "$2" "$(awk '$2 == "selected" { print $1 }' info)"
    [ "$1" = "$2" ] || { echo "it chooses $2, not $1"; return 1; }
}

# ----------------------------------------------------------------- cells ----

# cell_of SHARD: prints the cell of a shard with one stripe.  The cell is between the checksum,
# which is behind the header, and the trailer.  Set ids are random and checksums depend on them,
# so only the cell can be compared.
cell_of() {
    tail -c +529 "$1" | head -c -512
}

# cells PERMXOR MATRIX FILE FOLDER: encodes the file and writes the cells of all shards to
# FOLDER.
cells() {
    encode "$1" "$2" 1M "$3" shards
    mkdir "$4"
    for shard in shards/*; do
        cell_of "$shard" > "$4/$(basename "$shard")"
        [ -s "$4/$(basename "$shard")" ] || { echo "no cell in $shard"; return 1; }
    done
}

# same_cells PERMXOR MATRIX FILE: succeeds if the cells are those of the first command.
same_cells() {
    cells "$1" "$2" "$3" other-cells
    same_files first-cells other-cells
}

# compare_cells MATRIX FILE: compares the cells of all commands.
compare_cells() {
    check "cells of $2 $1" cells "$first" "$1" "$2" first-cells
    rm -rf shards
    for permxor in $others; do
        check "cells of $2 $1, $(basename "$permxor")" same_cells "$permxor" "$1" "$2"
        rm -rf shards other-cells
    done
    rm -rf first-cells
}

# ---------------------------------------------------------------- chains ----

# parity_again PERMXOR: if all parity shards are missing, repair does what encode does, with the
# same set id.  So each shard must be the same as before, byte for byte.
parity_again() {
    rm copy/*.00[5-7].pxr
    "$1" repair -q copy
    same_files set copy
}

# lost_again PERMXOR MATRIX: loses as many shards as there are parity shards, and repairs.
lost_again() {
    rm copy/*.001.pxr copy/*.006.pxr
    [ "$(parity_of "$2")" -eq 2 ] || rm copy/*.004.pxr
    "$1" repair -q copy
    same_files set copy
}

damage() {
    flip "$1" $(($(size "$1") / 2))
}

# decoded PERMXOR MATRIX FILE: loses and damages as many shards as there are parity shards, and
# decodes.
decoded() {
    rm copy/*.000.pxr
    damage copy/*.003.pxr
    [ "$(parity_of "$2")" -eq 2 ] || damage copy/*.005.pxr
    "$1" decode -q -f -o decoded copy
    sha256sum < decoded > got
    sha256sum < "$3" > want
    cmp got want
}

damage_repaired() {
    "$1" repair -q copy
    same_files set copy
}

# chain ENCODER REPAIRER DECODER MATRIX FILE: lets each of three commands do one job.
chain() {
    title="$5 $4: $(basename "$1"), $(basename "$2"), $(basename "$3")"
    check "$title: encode" encode "$1" "$4" 4K "$5" set
    cp -r set copy
    check "$title: parity again" parity_again "$2"
    check "$title: lost shards again" lost_again "$2" "$4"
    check "$title: decode" decoded "$3" "$4" "$5"
    check "$title: damage repaired" damage_repaired "$3"
    rm -rf set copy decoded
}

# nth N WORD...: prints word N, counted from 0.  The first word follows the last one.
nth() {
    word=$1
    shift
    shift $((word % $#))
    echo "$1"
}

# chains NUMBER FILE: runs chains with each command in each role, and with each matrix.  NUMBER
# is the number of the file.  It shifts the matrices, so with each file a command meets others.
chains() {
    # shellcheck disable=SC2086 # lists
    for turn in $turns; do
        chain "$(nth $turn $first $others)" "$(nth $((turn + 1)) $first $others)" \
            "$(nth $((turn + 2)) $first $others)" "$(nth $((turn + $1)) $matrices)" "$2"
    done
}

# ------------------------------------------------------------------ main ----

if [ $# -lt 2 ]; then
    skip "files across architectures" "needs two architectures"
    finish
fi
turns="0 1 2 3 4 5" # there are six matrices
[ $# -le 6 ] || turns=$(seq -s ' ' 0 $(($# - 1)))
first=
others=
for argument; do
    permxor=${argument%=*}
    echo "$(basename "$permxor") has to choose ${argument##*=}"
    check "set of $(basename "$permxor")" chooses "$permxor" "${argument##*=}"
    [ -z "$first" ] || others="$others $permxor"
    : "${first:=$permxor}"
done

# There is a real file, and there are files so short that cells are short or missing.
cat /usr/bin/* 2> /dev/null | head -c 3000001 > real
for bytes in 0 1 4095; do
    data $bytes "f$bytes"
done
for file in f1 f4095; do
    compare_cells isal_cauchy $file
done
for matrix in $matrices; do
    compare_cells "$matrix" real
done
number=0
for file in f0 f1 f4095 real; do
    chains $number $file
    number=$((number + 1))
done
finish
