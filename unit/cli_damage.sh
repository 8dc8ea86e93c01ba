# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests with damaged shards, and with shards that do not belong
# together.

# -------------------------------------------------------------------- damage --

test_every_shard_damaged() {
    small_set
    for shard in 0 1 2 3 4 5; do
        flip s/f.00$shard.pxr "$(cell $shard)"
    done
    flip s/f.000.pxr "$(($(cell 7) - 16))"
    expect 1 "$PERMXOR" verify s
    says out "shard 003: s/f.003.pxr: 1 corrupt cells (stripes 3)"
    says out "shard 000: s/f.000.pxr: 2 corrupt cells (stripes 0, 7)"
    says out "repairable"
    expect 0 "$PERMXOR" decode -o g s
    cmp f g
    says err "corrupt cells"
    expect 0 "$PERMXOR" repair s
    says out "shard 003: $(pwd -P)/s/f.003.pxr: 1 corrupt cells, healed"
    same_files s o
    expect 0 "$PERMXOR" verify s
    expect 0 "$PERMXOR" repair s
    says out "no damage"
    tidy
}

test_missing_and_corrupt() {
    small_set
    rm s/f.001.pxr
    flip s/f.004.pxr "$(cell 2)"
    flip s/f.002.pxr "$(cell 6)"
    expect 0 "$PERMXOR" repair s
    same_files s o
}

test_lost_stripe() {
    small_set
    flip s/f.001.pxr "$(cell 5)"
    flip s/f.002.pxr "$(cell 5)"
    flip s/f.005.pxr "$(cell 5)"
    cp -r s damaged
    expect 4 "$PERMXOR" verify s
    says out "NOT REPAIRABLE"
    says out "stripes 5"
    expect 4 "$PERMXOR" decode -o g s
    says err "stripe 5 has 3 intact cells in 6 of 6 shards, but 4 are needed"
    absent g
    expect 4 "$PERMXOR" repair s
    same_files s damaged
    tidy
}

test_too_many_missing() {
    small_set
    rm s/f.000.pxr s/f.001.pxr s/f.005.pxr
    cp -r s damaged
    expect 4 "$PERMXOR" verify s
    expect 4 "$PERMXOR" decode -o g s
    says err "3 intact cells in 3 of 6 shards, but 4 are needed"
    absent g
    expect 4 "$PERMXOR" repair s
    same_files s damaged
    tidy
}

test_header_damaged() {
    small_set
    flip s/f.000.pxr 0
    flip s/f.001.pxr 300
    head -c 512 /dev/urandom | dd of=s/f.002.pxr conv=notrunc 2>/dev/null
    expect 1 "$PERMXOR" info s
    says out "damaged header"
    expect 1 "$PERMXOR" verify s
    says out "shard 002: s/f.002.pxr: damaged header"
    expect 0 "$PERMXOR" decode -o - s
    cmp out f
    expect 0 "$PERMXOR" repair s
    same_files s o
}

test_trailer_damaged() {
    small_set
    flip s/f.000.pxr $(($(size s/f.000.pxr) - 1))
    expect 1 "$PERMXOR" verify s
    says out "damaged trailer"
    expect 0 "$PERMXOR" repair s
    same_files s o
}

test_both_headers_damaged() {
    small_set
    flip s/f.003.pxr 20
    flip s/f.003.pxr $(($(size s/f.003.pxr) - 400))
    expect 1 "$PERMXOR" verify s
    says err "s/f.003.pxr: header and trailer are damaged, but its cells prove"
    says out "shard 003: s/f.003.pxr: damaged header, damaged trailer"
    expect 0 "$PERMXOR" repair s
    same_files s o
}

