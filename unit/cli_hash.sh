# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2086,SC2154
# Part of unit/cli_test.sh: tests of linear hashes of shards, and of checking sets from them.

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

# ------------------------------------------------------------------- the lines --

need_python() {
    python3 -c 'import hashlib' || cannot "no python3"
}

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

# ------------------------------------------------------------------- agreement --

test_hashes_agree() {
    separate_set
    for options in "" "--stripes" "--size 4" "--size 16 --stripes" "--key 0123456789abcdef"; do
        hash_all $options
        expect 0 "$PERMXOR" verify --hashes [0-5].txt
        says out "set "
        says out ": 4+2 isal_cauchy, 2000 bytes in 8 stripes"
        [ "$(grep -c '^shard 00[0-5]: [0-5].txt:[19]: ok$' out)" = 6 ]
        says out "no damage"
        cat [0-5].txt | expect 0 "$PERMXOR" verify --hashes -
        says out "shard 003: standard input:"
        # The same lines twice, in another order.
        expect 0 "$PERMXOR" verify --hashes 5.txt 3.txt [0-4].txt
        says out "no damage"
        expect 0 "$PERMXOR" verify --hashes --quiet [0-5].txt
        [ ! -s out ] && [ ! -s err ]
    done
}

agree_in_code() {
    set_of_code
    for size in 4 8 16; do
        case $matrix-$w in
        *_van-* | *_r6-*)
            expect 5 "$PERMXOR" hash --size $size s
            says err "s/f.000.pxr: cannot be hashed: its code works on words"
            [ ! -s out ]
            continue
            ;;
        esac
        expect 0 "$PERMXOR" hash --size $size --stripes s
        mv out hashes
        expect 0 "$PERMXOR" verify --hashes hashes
        says out "no damage"
        # One shard is left out, and the others still prove that they belong together.
        last=$((k + m - 1))
        for shard in 0 $last; do
            grep -v " shard=$shard " hashes >others
            expect 1 "$PERMXOR" verify --hashes others
            says out "shard $(printf %03d $shard): no hash"
            says out "incomplete"
            [ $m -lt 2 ] || [ "$(grep -c ': ok$' out)" = $last ]
        done
    done
}

test_hashes_of_codes() {
    for_codes agree_in_code
}

# The shards of several sets in one folder are hashed together.
test_hashes_of_several_sets() {
    small_set
    data 500 g
    expect 0 "$PERMXOR" encode -k 2 -m 2 --matrix klauspost_vand -o s g
    expect 0 "$PERMXOR" hash s
    [ "$(wc -l <out)" = 10 ]
    mv out hashes
    expect 0 "$PERMXOR" verify --hashes hashes
    [ "$(grep -c '^no damage' out)" = 2 ]
    set=$(id_of s/g.000.pxr)
    grep -v "set=$set.* shard=2 " hashes >some
    expect 1 "$PERMXOR" verify -q --hashes some
    [ "$(grep -c '^set ' out)" = 1 ]
    says out "set $set: 2+2"
    expect 0 "$PERMXOR" verify --set "$(id_of s/f.000.pxr)" --hashes some
    expect 5 "$PERMXOR" verify --set 0123 --hashes some
    says err "no hash of set 0123"
}

# ---------------------------------------------------------------- wrong shards --

test_hashes_name_the_wrong_shard() {
    need_forge
    for options in "" "--size 4" "--size 16" "--key 00112233445566778899aabbccddeeff --size 16"; do
        rm -rf s o
        separate_set
        "$FORGE" 2/f.002.pxr cell 3
        hash_all $options
        expect 4 "$PERMXOR" verify --hashes [0-5].txt
        says out "shard 002: 2.txt:1: WRONG, although its checksums are right: its hash does not"
        [ "$(grep -c WRONG out)" = 1 ]
        [ "$(grep -c ': ok$' out)" = 5 ]
        says out "NOT REPAIRABLE: the shards do not belong together"
        says out "move shard 002 away; then 'permxor repair' writes it again"
        expect 4 "$PERMXOR" verify -q --hashes [0-5].txt
        says out "WRONG"
    done
    rm 2/f.002.pxr
    expect 0 "$PERMXOR" repair -o 2 [0-5]
    hash_all
    expect 0 "$PERMXOR" verify --hashes [0-5].txt
    cmp 2/f.002.pxr o/f.002.pxr
}

