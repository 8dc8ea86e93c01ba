# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2086,SC2154
# Part of unit/cli_test.sh: tests of the codes of packets and of words, whose cells consist of
# units.

# Prints a line for each code: K M W PACKETSIZE CELL MATRIX.  PACKETSIZE is 0 for words.
codes() {
    cat <<END
1 1 1 64 64 jerasure_cauchy_good
3 2 3 8 192 jerasure_cauchy_orig
4 3 8 8 128 jerasure_cauchy_orig
4 2 4 64 256 jerasure_cauchy_good
5 3 5 3 960 jerasure_cauchy_good
10 4 8 16 128 jerasure_cauchy_good
5 2 5 8 320 jerasure_liberation
7 2 7 64 448 jerasure_liberation
4 2 4 16 64 jerasure_blaum_roth
6 2 6 5 960 jerasure_blaum_roth
2 2 8 8 64 jerasure_liber8tion
8 2 8 1 64 jerasure_liber8tion
END
    has_words || return 0
    cat <<END
5 3 16 0 64 jerasure_van
4 2 32 0 128 jerasure_van
4 2 16 0 64 jerasure_r6
3 2 32 0 64 jerasure_r6
END
}

# The words in shards are little-endian, so the command supports them on such machines only.
has_words() {
    [ "$(printf '\1\0' | od -An -td2 | tr -d ' ')" = 1 ]
}

# for_codes TEST: calls the test for each code, or with less PXR_EFFORT for every fourth one, with
# $k, $m, $w, $unit, $cell, and the $options for encode.
for_codes() {
    codes | awk -v effort="${PXR_EFFORT:-100}" 'effort >= 100 || NR % 4 == 0' >list
    tried=0
    while read -r k m w packetsize cell matrix; do
        options="-k $k -m $m -w $w --cell $cell --matrix $matrix"
        [ "$packetsize" = 0 ] || options="$options --packetsize $packetsize"
        unit=$((packetsize > 0 ? w * packetsize : w / 8))
        echo "$options"
        rm -rf f g s o
        mkdir s
        $1 </dev/null
        tried=$((tried + 1))
    done <list
    [ "$tried" -gt 0 ] && [ "$tried" = "$(wc -l <list)" ]
}

# Makes a set of five stripes in ./s, and a copy in ./o.  The last stripe is short.
set_of_code() {
    data $((4 * k * cell + (k > 1 ? cell : 0) + 1)) f
    expect 0 "$PERMXOR" encode --no-sync $options -o s f
    cp -rp s o
}

# Prints the offset of a stripe's cell in a shard.
cell_of() { # STRIPE
    echo $((512 + $1 * (16 + cell) + 16))
}

# lose_shards FIRST: removes M shards of ./s, from FIRST on.  Shard 0 follows the last one.
lose_shards() {
    gone=0
    while [ $gone -lt $m ]; do
        rm "s/f.$(printf %03d $((($1 + gone) % (k + m)))).pxr"
        gone=$((gone + 1))
    done
}

# ----------------------------------------------------------------- round trip --

# Prints the length of a shard of a file of $bytes, as doc/format.md defines it.
shard_length() {
    [ $bytes -gt 0 ] || { echo 1024; return; }
    stripes=$(((bytes + k * cell - 1) / (k * cell)))
    rest=$((bytes - (stripes - 1) * k * cell))
    last=$(((rest + k * unit - 1) / (k * unit) * unit))
    echo $((1024 + (stripes - 1) * (16 + cell) + 16 + last))
}

lose_and_restore() {
    for bytes in 0 1 $((unit - 1)) $unit $((k * unit + 1)) $((k * cell)) \
        $((3 * k * cell - unit + 1)); do
        echo "$bytes bytes"
        rm -rf s o
        mkdir s
        data $bytes f
        expect 0 "$PERMXOR" encode --no-sync $options -o s f
        [ "$(size s/f.000.pxr)" = "$(shard_length)" ]
        cp -r s o
        for first in 0 $((bytes % (k + m))); do
            lose_shards $first
            expect 0 "$PERMXOR" decode --no-sync -f -o g s
            cmp f g
            expect 0 "$PERMXOR" repair --no-sync s
            same_files s o
        done
        expect 0 "$PERMXOR" verify --deep s
        says out "no damage"
    done
}

test_codes_lengths() {
    for_codes lose_and_restore
}