# Of a shard that lost its ends and its first cells, one late cell is enough.
test_headless_shard_with_late_cells() {
    small_set
    dd if=/dev/zero of=s/f.001.pxr bs=1 count="$(cell 6)" conv=notrunc 2>/dev/null
    flip s/f.001.pxr $(($(size s/f.001.pxr) - 400))
    flip s/f.004.pxr "$(cell 7)"
    flip s/f.005.pxr "$(cell 7)"
    expect 1 "$PERMXOR" verify s
    says err "s/f.001.pxr: header and trailer are damaged, but its cells prove that it is shard 001"
    expect 0 "$PERMXOR" decode -o - s
    cmp out f
    expect 0 "$PERMXOR" repair -f s
    same_files s o
}

test_truncated() {
    small_set
    for cut in 1 511 512 513 700 1100; do
        head -c $(($(size o/f.001.pxr) - cut)) o/f.001.pxr >s/f.001.pxr
        expect 1 "$PERMXOR" verify s
        says out "cut short"
        expect 0 "$PERMXOR" decode -f -o g s
        cmp f g
        expect 0 "$PERMXOR" repair s
        same_files s o
    done
    head -c 511 o/f.001.pxr >s/f.001.pxr
    expect 1 "$PERMXOR" verify s
    says err "not a permxor shard"
}

test_too_long() {
    small_set
    echo junk >>s/f.004.pxr
    expect 1 "$PERMXOR" verify s
    says out "bytes after the end"
    expect 0 "$PERMXOR" decode -o - s
    cmp out f
    expect 0 "$PERMXOR" repair s
    same_files s o
}

test_empty_shard() {
    small_set
    : >s/f.000.pxr
    expect 1 "$PERMXOR" verify s
    says err "s/f.000.pxr: not usable: the file is empty"
    says out "shard 000: missing: s/f.000.pxr is an empty file, which repair replaces"
    expect 0 "$PERMXOR" decode -o - s
    cmp out f
    expect 0 "$PERMXOR" repair s
    same_files s o
}

test_foreign_files() {
    small_set
    data 3000 s/foreign.pxr
    echo hello >s/text.pxr
    mkfifo s/pipe.pxr
    expect 0 "$PERMXOR" verify s
    says err "s/foreign.pxr: not usable: not a permxor shard"
    says err "s/text.pxr: not usable: not a permxor shard"
    says err "s/pipe.pxr: not usable: not a regular file"
    expect 0 "$PERMXOR" verify s/f.*.pxr no-such-file
    says err "no-such-file: not usable: No such file or directory"
    expect 5 "$PERMXOR" decode -o g s/foreign.pxr s/text.pxr
    says err "no usable shard"
    absent g
    expect 5 "$PERMXOR" info s/text.pxr
}

# Damage in at most two shards of 4+2 is always repaired.
test_random_damage() {
    echo "SEED=$SEED"
    small_set
    length=$(size s/f.000.pxr)
    round=0
    while [ $round -lt 25 ]; do
        round=$((round + 1))
        awk -v seed=$((SEED * 100 + round)) -v length_="$length" 'BEGIN {
            srand(seed)
            shard[0] = int(rand() * 6)
            shard[1] = int(rand() * 6)
            for (i = 1 + int(rand() * 6); i > 0; i--)
                print shard[int(rand() * 2)], int(rand() * length_)
        }' | sort -u >damage
        while read -r shard offset; do
            flip "s/f.00$shard.pxr" "$offset"
        done <damage
        cat damage
        expect 1 "$PERMXOR" verify s
        expect 0 "$PERMXOR" decode -f -o g s
        cmp f g
        expect 0 "$PERMXOR" repair --force s
        same_files s o
    done
}

test_repair_keeps_mode() {
    small_set
    chmod 640 s/f.002.pxr
    flip s/f.002.pxr "$(cell 0)"
    flip s/f.002.pxr "$(cell 1)"
    expect 0 "$PERMXOR" repair s
    [ "$(stat -c %a s/f.002.pxr)" = 640 ]
}

test_repair_keeps_owner() {
    [ "$(id -u)" = 0 ] || cannot "needs root"
    small_set
    chown 65534:65534 s/f.002.pxr || cannot "no right to change owners"
    flip s/f.002.pxr "$(cell 0)"
    flip s/f.002.pxr "$(cell 1)"
    expect 0 "$PERMXOR" repair s
    [ "$(stat -c %u:%g s/f.002.pxr)" = 65534:65534 ]
}