# With hashes of stripes, more than one wrong shard can be named.
test_hashes_name_wrong_stripes() {
    need_forge
    separate_set
    "$FORGE" 1/f.001.pxr cell 3
    "$FORGE" 5/f.005.pxr cell 6
    "$FORGE" 5/f.005.pxr cell 7
    hash_all
    expect 4 "$PERMXOR" verify --hashes [0-5].txt
    silent out WRONG
    says out "more than one shard is wrong"
    hash_all --stripes
    expect 4 "$PERMXOR" verify --hashes [0-5].txt
    says out "shard 001: 1.txt:9: WRONG, although its checksums are right: 1 cells do not match"
    says out "(stripes 3)"
    says out "shard 005: 5.txt:9: WRONG, although its checksums are right: 2 cells do not match"
    says out "(stripes 6, 7)"
    says out "right (stripes 3, 6, 7)"
    [ "$(grep -c WRONG out)" = 2 ]
    silent out "move shard"
    "$FORGE" 2/f.002.pxr cell 3
    hash_all --stripes
    expect 4 "$PERMXOR" verify --hashes [0-5].txt
    says out "more than one shard is wrong"
    # Without all hashes, a wrong shard is found, but not named.
    rm 1.txt 5.txt
    hash_all
    expect 4 "$PERMXOR" verify --hashes [1-5].txt
    says out "too few hashes are there to find the wrong one"
    says out "shard 000: no hash"
}

# Nobody is told to move a shard away while others are damaged.
test_hashes_of_wrong_and_damaged_shards() {
    need_forge
    small_set
    "$FORGE" s/f.002.pxr cell 3
    flip s/f.001.pxr "$(cell 5)"
    expect 1 "$PERMXOR" hash --stripes s
    mv out hashes
    expect 4 "$PERMXOR" verify --hashes hashes
    says out "shard 001: hashes:18: 1 corrupt cells (stripes 5)"
    says out "shard 002: hashes:27: WRONG"
    silent out "move shard"
    # The hashes of whole shards tell that one is wrong, but not which.
    grep stripe=whole hashes >whole
    expect 4 "$PERMXOR" verify --hashes whole
    says out "shard 001: whole:2: corrupt cells"
    says out "too few hashes are there to find the wrong one"
}

test_hashes_with_one_parity_shard() {
    need_forge
    data 1000 f
    mkdir s
    expect 0 "$PERMXOR" encode -k 4 -m 1 --cell 64 -o s f
    expect 0 "$PERMXOR" hash s
    mv out hashes
    expect 0 "$PERMXOR" verify --hashes hashes
    "$FORGE" s/f.004.pxr cell 0
    expect 0 "$PERMXOR" hash s
    mv out hashes
    expect 4 "$PERMXOR" verify --hashes hashes
    says out "one parity shard is too few to find the wrong shard"
}

wrong_in_code() {
    set_of_code
    "$PERMXOR" hash --stripes s >hashes || return 0
    "$FORGE" s/f.000.pxr cell 4
    expect 0 "$PERMXOR" hash --stripes s
    mv out hashes
    expect 4 "$PERMXOR" verify --hashes hashes
    says out "(stripes 4)"
    [ $m -lt 2 ] || says out "shard 000: hashes:6: WRONG"
}

test_wrong_shards_of_codes() {
    need_forge
    for_codes wrong_in_code
}

# ------------------------------------------------------- damaged, missing shards --

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

# hash_all_but FOLDER: with hashes of stripes.
hash_all_but() {
    for folder in [0-5]; do
        [ $folder != $1 ] || continue
        expect 0 "$PERMXOR" hash --stripes $folder
        mv out $folder.txt
    done
}

