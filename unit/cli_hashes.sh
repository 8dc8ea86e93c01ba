# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2086,SC2154
# Part of unit/cli_test.sh: tests of `permxor verify --hashes`, on hashes of right, wrong, damaged
# and missing shards.

# -------------------------------------------------------------------- agreement --

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

# ----------------------------------------------------------------- wrong shards --

test_hashes_name_the_wrong_shard() {
    need_forge
    for options in "" "--size 4" "--size 16" "--key 00112233445566778899aabbccddeeff --size 16"; do
        rm -rf s o
        separate_set
        "$FORGE" 2/f.002.pxr cell 3
        hash_all $options
        expect 4 "$PERMXOR" verify --hashes [0-5].txt
        says out "shard 002: 2.txt:1: WRONG, although its checksums are right: its hash does not"
        [ "$(grep -c ": WRONG" out)" = 1 ]
        [ "$(grep -c ': ok$' out)" = 5 ]
        says out "ONE SHARD IS WRONG: the shards do not belong together"
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
    says out "shard 000: 0.txt:1: may be wrong"
    silent out ": ok"
    # The hashes of stripes of shard 1 are those before it became wrong.
    "$FORGE" 1/f.001.pxr cell 3
    hash_all --stripes
    mv 1.txt stripes
    "$FORGE" 1/f.001.pxr cell 3
    hash_all --stripes
    { grep -v " stripe=whole " stripes; grep " stripe=whole " 1.txt; } >mixed
    expect 4 "$PERMXOR" verify --hashes 0.txt mixed [2-5].txt
    says out "shard 005: 5.txt:9: WRONG"
    says out "more than one shard is wrong"
    silent out "ONE SHARD IS WRONG"
    silent out ": ok"
    hash_all --stripes
    expect 4 "$PERMXOR" verify --hashes [0-5].txt
    says out "shard 001: 1.txt:9: WRONG, although its checksums are right: 1 cells do not match"
    says out "(stripes 3)"
    says out "shard 005: 5.txt:9: WRONG, although its checksums are right: 2 cells do not match"
    says out "(stripes 6, 7)"
    says out "NOT REPAIRABLE: the shards do not belong together, although their checksums are right"
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

test_hashes_of_wrong_shards_of_codes() {
    need_forge
    for_codes wrong_in_code
}

# ------------------------------------------------------ damaged, missing shards --

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
    expect 4 "$PERMXOR" verify --hashes [0-5].txt
    says out "NOT KNOWN whether it can be repaired: 8 stripes have fewer than 4 cells that are"
    silent out "use 'permxor repair'"
    # The stripes of one of them make up for it, but for its own corrupt cell.
    expect 1 "$PERMXOR" hash --stripes 1
    mv out 1.txt
    expect 4 "$PERMXOR" verify --hashes [0-5].txt
    says out "NOT KNOWN whether it can be repaired: 1 stripes have fewer than 4 cells that are"
    says out "certainly intact (stripes 1)"
    expect 1 "$PERMXOR" hash --stripes 2
    mv out 2.txt
    expect 1 "$PERMXOR" verify --hashes [0-5].txt
    says out "damaged; use 'permxor repair'"
    # Two machines are missing, and a cell of another one is damaged.
    expect 1 "$PERMXOR" hash --stripes [0-3]
    mv out hashes
    expect 4 "$PERMXOR" verify --hashes hashes
    says out "TOO FEW HASHES: in 3 stripes fewer than 4 shards have one (stripes 1, 2, 3)"
    silent out "NOT REPAIRABLE"
}

# Hashes of whole shards do not tell which cells are bad, and so not what can be repaired.
test_hashes_of_whole_damaged_shards() {
    small_set
    for shard in 1 2; do
        flip s/f.00$shard.pxr "$(cell 5)"
    done
    expect 1 "$PERMXOR" hash s
    mv out hashes
    expect 1 "$PERMXOR" verify --hashes hashes
    says out "damaged; use 'permxor repair'"
    for other in 5 6; do # stripes: this one is lost, or it is not
        cp o/f.003.pxr s
        flip s/f.003.pxr "$(cell $other)"
        expect 1 "$PERMXOR" hash s
        mv out hashes
        expect 4 "$PERMXOR" verify --quiet --hashes hashes
        says out "shard 003: hashes:4: corrupt cells"
        says out "NOT KNOWN whether it can be repaired: 8 stripes have fewer than 4 cells that are"
        says out "certainly intact (stripes 0, 1, 2, 3, 4, 5, 6, 7)"
        says out "by 'permxor hash --stripes', and check again"
        silent out "use 'permxor repair'"
        silent out "NOT REPAIRABLE"
        expect 1 "$PERMXOR" hash --stripes s
        mv out hashes
        expect $((other == 5 ? 4 : 1)) "$PERMXOR" verify --hashes hashes
        silent out "NOT KNOWN"
    done
    says out "damaged; use 'permxor repair'"
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

# Every shard says all about an empty file.
test_hashes_of_an_empty_file() {
    true >f
    "$PERMXOR" encode -k 4 -m 2 f
    "$PERMXOR" hash f.003.pxr >3.txt
    expect 0 "$PERMXOR" decode -o - f.003.pxr
    expect 1 "$PERMXOR" verify --hashes 3.txt
    says out "incomplete: not all shards have a hash"
    silent out "TOO FEW"
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