stream() {
    for bytes in 0 1 $((k * cell)) $((2 * k * cell + unit + 1)); do
        rm -f s/*
        data $bytes f
        cat f | expect 0 "$PERMXOR" encode --no-sync $options -j 3 -o s --name f -
        [ "$(size s/f.000.pxr)" = "$(shard_length)" ]
        lose_shards 0
        expect 0 "$PERMXOR" decode -j 3 -o - s
        cmp f out
    done
}

test_codes_streams() {
    for_codes stream
}

# Many stripes on several threads, with the default sizes, and with a file that has holes.
test_codes_threads() {
    data 3000000 f
    truncate -s 9000000 f
    for options in "-m 2 --matrix jerasure_liberation" "--matrix jerasure_cauchy_good"; do
        rm -rf s o g
        mkdir s
        expect 0 "$PERMXOR" encode -j 4 $options -o s f
        cp -r s o
        rm s/f.001.pxr s/f.005.pxr
        expect 0 "$PERMXOR" decode -j 4 -o g s
        cmp f g
        expect 0 "$PERMXOR" repair -j 4 s
        same_files s o
    done
}

test_codes_reader() {
    need_reader
    echo "SEED=$SEED"
    for_codes read_code
}

read_code() {
    rm -rf s
    for bytes in 0 $((k * unit + 1)) $((2 * k * cell + 1)); do
        data $bytes f
        read_rounds 2 $k $m --no-sync $options
    done
}

# --------------------------------------------------------------------- damage --

# Damages a cell in each of the first four stripes.  The first one is in shard 1.
spoil_cells() {
    for stripe in 0 1 2 3; do
        shard=$(printf %03d $(((stripe * 3 + 1) % (k + m))))
        flip s/f.$shard.pxr $(($(cell_of $stripe) + stripe * (cell - 1) / 3))
    done
}

heal() {
    set_of_code
    spoil_cells
    expect 1 "$PERMXOR" verify s
    grep -q "shard 001: s/f.001.pxr: .* corrupt cells (stripes 0" out
    expect 0 "$PERMXOR" decode --no-sync -o g s
    cmp f g
    expect 0 "$PERMXOR" repair --no-sync s
    same_files s o
    # A single bad cell is healed in place, also in the short last stripe.
    for stripe in 2 4; do
        flip s/f.001.pxr $(($(cell_of $stripe) + 1))
        stat -c %i s/f.001.pxr >before
        expect 1 "$PERMXOR" verify s
        says out "shard 001: s/f.001.pxr: 1 corrupt cells (stripes $stripe)"
        expect 0 "$PERMXOR" repair --no-sync s
        says out "f.001.pxr: 1 corrupt cells, healed in place"
        stat -c %i s/f.001.pxr >after
        cmp before after
        same_files s o
    done
    tidy
}

test_codes_damage() {
    for_codes heal
}

name_the_wrong_one() {
    [ $m -ge 2 ] || return 0
    set_of_code
    last=$(printf %03d $((k + m - 1)))
    "$FORGE" s/f.001.pxr cell 2
    "$FORGE" s/f.$last.pxr cell 4
    expect 0 "$PERMXOR" verify s
    expect 4 "$PERMXOR" verify --deep s
    says out "shard 001: s/f.001.pxr: WRONG, although its checksums are right: 1 cells"
    says out "shard $last: s/f.$last.pxr: WRONG"
    [ "$(grep -c WRONG out)" = 2 ]
    says out "stripes 2, 4"
}

test_codes_deep() {
    need_forge
    for_codes name_the_wrong_one
}

# If a stripe has too few intact cells, the intact data cells are still used.
salvage() {
    set_of_code
    shard=0
    while [ $shard -le $m ]; do
        flip "s/f.$(printf %03d $shard).pxr" "$(cell_of 1)"
        shard=$((shard + 1))
    done
    lost=$(((m + 1 < k ? m + 1 : k) * cell))
    expect 4 "$PERMXOR" decode -o g s
    absent g
    expect 4 "$PERMXOR" decode --salvage --no-sync -o g s
    says err "g: lost: $((k * cell))-$((k * cell + lost - 1)) ($lost bytes)"
    {
        head -c $((k * cell)) f
        head -c $lost /dev/zero
        tail -c +$((k * cell + lost + 1)) f
    } | cmp - g
}

test_codes_salvage() {
    for_codes salvage
}

read_directly() {
    set_of_code
    same_verdict 0
    flip s/f.001.pxr $(($(cell_of 4) + 1))
    same_verdict 1
    says out "1 corrupt cells (stripes 4)"
}

test_codes_direct() {
    need_direct
    for_codes read_directly
}

# The id depends on all values in the header.  So another w or packet size gives another id.
test_codes_reproducible() {
    data 5000 f
    mkdir s again
    options="-k 4 -m 2 --reproducible --no-sync --cell 1K --matrix jerasure_cauchy_good"
    expect 0 "$PERMXOR" encode $options -w 4 --packetsize 16 -o s f
    expect 0 "$PERMXOR" encode $options -w 4 --packetsize 16 -j 3 -o again f
    same_files s again
    "$PERMXOR" info s/f.003.pxr >out
    says out "set       $(id_by_the_book s/f.003.pxr)"
    id_of s/f.000.pxr >ids
    for other in "-w 8 --packetsize 16" "-w 4 --packetsize 32"; do
        expect 0 "$PERMXOR" encode -f $options $other -o again f
        id_of again/f.000.pxr >>ids
    done
    [ "$(sort -u ids | wc -l)" = 3 ]
}

# All later releases must write the same shards as this one.  Each line has the first 16 digits
# of the SHA-256 of all shards of a set, one after the other, and the options.
pinned() {
    cat <<END
581299cd825784c7 -k 4 -m 3 --cell 1K
93531afd6197ef36 -k 4 -m 3 --cell 1K --matrix isal_vand
b9ab71a278c0f11f -k 4 -m 3 --cell 1K --matrix jerasure_van
a6f3bb556dfa6e11 -k 4 -m 2 --cell 1K --matrix jerasure_r6
be42a0674a4475e3 -k 4 -m 3 --cell 1K --matrix klauspost_vand
fc0f3b6456dcc057 -k 10 -m 4
8606983874c483dd -k 4 -m 3 -w 5 --packetsize 3 --cell 960 --matrix jerasure_cauchy_orig
23ff8e6a5d47731f -k 10 -m 4 --packetsize 16 --cell 1K --matrix jerasure_cauchy_good
76c8344d1ba94039 -k 4 -m 2 -w 5 --packetsize 8 --cell 640 --matrix jerasure_liberation
4704b5c98c791676 -k 4 -m 2 -w 6 --packetsize 8 --cell 384 --matrix jerasure_blaum_roth
79741a3061ebba53 -k 5 -m 2 --packetsize 8 --cell 640 --matrix jerasure_liber8tion
END
    has_words || return 0
    cat <<END
13e5cff60e6e10e6 -k 4 -m 3 -w 16 --cell 1K --matrix jerasure_van
853bd428d0ffe8fe -k 4 -m 2 -w 32 --cell 1K --matrix jerasure_r6
END
}

test_codes_pinned() {
    seq 3000 | head -c 10000 >f
    pinned >wanted
    while read -r digest options; do
        rm -rf s
        mkdir s
        expect 0 "$PERMXOR" encode --reproducible --no-sync $options -o s f </dev/null
        echo "$(cat s/f.*.pxr | sha256sum | cut -c 1-16) $options"
    done <wanted >got
    diff wanted got
}

# -------------------------------------------------------------------- options --

# described CODE CELL OPTION...: succeeds if info and verify print this code and cell size for a
# set with these options.
described() {
    code=$1 bytes=$2
    shift 2
    rm -rf s
    mkdir s
    expect 0 "$PERMXOR" encode --no-sync "$@" -o s f
    expect 0 "$PERMXOR" info s/f.000.pxr
    grep -qx "  code      $code" out
    says out "with cells of $bytes bytes"
    expect 0 "$PERMXOR" verify s
    says out ": $code, 1000 bytes"
}

test_codes_defaults() {
    data 1000 f
    described "10+4 jerasure_cauchy_orig w=8 packetsize=1024" 262144 \
        --matrix jerasure_cauchy_orig
    described "3+2 jerasure_cauchy_good w=8 packetsize=2048" 262144 -k 3 -m 2 \
        --packetsize 2K --matrix jerasure_cauchy_good
    described "4+2 jerasure_liberation w=7 packetsize=1024" 265216 -k 4 -m 2 \
        --matrix jerasure_liberation
    described "10+2 jerasure_liberation w=11 packetsize=1024" 259072 -m 2 \
        --matrix jerasure_liberation
    described "5+2 jerasure_blaum_roth w=6 packetsize=1024" 264192 -k 5 -m 2 \
        --matrix jerasure_blaum_roth
    described "7+2 jerasure_blaum_roth w=10 packetsize=1024" 266240 -k 7 -m 2 \
        --matrix jerasure_blaum_roth
    described "8+2 jerasure_liber8tion w=8 packetsize=1024" 262144 -k 8 -m 2 \
        --matrix jerasure_liber8tion
    described "4+2 jerasure_blaum_roth w=4 packetsize=1" 262144 -k 4 -m 2 -w 4 \
        --packetsize 1 --matrix jerasure_blaum_roth
    described "4+2 jerasure_liberation w=5 packetsize=100000" 1000000 -k 4 -m 2 -w 5 \
        --packetsize 100000 --matrix jerasure_liberation
    described "4+2 jerasure_van" 262144 -k 4 -m 2 -w 8 --matrix jerasure_van
    has_words || return 0
    described "4+2 jerasure_van w=16" 262144 -k 4 -m 2 -w 16 --matrix jerasure_van
    described "4+2 jerasure_r6 w=32" 262144 -k 4 -m 2 --word 32 --matrix jerasure_r6
}

# refused TEXT OPTION...: succeeds if encode refuses these options with this text.
refused() {
    text=$1
    shift
    expect 2 "$PERMXOR" encode "$@" f
    says err "$text"
    absent f.000.pxr
}

test_codes_bad_options() {
    data 1000 f
    refused "--word: '0' is not a number from 1 to 257" -w 0
    refused "--word: '258' is not" -w 258
    refused "--packetsize: '0' is not a size from 1 to 64M" --packetsize 0
    refused "--packetsize: '65M' is not" --packetsize 65M
    refused "'custom_bits' is not a matrix" --matrix custom_bits
    refused "isal_cauchy has no packets" --packetsize 64
    refused "jerasure_van has no packets" -w 16 --packetsize 64 --matrix jerasure_van
    refused "isal_cauchy works on bytes" -w 16
    refused "w=4: words have 8, 16 or 32 bits" -k 4 -m 2 -w 4 --matrix jerasure_van
    refused "w=7: words have 8, 16 or 32 bits" -w 7 --matrix jerasure_van
    refused "a set has at most 256 shards" -k 200 -m 100 -w 16 --matrix jerasure_van
    expect 2 "$PERMXOR" bench -k 200 -m 100 -w 16 --matrix jerasure_van
    refused "m=4: jerasure_liberation needs m=2" --matrix jerasure_liberation
    refused "has at most 7 data shards" -k 8 -m 2 -w 7 --matrix jerasure_liberation
    refused "is MDS only if w is a prime number above 2" -k 8 -m 2 -w 9 \
        --matrix jerasure_liberation
    refused "is MDS only if w+1 is a prime number above 2" -k 2 -m 2 -w 7 \
        --matrix jerasure_blaum_roth
    refused "needs w=8" -k 4 -m 2 -w 7 --matrix jerasure_liber8tion
    refused "has at most 8 data shards" -k 9 -m 2 --matrix jerasure_liber8tion
    refused "has at most 8 shards" -k 6 -m 3 -w 3 --matrix jerasure_cauchy_orig
    refused "needs w from 1 to 32" -w 33 --matrix jerasure_cauchy_good
    refused "at most w*(k+m)=2048 packets are possible" -k 60 -m 2 --matrix jerasure_liberation
    refused "encode: --cell: 4096 is not a multiple of 7168" -k 4 -m 2 --cell 4K \
        --matrix jerasure_liberation
    refused "a unit of 83886080 bytes needs a cell of at least" -w 8 --packetsize 10M \
        --matrix jerasure_cauchy_good
    refused "a unit of 8000001 bytes needs a cell of at least 512000064 bytes" -w 3 -k 4 \
        --packetsize 2666667 --matrix jerasure_cauchy_good
    expect 2 "$PERMXOR" tune --matrix jerasure_liberation
    says err "is a matrix of packets"
    expect 2 "$PERMXOR" bench --matrix jerasure_cauchy_good --packetsize 10M
    says err "bench: --packetsize: a unit of 83886080 bytes"
    expect 2 "$PERMXOR" decode -w 8 f
    has_words || return 0
    refused "m=4: jerasure_r6 needs m=2" -w 16 --matrix jerasure_r6
}

test_codes_bench() {
    bench="$PERMXOR bench -k 4 -m 2 --time 0.02"
    expect 0 $bench --matrix jerasure_liberation
    says out "4+2 jerasure_liberation w=7 packetsize=1024, shards of 64512 bytes"
    expect 0 $bench --matrix jerasure_cauchy_good -w 4 --packetsize 2K --len 16K
    says out "4+2 jerasure_cauchy_good w=4 packetsize=2048, shards of 16384 bytes"
    expect 2 $bench --matrix jerasure_cauchy_good --len 1000
    says err "--len: 1000 is not a multiple of 8192"
    has_words || return 0
    expect 0 $bench --matrix jerasure_van -w 16
    says out "4+2 jerasure_van w=16, shards of 65536 bytes"
}

# -------------------------------------------------------------------- hostile --

# senseless OFFSET:BYTES...: succeeds if a shard is not usable with any of these changes in its
# header.
senseless() {
    for patch in "$@"; do
        cp o/f.002.pxr s/f.002.pxr
        "$FORGE" s/f.002.pxr "${patch%:*}" "${patch#*:}"
        expect 1 "$PERMXOR" verify s
        says err "s/f.002.pxr: not usable: the header has values that are not valid"
        expect 0 "$PERMXOR" decode -f --no-sync -o g s
        cmp f g
    done
}

# The headers have words of 1, 4, 8 and 64 bits, words of matrices without words, and no flag.
test_codes_senseless_words() {
    need_forge
    has_words || cannot "the words of shards need a little-endian machine"
    data 5000 f
    mkdir s
    expect 0 "$PERMXOR" encode -k 4 -m 2 --cell 640 -w 16 -o s --matrix jerasure_van f
    cp -r s o
    senseless 360:01000000 360:04000000 360:08000000 360:40000000 36:0000 36:0100 36:0400 \
        36:0600 12:00000000
}

# The headers have these errors: a w or a packetsize that the matrix does not have; a unit of 0
# bytes, of 2^32 bytes and more, larger than the cell, or that does not divide the cell; w or
# packetsize without the flag; the number of another code; other bytes than 0 after the fields.
test_codes_senseless_headers() {
    need_forge
    data 5000 f
    mkdir s
    expect 0 "$PERMXOR" encode -k 4 -m 2 --cell 640 -w 5 --packetsize 8 -o s \
        --matrix jerasure_liberation f
    cp -r s o
    senseless 360:00000000 360:0000000000000000 364:00000000 360:0000010000000100 \
        360:ffffffffffffffff 360:0000008002000000 364:00010000 360:03000000 12:00000000 \
        36:0000 36:0200 36:0500 36:0b00 36:ffff 368:01
    cp o/f.002.pxr s/f.002.pxr
    "$FORGE" s/f.002.pxr 12 03000000
    expect 1 "$PERMXOR" verify s
    says err "s/f.002.pxr: not usable: made with a format extension"
    # Format 1 has no flags.
    cp o/f.002.pxr s/f.002.pxr
    "$FORGE" s/f.002.pxr 8 01000000
    expect 1 "$PERMXOR" verify s
    says err "s/f.002.pxr: not usable: made with a format extension"
    # With another unit that fits, the header is valid.  But then it is the only shard of this
    # code.
    cp o/f.002.pxr s/f.002.pxr
    "$FORGE" s/f.002.pxr 364 10000000
    expect 1 "$PERMXOR" verify s
    says err "s/f.002.pxr: not usable: its header contradicts those of most shards of the set"
}

# If all shards have a code that the library refuses, the command prints the library's message.
test_codes_refused() {
    need_forge
    data 5000 f
    mkdir s
    expect 0 "$PERMXOR" encode -k 4 -m 2 --cell 1K -w 4 --packetsize 8 -o s \
        --matrix jerasure_blaum_roth f
    forge_all 360 08000000
    expect_refusal "jerasure_blaum_roth is MDS only if w+1 is a prime number above 2"
    forge_all 36 0800
    expect_refusal "jerasure_liberation is MDS only if w is a prime number above 2"
    forge_all 360 0200000008000000
    expect_refusal "k=4: jerasure_liberation with w=2 has at most 2 data shards"
    forge_all 360 0002000001000000
    expect_refusal "w=512: a unit has 1 to 257 packets"
    # Words of another matrix, whose words do not work with this m.
    forge_all 36 0300
    forge_all 360 1000000000000000
    forge_all 32 03000300
    if has_words; then
        expect_refusal "m=3: jerasure_r6 needs m=2"
    else
        expect_refusal "words of shards are little-endian"
    fi
}

expect_refusal() { # TEXT
    for command in "decode -o -" verify repair; do
        expect 5 "$PERMXOR" $command s
        says err "$1"
    done
}
