# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: unit/format_reader.py, which was written from doc/format.md alone,
# has to restore the files that the command has encoded.

# Sets $python to a python3 with xxhash.  The first python3 in PATH may not have this module.
need_reader() {
    for python in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
        "$python" -c 'import xxhash; xxhash.xxh3_128' 2>/dev/null && return
    done
    cannot "no python3 with xxhash (python3-xxhash)"
}

# reads SHARD...: succeeds if the reader restores ./f from these shards, and prints the
# attributes of ./f.
reads() {
    rm -f g
    expect 0 "$python" -B "$tests/format_reader.py" g "$@"
    cmp f g
    grep -qx -e "sha256 -" -e "sha256 $(sha256sum <f | cut -d ' ' -f 1)" out
    grep -qx -e "mode -" -e "mode $(stat -c %a f)" out
    grep -qx -e "time -" -e "time $(stat -c %.9Y f)" out
}

refuses() { # TEXT SHARD...: succeeds if the reader refuses these shards with this text
    text=$1
    shift
    rm -f g
    expect 1 "$python" -B "$tests/format_reader.py" g "$@"
    says err "$text"
    absent g
}

# lose K M ROUND: removes up to M random shards of ./s.  Then it damages a cell in some of the
# other shards, but in no more than can still be restored.
lose() {
    awk -v k="$1" -v m="$2" -v seed=$((SEED * 100 + $3)) 'BEGIN {
        srand(seed)
        gone = int(rand() * (m + 1))
        for (i = 0; i < m; i++) {
            do shard = int(rand() * (k + m)); while (shard in drawn)
            drawn[shard] = 1
            printf "%s f.%03d.pxr %d\n", i < gone ? "gone" : "bad", shard, rand() * 1000000
        }
    }' >losses
    cat losses
    while read -r what shard number; do
        records=$(($(size "s/$shard") - 1024))
        if [ "$what" = gone ]; then
            rm "s/$shard"
        elif [ $records -gt 0 ]; then
            flip "s/$shard" $((512 + number % records))
        fi
    done <losses
}

# read_rounds ROUNDS K M OPTION...: encodes ./f, and restores it after random losses.
read_rounds() {
    rounds=$1 k=$2 m=$3
    shift 3
    mkdir o
    expect 0 "$PERMXOR" encode -k "$k" -m "$m" "$@" -o o f
    reads o/*
    round=0
    while [ $round -lt "$rounds" ]; do
        round=$((round + 1))
        rm -rf s
        cp -r o s
        lose "$k" "$m" $round
        reads s/*
    done
    rm -rf o
}

test_reader_matrices() {
    need_reader
    echo "SEED=$SEED"
    data 3000 f
    read_rounds 3 4 2 --cell 64 --matrix jerasure_r6
    for matrix in isal_cauchy isal_vand jerasure_van klauspost_vand; do
        echo "$matrix"
        read_rounds 3 5 3 --cell 128 --matrix $matrix
    done
}

test_reader_shapes() {
    need_reader
    echo "SEED=$SEED"
    data 50000 f
    read_rounds 1 1 1 --cell 64
    read_rounds 2 1 4 --cell 4K --matrix klauspost_vand
    read_rounds 2 10 4
    read_rounds 2 20 6 --cell 1K --matrix jerasure_van
    read_rounds 1 200 55 --cell 64
}

test_reader_lengths() {
    need_reader
    echo "SEED=$SEED"
    for bytes in 0 1 2 3 191 192 193 383 384 385 1000; do
        echo "$bytes bytes"
        data $bytes f
        read_rounds 1 3 2 --cell 64
    done
}

test_reader_attributes() {
    need_reader
    data 1000 f
    chmod 641 f
    touch -d '1969-12-31 23:59:58.25 UTC' f
    read_rounds 1 3 2 --cell 64
}

# Version 1 has no attributes.  It has zeros in their place.
test_reader_older_version() {
    need_reader
    need_forge
    small_set
    zeros=$(printf '%0386d' 0)
    for shard in s/*; do
        "$FORGE" "$shard" 8 01000000
        "$FORGE" "$shard" 303 "$zeros"
    done
    rm s/f.00[03].pxr
    reads s/*
    says out "version 1"
    expect 0 "$PERMXOR" decode -f -o g s
    cmp f g
}

test_reader_headers() {
    need_reader
    small_set
    rm s/f.005.pxr
    flip s/f.000.pxr 100
    flip s/f.001.pxr $(($(size s/f.001.pxr) - 100))
    flip s/f.002.pxr 20
    flip s/f.002.pxr $(($(size s/f.002.pxr) - 400))
    echo more >>s/f.003.pxr
    mv s/f.004.pxr s/other.name
    reads s/*
    # The last stripe of the shard is cut off, so the reader needs shard 4.
    head -c 1100 o/f.001.pxr >s/f.001.pxr
    reads s/*
}

test_reader_copies() {
    need_reader
    small_set
    rm s/f.00[45].pxr
    flip s/f.000.pxr "$(cell 1)"
    cp o/f.000.pxr s/copy.pxr
    flip s/copy.pxr "$(cell 3)"
    reads s/*
}

test_reader_refuses() {
    need_reader
    need_forge
    small_set
    refuses "no shard has a header" f
    rm s/f.00[023].pxr
    refuses "stripe 0 has 3 intact cells of 4" s/*
    # A cell with another shard's name or at another place is not valid.
    cp o/f.001.pxr s/f.000.pxr
    refuses "stripe 0 has 3 intact cells of 4" s/*
    cp o/* s
    mkdir t
    expect 0 "$PERMXOR" encode -k 4 -m 2 --cell 64 -o t f
    refuses "shards of several sets" s/* t/f.000.pxr
    "$FORGE" s/f.000.pxr 48 01
    reads s/*
    refuses "the headers contradict each other" s/f.00[01].pxr
    "$FORGE" s/f.000.pxr 12 01
    refuses "no shard has a header" s/f.000.pxr
}
