# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests of reads past the page cache.

need_direct() {
    : >probe
    dd if=probe of=/dev/null iflag=direct 2>err || cannot "no direct reads in $work: $(cat err)"
}

# same_verdict STATUS: succeeds if verify prints the same for ./s with and without --direct.
same_verdict() {
    expect "$1" "$PERMXOR" verify s
    mv out out.cached
    mv err err.cached
    expect "$1" "$PERMXOR" verify --direct s
    cmp out out.cached
    cmp err err.cached
}

# The records have all sizes, are at all offsets in the blocks of the disk, and cross the
# borders of blocks.
test_direct_sizes() {
    need_direct
    for cell in 64 4032 4096 65536 3M; do
        for bytes in 0 1 8000 100001 9000000; do
            [ $bytes -lt 9000000 ] || [ $cell = 65536 ] || [ $cell = 3M ] || continue
            echo "cells of $cell, $bytes bytes"
            rm -rf s
            mkdir s
            data $bytes f
            expect 0 "$PERMXOR" encode -k 3 -m 2 --cell $cell -o s f
            same_verdict 0
            says out "no damage"
        done
    done
}

test_direct_finds_damage() {
    need_direct
    small_set
    flip s/f.001.pxr "$(cell 5)"
    same_verdict 1
    says out "shard 001: s/f.001.pxr: 1 corrupt cells (stripes 5)"
    flip s/f.002.pxr 3
    flip s/f.003.pxr $(($(size s/f.003.pxr) - 3))
    same_verdict 1
    says out "shard 002: s/f.002.pxr: damaged header"
    says out "shard 003: s/f.003.pxr: damaged trailer"
    for cut in 1 511 512 600 1100; do
        head -c $(($(size o/f.000.pxr) - cut)) o/f.000.pxr >s/f.000.pxr
        same_verdict 1
        says out "cut short"
    done
    rm s/f.00[15].pxr
    cp o/f.00[0-4].pxr s
    flip s/f.004.pxr 3
    flip s/f.004.pxr $(($(size s/f.004.pxr) - 3))
    same_verdict 1
    says err "its cells prove that it is shard 004"
    : >s/f.005.pxr
    mkfifo s/p.pxr
    mkdir s/d.pxr
    same_verdict 1
    says err "s/d.pxr: not usable: not a regular file"
}

# Every read has to use a descriptor with O_DIRECT, because all other reads fail here.
test_direct_past_the_cache() {
    need_shim
    need_direct
    small_set
    expect 3 with_fault cached none "$PERMXOR" verify s
    expect 0 with_fault cached none "$PERMXOR" verify --direct --deep s
    says out "no damage"
}

test_direct_unsupported() {
    file=/proc/self/mounts
    [ -r $file ] || cannot "no /proc"
    expect 3 "$PERMXOR" verify --direct $file
    says err "$file: cannot be read past the page cache; omit --direct"
    small_set
    expect 3 "$PERMXOR" verify --direct s $file
    [ ! -s out ]
}

test_direct_is_for_verify() {
    small_set
    expect 2 "$PERMXOR" decode --direct -o - s
}