# Every shard has a corrupt cell, each in another stripe.
test_hashes_where_every_shard_is_damaged() {
    small_set
    for shard in 0 1 2 3 4 5; do
        flip s/f.00$shard.pxr "$(cell $shard)"
    done
    expect 1 "$PERMXOR" hash --stripes s
    mv out hashes
    expect 1 "$PERMXOR" verify --hashes hashes
    says out "shard 004: hashes:45: 1 corrupt cells (stripes 4)"
    silent out "NOT REPAIRABLE"
    # Now stripe 5 has too few.
    flip s/f.000.pxr "$(cell 5)"
    flip s/f.001.pxr "$(cell 5)"
    expect 1 "$PERMXOR" hash --stripes s
    mv out hashes
    expect 4 "$PERMXOR" verify --hashes hashes
    says out "NOT REPAIRABLE: 1 stripes have fewer than 4 intact cells (stripes 5)"
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

# Stripes that no file has are lost, although there are no lines of them.
test_hashes_of_shards_cut_short() {
    small_set
    for bytes in 600 592 512; do
        truncate -s $bytes s/f.00[0-5].pxr
        lost=$((bytes < 592 ? 8 : 7))
        expect 1 "$PERMXOR" hash --stripes s
        mv out hashes
        expect 4 "$PERMXOR" verify --hashes hashes
        says out ": $lost corrupt cells (stripes "
        says out "NOT REPAIRABLE: $lost stripes have fewer than 4 intact cells (stripes "
    done
    cp o/f.00[0-3].pxr s
    expect 1 "$PERMXOR" hash --stripes s
    mv out hashes
    expect 1 "$PERMXOR" verify --hashes hashes
    says out "damaged; use 'permxor repair'"
    rm s/f.003.pxr
    truncate -s 512 s/f.000.pxr
    expect 1 "$PERMXOR" hash --stripes s
    mv out hashes
    expect 4 "$PERMXOR" verify --hashes hashes
    says out "NOT REPAIRABLE: 8 stripes"
}

# A cell without a hash may be intact, so nothing says that it is lost.
test_hashes_of_some_stripes() {
    separate_set
    hash_all --stripes
    for shard in 0 1 2; do # as if the output were cut
        sed -i '4,$d' $shard.txt
    done
    expect 4 "$PERMXOR" verify --hashes [0-5].txt
    says out "TOO FEW HASHES: in 5 stripes fewer than 4 shards have one (stripes 3, 4, 5, 6, 7)"
    silent out "NOT REPAIRABLE"
    # One machine prints stripes, and the others have damaged shards, each in another stripe.
    for shard in 1 2 3; do
        flip $shard/f.00$shard.pxr "$(cell $shard)"
        expect 1 "$PERMXOR" hash $shard
        mv out $shard.txt
    done
    sed -i '/stripe=whole/!d' [45].txt
    expect 0 "$PERMXOR" hash --stripes 0
    mv out 0.txt
    expect 1 "$PERMXOR" verify --hashes [0-5].txt
    says out "damaged; use 'permxor repair'"
    # Two machines are missing, and a cell of another one is damaged.
    expect 1 "$PERMXOR" hash --stripes [0-3]
    mv out hashes
    expect 4 "$PERMXOR" verify --hashes hashes
    says out "TOO FEW HASHES: in 3 stripes fewer than 4 shards have one (stripes 1, 2, 3)"
    silent out "NOT REPAIRABLE"
}

# The hash of an intact copy counts more than damaged stripes of another copy.
test_hashes_of_an_intact_copy() {
    separate_set
    cp o/f.001.pxr 1/copy.pxr
    flip 1/f.001.pxr "$(cell 5)"
    hash_all_but 1
    expect 1 "$PERMXOR" hash --stripes 1/f.001.pxr
    mv out 1.txt
    expect 0 "$PERMXOR" hash 1/copy.pxr
    cat out >>1.txt
    expect 0 "$PERMXOR" verify --hashes [0-5].txt
    says out "shard 001: 1.txt:10: ok"
}

test_hashes_that_are_missing() {
    separate_set
    hash_all
    expect 1 "$PERMXOR" verify --hashes [1-5].txt
    says out "shard 000: no hash"
    says out "shard 001: 1.txt:1: ok"
    says out "incomplete"
    # k hashes agree with anything.
    expect 1 "$PERMXOR" verify --hashes [2-5].txt
    says out "shard 002: 2.txt:1: compared with other shards in 0 of 8 stripes"
    expect 4 "$PERMXOR" verify --hashes [3-5].txt
    says out "TOO FEW HASHES: 3 shards have one, but 4 shards are needed"
    # Of one shard there are only some stripes.
    hash_all --stripes
    sed -i -e '/stripe=whole/d' -e '/stripe=[34] /d' 2.txt
    expect 1 "$PERMXOR" verify --hashes [0-5].txt
    says out "shard 002: 2.txt:1: compared with other shards in 6 of 8 stripes"
    says out "shard 003: 3.txt:9: ok"
    # The hash of the whole shard stands for those of its stripes.
    hash_all --stripes
    sed -i -e '/stripe=[34] /d' [0-2].txt
    expect 0 "$PERMXOR" verify --hashes [0-5].txt
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

test_hash_and_read_errors() {
    need_bad_reads
    expect 3 bad_reads "5 f.001.pxr $(cell 3) 1" "$PERMXOR" hash --stripes s
    says err "s/f.001.pxr: 1 unreadable cells (stripes 3): Input/output error"
    [ "$(grep -c 'hash=unreadable' out)" = 2 ]
    mv out hashes
    expect 3 "$PERMXOR" verify --hashes hashes
    says out "shard 001: hashes:18: 1 unreadable cells (stripes 3)"
    says out "read errors, but the cells may be intact"
    grep stripe=whole hashes >whole
    expect 3 "$PERMXOR" verify --hashes whole
    says out "shard 001: whole:2: unreadable cells"
    expect 3 bad_reads "5 f.001.pxr $(cell 3) 1;5 f.002.pxr $(cell 3) 1;5 f.003.pxr $(cell 3) 1" \
        "$PERMXOR" hash --stripes s
    mv out hashes
    expect 3 "$PERMXOR" verify --hashes hashes
    says out "UNREADABLE: 1 stripes have fewer than 4 cells that can be read (stripes 3)"
}

# A header may claim any length.
test_hash_of_a_huge_length() {
    need_forge
    small_set
    "$FORGE" s/f.000.pxr 48 0000000000000040
    expect 1 timeout 20 "$PERMXOR" hash --stripes s/f.000.pxr
    [ "$(wc -l <out)" -lt 20 ]
    mv out hashes
    expect 4 timeout 20 "$PERMXOR" verify --hashes hashes
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

# ---------------------------------------------------------------- command line --

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

# ------------------------------------------------------------- lines from others --

test_hashes_that_do_not_fit_together() {
    separate_set
    hash_all
    set=$(id_of 1/f.001.pxr)
    expect 0 "$PERMXOR" hash --key 0123456789abcdef 1
    mv out key
    expect 5 "$PERMXOR" verify --hashes 0.txt key [2-5].txt
    says err "key:1: contradicts 0.txt:1: their hashes have different keys; use one --key"
    expect 0 "$PERMXOR" hash --size 4 1
    mv out short
    expect 5 "$PERMXOR" verify --hashes 0.txt short [2-5].txt
    says err "short:1: contradicts 0.txt:1: their hashes differ in size; use one --size"
    sed 's/ length=2000 / length=1999 /' 1.txt >length
    expect 5 "$PERMXOR" verify --hashes 0.txt length [2-5].txt
    says err "length:1: contradicts 0.txt:1: they give the same set another code or length"
    sed 's/hash=./hash=x/; s/hash=x/hash=0/' 1.txt >copy
    cmp copy 1.txt && sed 's/hash=./hash=1/' 1.txt >copy
    expect 5 "$PERMXOR" verify --hashes [0-5].txt copy
    says err ":1: contradicts "
    says err ": these are two hashes of the same shard"
    [ ! -s out ]
}

# refuses_line REASON SED-EXPRESSION: succeeds if line 2 of ./hashes is refused after the change.
refuses_line() {
    sed "2$2" hashes >changed
    cmp hashes changed && return 1
    expect 5 "$PERMXOR" verify --hashes changed
    says err "permxor: changed:2: $1"
    [ ! -s out ] && [ "$(wc -l <err)" = 1 ]
}

test_hostile_lines() {
    small_set
    "$PERMXOR" hash --stripes s >hashes
    field="has a wrong value"
    refuses_line "not a line of 'permxor hash'" 's/^/x/'
    refuses_line "not a line of 'permxor hash'" 's/.*//'
    refuses_line "made in a version of the lines" 's/permxor-hash 1/permxor-hash 2/'
    refuses_line "no set of shards has these values" 's/ k=4/ k=0/'
    refuses_line "no set of shards has these values" 's/ k=4/ k=255/'
    refuses_line "no set of shards has these values" 's/ m=2/ m=253/'
    refuses_line "no set of shards has these values" 's/ cell=64/ cell=0/'
    refuses_line "no set of shards has these values" 's/ cell=64/ cell=4294967295/'
    refuses_line "no set of shards has these values" 's/ shard=0/ shard=6/'
    refuses_line "no set of shards has these values" 's/ length=2000/ length=18446744073709551615/'
    refuses_line "no set of shards has these values" 's/ w=0 packetsize=0/ w=8 packetsize=8/'
    refuses_line "no set of shards has these values" 's/ matrix=isal_cauchy/ matrix=custom/'
    refuses_line "a code of words has no linear hashes" \
        's/isal_cauchy w=0/jerasure_van w=16/'
    for change in 's/ set=./ set=/' 's/ set=./ set=x/' 's/ k=4/ k=-4/' 's/ k=4/ k=65540/' \
        's/ k=4/ k=/' 's/ m=2/ m=2x/' 's/ k=4 m=2/ m=2 k=4/' 's/ matrix=isal_/ matrix=/' \
        's/ w=0/ w=258/' 's/ packetsize=0/ packetsize=4294967296/' \
        's/ cell=64/ cell=99999999999999999999/' 's/ length=2000//' 's/ shard=0/ shard=65536/' \
        's/ stripe=1/ stripe=8/' 's/ stripe=1/ stripe=18446744073709551615/' \
        's/ stripe=1/ stripe=all/' 's/ size=8/ size=9/' 's/ size=8/ size=4/' \
        's/ key=none/ key=0/' 's/ bytes=64/ bytes=65/' 's/ bytes=64 / /' 's/ hash=./ hash=/' \
        's/ hash=/ hash=00/' 's/ hash=.*/ hash=/' 's/ hash=.*//' 's/ hash=.*/ hash=damage/'; do
        refuses_line "the field '" "$change"
        says err "' is missing or $field"
    done
    refuses_line "there is more after the hash" 's/$/ more=1/'
    refuses_line "the line is too long, or no text" "s/\$/$(printf '%09999d' 0)/"
    tr '4' '\0' <hashes >changed
    expect 5 "$PERMXOR" verify --hashes changed
    says err "changed:1: the line is too long, or no text"
    expect 5 timeout 20 "$PERMXOR" verify --hashes /dev/zero
    says err "/dev/zero:1: the line is too long, or no text"
    expect 3 "$PERMXOR" verify --hashes hashes nothing
    says err "nothing: cannot open: No such file or directory"
    expect 3 "$PERMXOR" verify --hashes s
    says err "s: cannot read: Is a directory"
    expect 5 "$PERMXOR" verify --hashes s/f.000.pxr
    says err "s/f.000.pxr:1: "
    expect 5 "$PERMXOR" verify --hashes /dev/null
    says err "no hash"
    # The last line may lack its end.
    printf %s "$(cat hashes)" >changed
    expect 0 "$PERMXOR" verify --hashes changed
}

# Lines that make sense one by one, but that no shards have: most numbers are huge.
test_hostile_sets() {
    line() { # K M MATRIX W PACKETSIZE CELL LENGTH SHARD STRIPE BYTES HASH
        echo "permxor-hash 1 set=$(printf '%032d' $1) k=$1 m=$2 matrix=$3 w=$4 packetsize=$5" \
            "cell=$6 length=$7 shard=$8 stripe=$9 size=4 key=none bytes=${10} hash=${11}"
    }
    most=4611686018427387904
    line 1 255 isal_cauchy 0 0 64 $most 255 $((most / 64 - 1)) 64 00000001 >hashes
    line 1 255 isal_cauchy 0 0 64 $most 0 $((most / 64 - 1)) 64 00000000 >>hashes
    expect 4 timeout 20 "$PERMXOR" verify --hashes hashes
    says out "shard 000: hashes:2: compared with other shards in 1 of 72057594037927936 stripes"
    says out "(stripes 72057594037927935)"
    line 2 1 isal_vand 0 0 67108864 $most 2 whole $((most / 2)) damaged >hashes
    expect 4 timeout 20 "$PERMXOR" verify --hashes hashes
    line 5 2 jerasure_liberation 257 1 16448 1 0 whole 257 "$(printf '%02056d' 0)" >hashes
    expect 4 timeout 20 "$PERMXOR" verify --hashes hashes
    line 30 6 isal_vand 0 0 64 1 0 whole 1 00000000 >hashes
    expect 5 "$PERMXOR" verify --hashes hashes
    says err "hashes:1: "
    says err "MDS"
}

# Random changes of lines never crash the command.
test_random_lines() {
    need_python
    echo "SEED=$SEED"
    small_set
    "$PERMXOR" hash --stripes s >hashes
    round=0
    while [ $round -lt 100 ]; do
        round=$((round + 1))
        python3 - $((SEED * 1000 + round)) <<'END' >changed
import random, sys
random.seed(int(sys.argv[1]))
text = bytearray(open("hashes", "rb").read())
for _ in range(random.choice((1, 2, 10, 100))):
    at = random.randrange(len(text))
    kind = random.randrange(4)
    if kind == 0:
        text[at] = random.randrange(256)
    elif kind == 1:
        text[at] = ord(random.choice("0123456789abcdef= \n"))
    elif kind == 2:
        del text[at:at + random.randrange(200)]
    else:
        text[at:at] = text[at:at + random.randrange(400)]
    text = text or bytearray(b"\n")
sys.stdout.buffer.write(text)
END
        status=0
        timeout 20 "$PERMXOR" verify --hashes changed >out 2>err || status=$?
        [ $status -le 5 ] && [ $status != 2 ]
        [ -s out ] || [ -s err ]
    done
}