# The owner of the set can read what root has repaired.
test_repair_gives_missing_shards_to_the_owner() {
    [ "$(id -u)" = 0 ] || cannot "needs root"
    small_set
    chown 65534:65534 s/* || cannot "no right to change owners"
    chmod 600 s/*
    rm s/f.001.pxr s/f.004.pxr
    expect 0 "$PERMXOR" repair s
    [ "$(stat -c %u:%g:%a s/* | sort -u)" = 65534:65534:600 ]
    same_files s o
}

# What is neither a file nor a link stays, and the other shards are healed.
test_repair_around_a_folder() {
    small_set
    rm s/f.001.pxr
    mkdir s/f.001.pxr
    flip s/f.000.pxr "$(cell 3)"
    expect 1 "$PERMXOR" verify s
    says out "s/f.001.pxr is not a file; remove or rename it before you repair"
    expect 3 "$PERMXOR" repair -f s
    says err "s/f.001.pxr: is not a file; remove or rename it, or use --output=DIR"
    cmp s/f.000.pxr o/f.000.pxr
    rmdir s/f.001.pxr
    expect 0 "$PERMXOR" repair s
    same_files s o
}

# Shard 1 is mended by the first pass, and it turns out to need a second one.
test_wrong_stripes_are_named_once() {
    need_forge
    small_set
    "$FORGE" s/f.004.pxr cell 2
    flip s/f.001.pxr "$(cell 2)"
    flip s/f.001.pxr "$(cell 5)"
    expect 4 "$PERMXOR" repair -f s
    says out "f.001.pxr: 2 corrupt cells, healed"
    says err "repair cannot tell which are wrong (stripes 2)"
}

# A cell was wrong when its checksum was made.  What would be rebuilt from it is wrong, too.
test_repair_beside_a_wrong_shard() {
    need_forge
    small_set
    "$FORGE" s/f.004.pxr cell 2
    cp -rp s w
    rm s/f.000.pxr
    expect 4 "$PERMXOR" repair s
    says err "in stripe 2 a shard is wrong although its checksum is right"
    absent s/f.000.pxr
    expect 4 "$PERMXOR" repair -f s
    says err "shards disagree although their checksums are right"
    rm -r s
    cp -rp w s
    rm s/f.004.pxr
    expect 0 "$PERMXOR" repair s
    same_files s o
}

test_repair_through_link() {
    small_set
    mv s/f.002.pxr elsewhere
    ln -s ../elsewhere s/f.002.pxr
    flip elsewhere "$(cell 0)"
    flip elsewhere "$(cell 1)"
    expect 0 "$PERMXOR" repair s
    [ -L s/f.002.pxr ]
    cmp elsewhere o/f.002.pxr
}

test_repair_elsewhere() {
    small_set
    rm s/f.003.pxr
    mkdir d
    expect 0 "$PERMXOR" repair -o d s
    cmp d/f.003.pxr o/f.003.pxr
    absent s/f.003.pxr
}

# ---------------------------------------------------------- sets and placing --

test_swapped_names() {
    small_set
    mv s/f.000.pxr s/x
    mv s/f.004.pxr s/f.000.pxr
    mv s/x s/f.004.pxr
    expect 0 "$PERMXOR" verify s
    says out "shard 004: s/f.000.pxr: ok"
    expect 0 "$PERMXOR" decode -o - s
    cmp out f
}

test_repair_spares_other_shards() {
    small_set
    mv s/f.004.pxr s/f.000.pxr
    cp -r s before
    expect 3 "$PERMXOR" repair --force s
    says err "s/f.000.pxr: holds another shard"
    same_files s before
    tidy
}

# --force replaces a file that is not a shard.  It replaces no shard, even if the shard is not
# among the arguments.
test_repair_spares_shards_not_given() {
    small_set
    mkdir d
    "$PERMXOR" encode -k 4 -m 2 --cell 64 -o d f
    cp -r d before
    rm s/f.003.pxr
    expect 3 "$PERMXOR" repair --force -o d s
    says err "d/f.003.pxr: holds another shard"
    same_files d before
    echo junk >d/f.003.pxr
    expect 0 "$PERMXOR" repair --force -o d s
    cmp d/f.003.pxr o/f.003.pxr
}

# Only some of the shards in a folder are given, or a folder is given only as the one to write to.
test_shards_not_given() {
    small_set
    mkdir d
    rm s/f.003.pxr
    expect 0 "$PERMXOR" repair -o d s
    expect 3 "$PERMXOR" repair -o d s
    says err "d/f.003.pxr: is this shard; give it or its folder to the command, too"
    expect 0 "$PERMXOR" repair -o d s d
    says out "no damage"
    expect 1 "$PERMXOR" verify s/f.00[0124].pxr d
    mv d/f.003.pxr s
    expect 1 "$PERMXOR" verify s/f.00[01234].pxr
    says out "shard 005: missing: s/f.005.pxr is this shard; give it to the command, too"
    same_files s o
}

test_swapped_cells() {
    small_set
    first=$(($(cell 1) - 16))
    second=$(($(cell 4) - 16))
    tail -c +$((second + 1)) o/f.001.pxr | head -c 80 |
        dd of=s/f.001.pxr bs=1 seek=$first conv=notrunc 2>/dev/null
    tail -c +$((first + 1)) o/f.003.pxr | head -c 80 |
        dd of=s/f.002.pxr bs=1 seek=$first conv=notrunc 2>/dev/null
    expect 1 "$PERMXOR" verify s
    says out "shard 001: s/f.001.pxr: 1 corrupt cells (stripes 1)"
    says out "shard 002: s/f.002.pxr: 1 corrupt cells (stripes 1)"
    expect 0 "$PERMXOR" repair s
    same_files s o
}

test_mixed_sets() {
    small_set
    mkdir t
    data 2000 t/f
    expect 0 "$PERMXOR" encode -k 4 -m 2 --cell 64 t/f
    rm t/f
    for command in decode verify repair; do
        expect 5 "$PERMXOR" $command s t
        says err "different sets"
        says err "s/f.000.pxr: belongs to set"
        says err "t/f.005.pxr: belongs to set"
    done
    absent f.out
    id=$("$PERMXOR" info s/f.000.pxr | sed -n 's/^ *set *//p')
    expect 0 "$PERMXOR" decode --set "$id" -o - s t
    cmp out f
    expect 0 "$PERMXOR" verify --set "$(echo "$id" | cut -c 1-12)" t s
    expect 5 "$PERMXOR" verify --set ffffffffffffffffffffffffffffffff t s
}

# Cells of another set under the right name are corrupt cells of this set.
test_shard_of_another_set() {
    small_set
    mkdir t
    expect 0 "$PERMXOR" encode -k 4 -m 2 --cell 64 -o t f
    dd if=t/f.001.pxr of=s/f.001.pxr bs=1 skip=512 seek=512 count=640 conv=notrunc 2>/dev/null
    expect 1 "$PERMXOR" verify s
    says out "shard 001: s/f.001.pxr: 8 corrupt cells (stripes 0, 1, 2, 3, 4, 5, 6, 7)"
}

test_duplicate_shards() {
    small_set
    cp s/f.001.pxr s/g.pxr
    expect 0 "$PERMXOR" decode -o - s
    cmp out f
    says err "s/g.pxr: another copy of s/f.001.pxr"
    # The better copy is used, also if it comes second.
    rm s/f.000.pxr s/f.003.pxr
    head -c 600 o/f.001.pxr >s/a.pxr
    expect 0 "$PERMXOR" decode -o - s
    cmp out f
    says err "s/f.001.pxr: another copy of s/a.pxr"
}
