# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2086,SC2154
# Part of unit/cli_test.sh: tests of `permxor hash`.  It also has what the other tests of hashes
# share: cli_hashes.sh and cli_hash_lines.sh.

# Each shard of ./s goes to a folder of its own, as on machines of their own: ./0 to ./5.
separate() {
    rm -rf [0-9]
    for shard in s/*.pxr; do
        index=${shard%.pxr}
        index=${index##*.00}
        mkdir $index
        mv $shard $index
    done
}

# hash_all OPTION...: each machine hashes what it holds; the output is in ./0.txt to ./5.txt.
hash_all() {
    rm -f [0-9].txt
    for folder in [0-9]; do
        expect 0 "$PERMXOR" hash "$@" $folder
        mv out $folder.txt
    done
}

# A small set in separate folders.
separate_set() {
    small_set
    separate
}

# hash_all_but FOLDER: with hashes of stripes.
hash_all_but() {
    for folder in [0-5]; do
        [ $folder != $1 ] || continue
        expect 0 "$PERMXOR" hash --stripes $folder
        mv out $folder.txt
    done
}

need_python() {
    python3 -c 'import hashlib' || cannot "no python3"
}

# -------------------------------------------------------------------- the lines --

# as_by_the_book SIZE KEY: succeeds if the lines of the shards in ./s are those that doc/hash.md
# defines.
as_by_the_book() {
    python3 -B "$tests/cli_hash.py" $1 $2 s/*.pxr >expected
    key_option=
    [ $2 = none ] || key_option="--key $2"
    for threads in 1 3; do
        expect 0 "$PERMXOR" hash --size $1 $key_option --stripes -j $threads s/*.pxr
        cmp out expected
    done
    grep stripe=whole expected >whole
    expect 0 "$PERMXOR" hash --size $1 $key_option s
    cmp out whole
}

test_hash_by_the_book() {
    need_python
    for bytes in 0 1 1000 1025; do
        echo "$bytes bytes"
        rm -rf s
        mkdir s
        data $bytes f
        expect 0 "$PERMXOR" encode -k 4 -m 2 --cell 64 -o s f
        for key in 00c0ffee 00c0ffee11223344 00c0ffee112233445566778899aabbcc; do
            as_by_the_book $((${#key} / 2)) $key
            as_by_the_book $((${#key} / 2)) none
        done
    done
}

test_hash_by_the_book_with_packets() {
    need_python
    for options in "-k 3 -m 2 -w 3 --packetsize 8 --cell 192 --matrix jerasure_cauchy_orig" \
        "-k 4 -m 2 -w 4 --packetsize 16 --cell 64 --matrix jerasure_blaum_roth" \
        "-k 2 -m 2 --packetsize 1 --cell 64 --matrix jerasure_liber8tion"; do
        rm -rf s
        mkdir s
        data 1300 f
        expect 0 "$PERMXOR" encode $options -o s f
        as_by_the_book 4 none
        as_by_the_book 8 1122334455667788
    done
}

# ----------------------------------------- damaged shards, and what is no shard --

test_hash_of_damaged_shards() {
    separate_set
    flip 1/f.001.pxr "$(cell 5)"
    hash_all_but 1
    expect 1 "$PERMXOR" hash --stripes 1
    says err "permxor: 1/f.001.pxr: 1 corrupt cells (stripes 5)"
    [ "$(grep -c 'hash=damaged' out)" = 2 ]
    says out " stripe=5 size=8 key=none bytes=64 hash=damaged"
    says out " stripe=whole size=8 key=none bytes=500 hash=damaged"
    mv out 1.txt
    expect 1 "$PERMXOR" verify --hashes [0-5].txt
    says out "shard 001: 1.txt:9: 1 corrupt cells (stripes 5)"
    [ "$(grep -c ': ok$' out)" = 5 ]
    says out "damaged; use 'permxor repair'"
    expect 1 "$PERMXOR" hash 1
    [ "$(grep -c 'hash=damaged' out)" = 1 ]
    mv out 1.txt
    expect 1 "$PERMXOR" verify --hashes [0-5].txt
    says out "shard 001: 1.txt:1: corrupt cells"
    # A good copy counts, and the bad one does not.
    cp o/f.001.pxr 1/copy.pxr
    expect 1 "$PERMXOR" hash 1
    mv out 1.txt
    expect 0 "$PERMXOR" verify --hashes [0-5].txt
}

test_hash_of_headers_and_lengths() {
    small_set
    flip s/f.000.pxr 3
    flip s/f.001.pxr $(($(size s/f.001.pxr) - 3))
    head -c 700 o/f.002.pxr >s/f.002.pxr
    echo more >>s/f.003.pxr
    expect 1 "$PERMXOR" hash --stripes s
    says err "s/f.000.pxr: damaged header"
    says err "s/f.001.pxr: damaged trailer"
    says err "s/f.002.pxr: damaged trailer, cut short, 6 corrupt cells (stripes 2, 3, 4, 5, 6, 7)"
    says err "s/f.003.pxr: damaged trailer, bytes after the end"
    # Shard 2 has lines of two intact stripes, of two damaged ones, and of the whole shard.
    [ "$(grep -c ' shard=2 ' out)" = 5 ]
    mv out hashes
    expect 1 "$PERMXOR" verify --hashes hashes
    says out "shard 002: hashes:23: 6 corrupt cells (stripes 2, 3, 4, 5, 6, 7)"
    [ "$(grep -c ': ok$' out)" = 5 ]
}

test_hash_of_what_is_no_shard() {
    small_set
    echo text >s/text.pxr
    expect 1 "$PERMXOR" hash s nothing
    says err "s/text.pxr: not usable: not a permxor shard"
    says err "nothing: not usable: No such file or directory"
    [ "$(wc -l <out)" = 6 ]
    expect 3 "$PERMXOR" hash s/f.000.pxr nothing
    [ "$(wc -l <out)" = 1 ]
    expect 3 "$PERMXOR" hash nothing
    says err "no usable shard"
    expect 5 "$PERMXOR" hash s/text.pxr
    # What a killed command has left is not hashed.
    mv s/f.001.pxr s/.permxor-0123456789abcdef.tmp
    rm s/text.pxr
    expect 1 "$PERMXOR" hash s
    says err "s/.permxor-0123456789abcdef.tmp: not hashed: an interrupted command has left it"
    [ "$(wc -l <out)" = 5 ]
}

# A shard that another command replaces is not judged by the header of the old one, even if the
# file keeps its inode.
test_hash_of_replaced_shards() {
    small_set
    mkdir many t
    data 300000 g
    expect 0 "$PERMXOR" encode -k 1 -m 1 --cell 64 -o many g
    expect 0 "$PERMXOR" encode -k 4 -m 2 --cell 64 -o t f
    mkfifo lines
    (
        status=0
        "$PERMXOR" hash --stripes many s >lines 2>err || status=$?
        echo $status >status
    ) &
    {
        read -r line # all files have been examined, and the pipe is full before ./s is read
        cat t/f.000.pxr >s/f.000.pxr
        cat >out
    } <lines
    wait $!
    [ "$(cat status)" = 3 ]
    says err "s/f.000.pxr: changed while the command ran; hash it again"
    [ "$(wc -l <err)" = 1 ]
}

test_hash_past_the_cache() {
    need_shim
    need_direct
    small_set
    expect 0 "$PERMXOR" hash s
    mv out cached
    expect 3 with_fault cached none "$PERMXOR" hash s
    expect 0 with_fault cached none "$PERMXOR" hash --direct s
    cmp out cached
}

# ----------------------------------------------------------------- command line --

test_hash_usage() {
    small_set
    for options in "--size 5" "--size 0" "--size 16x" "--key 01" "--key 0011223344556677x" \
        "--key 001122334455667" "--size 4 --key 0011223344556677" "--unknown"; do
        expect 2 "$PERMXOR" hash $options s
        says err "permxor: "
        [ ! -s out ]
    done
    expect 2 "$PERMXOR" hash --key 0000000000000000 s
    says err "hash: --key: the key is in a smaller field; use other random bytes"
    expect 2 "$PERMXOR" hash
    says err "hash: no shards given"
    expect 2 "$PERMXOR" verify --hashes
    says err "verify: --hashes: no files given"
    expect 2 "$PERMXOR" verify --hashes --deep s
    says err "verify: --hashes: omit --deep"
    expect 2 "$PERMXOR" verify --hashes --direct s
    says err "verify: --hashes: omit --direct"
    expect 0 "$PERMXOR" hash --key 00112233AABBCCDD s
    mv out upper
    expect 0 "$PERMXOR" hash --key 00112233aabbccdd s
    cmp out upper
}
