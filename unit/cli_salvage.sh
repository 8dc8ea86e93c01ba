# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests with read errors, with copies of shards, and of saving a part
# of a file when the rest is lost.

# ----------------------------------------------------------------- read errors --

# bad_reads RULES COMMAND...: runs the command with read errors.  unit/cli_badread.c explains
# RULES.
bad_reads() {
    rules=$1
    shift
    LD_PRELOAD=$BADREAD PXR_BADREAD=$rules "$@"
}

need_bad_reads() {
    [ -f "$BADREAD" ] || cannot "unit/cli_badread is not built"
    [ -r /proc/self/fd ] || cannot "no /proc"
    small_set
    bad_reads "5 f.000.pxr 0 9999" "$PERMXOR" info s/f.000.pxr >out 2>err || :
    grep -qF "Input/output error" err || cannot "no library can be preloaded in this build"
}

test_read_error_of_a_cell() {
    need_bad_reads
    rules="5 f.001.pxr $(cell 3) 1;116 f.004.pxr $(cell 6) 1"
    expect 3 bad_reads "$rules" "$PERMXOR" verify s
    says out "shard 001: s/f.001.pxr: 1 unreadable cells (stripes 3): Input/output error"
    says out "shard 004: s/f.004.pxr: 1 unreadable cells (stripes 6): Stale file handle"
    says out "read errors"
    expect 0 bad_reads "$rules" "$PERMXOR" decode -o - s
    cmp out f
    says err "1 cells that cannot be read"
    stat -c %i s/* >before
    expect 3 bad_reads "$rules" "$PERMXOR" repair s
    says err "s/f.001.pxr: left as it is (1 unreadable cells: Input/output error): use --force"
    stat -c %i s/* >after
    cmp before after
    expect 0 bad_reads "$rules" "$PERMXOR" repair --force s
    says out "f.001.pxr: 1 unreadable cells: Input/output error, healed"
    same_files s o
    stat -c %i s/* >after
    [ "$(diff before after | grep -c '^<')" = 2 ]
    tidy
}

# Damage in another shard than the read errors is healed, and no other shard is replaced.
test_read_error_and_damage() {
    need_bad_reads
    flip s/f.002.pxr "$(cell 1)"
    rules="5 f.001.pxr $(cell 3) 1"
    expect 1 bad_reads "$rules" "$PERMXOR" verify s
    ls -i s/f.001.pxr >before
    expect 3 bad_reads "$rules" "$PERMXOR" repair s
    says out "f.002.pxr: 1 corrupt cells, healed"
    ls -i s/f.001.pxr >after
    cmp before after
    same_files s o
}

test_read_error_of_the_header() {
    need_bad_reads
    expect 3 bad_reads "5 f.001.pxr 0 512" "$PERMXOR" verify s
    says out "shard 001: s/f.001.pxr: header or trailer unreadable: Input/output error"
    tail=$(($(size s/f.001.pxr) - 1))
    expect 3 bad_reads "5 f.001.pxr $tail 1" "$PERMXOR" verify s
    expect 3 bad_reads "5 f.001.pxr $tail 1" "$PERMXOR" repair s
    expect 0 bad_reads "5 f.001.pxr $tail 1" "$PERMXOR" decode -o - s
    cmp out f
    same_files s o
}

# If a disk may fail only for a while, no stripe is reported as lost.
test_read_error_is_not_loss() {
    need_bad_reads
    rm s/f.000.pxr s/f.001.pxr
    rules="110 f.004.pxr $(cell 3) 1"
    expect 3 bad_reads "$rules" "$PERMXOR" verify s
    says out "UNREADABLE: 1 stripes"
    expect 3 bad_reads "$rules" "$PERMXOR" decode -o g s
    says err "stripe 3 has 3 intact cells and 1 that cannot be read (Connection timed out)"
    absent g
    says err "--salvage"
    # The other stripes are healed now.  This stripe is healed when the disk works again.
    expect 3 bad_reads "$rules" "$PERMXOR" repair s
    says out "f.000.pxr: was missing, written except 1 cells"
    cmp s/f.004.pxr o/f.004.pxr
    expect 0 "$PERMXOR" repair s
    same_files s o
    tidy
}

test_no_such_shard() {
    for command in decode verify repair info; do
        expect 3 "$PERMXOR" $command no-such-file
        says err "no-such-file: not usable: No such file or directory"
    done
}

# -------------------------------------------------------------- several copies --

# Two shards of 4+2 are lost.  Another shard has two copies, each with a different bad cell.
two_copies() {
    small_set
    rm s/f.000.pxr s/f.005.pxr
    mkdir t
    cp s/f.001.pxr t/copy.pxr
    flip s/f.001.pxr "$(cell 2)"
    flip t/copy.pxr "$(cell 5)"
}

test_copies_complete_each_other() {
    two_copies
    for order in "s t" "t s"; do
        # shellcheck disable=SC2086
        expect 0 "$PERMXOR" decode -f -o g $order
        cmp f g
    done
    expect 1 "$PERMXOR" verify s t
    says out "shard 001: s/f.001.pxr: 1 corrupt cells (stripes 2)"
    says out "shard 001: t/copy.pxr: copy: 1 corrupt cells (stripes 5)"
    cp -r t before
    expect 0 "$PERMXOR" repair s t
    says err "t/copy.pxr: left as it is (1 corrupt cells): there is another good copy"
    same_files s o
    same_files t before
    expect 0 "$PERMXOR" repair s t
    says out "no damage"
}

# One good copy of a shard is enough, whatever the other copies contain.
test_good_copy_is_enough() {
    two_copies
    rm -r s
    cp -r o s
    for order in "s t" "t s"; do
        # shellcheck disable=SC2086
        expect 0 "$PERMXOR" verify --deep $order
        says out "t/copy.pxr: "
        # shellcheck disable=SC2086
        expect 0 "$PERMXOR" repair $order
        says err "t/copy.pxr: left as it is (1 corrupt cells): there is another good copy"
    done
    same_files s o
}

test_same_file_twice() {
    small_set
    expect 0 "$PERMXOR" verify s s/f.001.pxr
    says err "s/f.001.pxr: not used: it is the same file as s/f.001.pxr"
}

# -------------------------------------------------------------------- salvage --

# Stripe 5 of 8 is lost, because its data cells 1 and 2 are bad and shard 3 is missing.  In
# stripe 1 one cell is bad.  A cell has 64 bytes.
lose_a_stripe() {
    small_set
    rm s/f.003.pxr
    flip s/f.000.pxr "$(cell 1)"
    flip s/f.001.pxr "$(cell 5)"
    flip s/f.002.pxr "$(cell 5)"
    cp f expected
    # Data cells 1, 2 and 3 of the stripe: bytes 1280 + 64 to 1280 + 255.
    dd if=/dev/zero of=expected bs=1 seek=1344 count=192 conv=notrunc 2>/dev/null
    cp -r s damaged
}

test_decode_salvage() {
    lose_a_stripe
    expect 4 "$PERMXOR" decode -o g s
    says err "use 'permxor decode --salvage' to write the rest"
    absent g
    expect 4 "$PERMXOR" decode --salvage -o g s
    cmp g expected
    says err "g: lost: 1344-1535 (192 bytes)"
    says err "g: 192 of 2000 bytes are lost"
    expect 4 "$PERMXOR" decode --salvage -j 1 -o - s
    cmp out expected
    says err "standard output: lost: 1344-1535 (192 bytes)"
    same_files s damaged
    tidy
}

# If nothing is lost, --salvage changes nothing.
test_decode_salvage_in_vain() {
    small_set
    rm s/f.003.pxr
    expect 0 "$PERMXOR" decode --salvage -o g s
    cmp f g
    : >empty
    mkdir e
    "$PERMXOR" encode -k 4 -m 2 --cell 64 -o e empty
    expect 0 "$PERMXOR" decode --salvage -f -o g e
    cmp empty g
}

# There are too few shards, and they are cut short.  The file has whole data cells, and a hole
# at its end.
test_decode_salvage_of_few() {
    small_set
    head -c $((512 + 5 * 80)) o/f.001.pxr >t
    rm s/f.00[0-5].pxr
    mv t s/f.001.pxr
    head -c 2000 /dev/zero >expected
    for stripe in 0 1 2 3 4; do
        dd if=f of=expected bs=64 count=1 skip=$((4 * stripe + 1)) \
            seek=$((4 * stripe + 1)) conv=notrunc 2>/dev/null
    done
    expect 4 "$PERMXOR" decode --salvage -o g s
    cmp g expected
    says err "g: 1680 of 2000 bytes are lost"
    # If no cell is left, there is no file.
    head -c 520 o/f.001.pxr >s/f.001.pxr
    expect 4 "$PERMXOR" decode --salvage -f -o g2 s
    absent g2
    tidy
}

test_repair_heals_what_it_can() {
    lose_a_stripe
    expect 4 "$PERMXOR" repair s
    says err "1 stripes cannot be restored (stripes 5)"
    says out "f.000.pxr: 1 corrupt cells, healed"
    says out "f.003.pxr: was missing, written except 1 cells"
    says err "s/f.001.pxr: left as it is (1 corrupt cells): the bad parts cannot be restored"
    cmp s/f.000.pxr o/f.000.pxr
    cmp s/f.001.pxr damaged/f.001.pxr
    expect 4 "$PERMXOR" decode --salvage -f -o g s
    cmp g expected
    expect 4 "$PERMXOR" verify s
    says out "shard 003: s/f.003.pxr: 1 corrupt cells (stripes 5)"
    # With a good copy of a shard that turns up later, the lost cells can be healed.
    cp s/f.003.pxr before
    expect 4 "$PERMXOR" repair s
    cmp s/f.003.pxr before
    mkdir t
    cp o/f.001.pxr t
    expect 0 "$PERMXOR" repair s t
    cmp s/f.002.pxr o/f.002.pxr
    cmp s/f.003.pxr o/f.003.pxr
    tidy
}

# If a shard is written anew, bad cells that cannot be healed are copied as they are.
test_repair_carries_bad_cells_over() {
    lose_a_stripe
    flip s/f.001.pxr "$(cell 6)"
    flip s/f.001.pxr "$(cell 7)"
    flip s/f.002.pxr 3
    expect 4 "$PERMXOR" repair s
    says out "f.001.pxr: 3 corrupt cells, healed except 1 cells"
    cmp s/f.001.pxr damaged/f.001.pxr
    cmp s/f.002.pxr damaged/f.002.pxr
    tidy
}

# If a bad cell cannot be copied because of a read error, the shard is not written anew.
test_repair_spares_irreplaceable_cells() {
    need_bad_reads
    rm s/f.003.pxr s/f.005.pxr
    flip s/f.001.pxr "$(cell 5)"
    flip s/f.000.pxr "$(cell 2)"
    flip s/f.000.pxr 3
    rules="5 f.000.pxr $(cell 5) 1"
    cp -r s before
    expect 4 bad_reads "$rules" "$PERMXOR" repair s
    says err "s/f.000.pxr: left as it is (damaged header"
    cmp s/f.000.pxr before/f.000.pxr
    tidy
}

# ------------------------------------------------------------- in a shard's place --

# A file that has the name of a shard but is not a shard is replaced only with --force, and
# verify says so.  The other shards are healed without it.
test_repair_around_junk() {
    small_set
    data 3000 s/f.003.pxr
    flip s/f.001.pxr "$(cell 1)"
    cp s/f.003.pxr junk
    expect 1 "$PERMXOR" verify s
    says out "shard 003: missing: s/f.003.pxr is in its place; use 'permxor repair --force'"
    says out "damaged, but repairable; use 'permxor repair --force' to heal it"
    expect 3 "$PERMXOR" repair s
    says err "s/f.003.pxr: already exists; use --force to replace it"
    says out "f.001.pxr: 1 corrupt cells, healed"
    cmp s/f.003.pxr junk
    expect 0 "$PERMXOR" repair --force s
    same_files s o
    tidy
}

# An empty file with the name of a shard is replaced in the folder of the set, but not
# elsewhere.
test_repair_empty_elsewhere() {
    small_set
    rm s/f.003.pxr
    mkdir d
    : >d/f.003.pxr
    expect 3 "$PERMXOR" repair -o d s
    [ ! -s d/f.003.pxr ]
    expect 0 "$PERMXOR" repair -f -o d s
    cmp d/f.003.pxr o/f.003.pxr
}

# If a file has no header and no trailer, its cells prove which shard it is, whatever its name.
test_headless_shards() {
    small_set
    rm s/f.003.pxr
    for shard in 1 2; do
        flip s/f.00$shard.pxr 20
        flip s/f.00$shard.pxr $(($(size s/f.00$shard.pxr) - 400))
    done
    mv s/f.001.pxr s/f.003.pxr
    flip s/f.003.pxr "$(cell 0)"
    expect 0 "$PERMXOR" decode -o - s
    cmp out f
    says err "s/f.003.pxr: header and trailer are damaged, but its cells prove that it is shard 001"
    expect 1 "$PERMXOR" verify s
    says out "shard 001: s/f.003.pxr: damaged header, damaged trailer, 1 corrupt cells"
    cp s/f.003.pxr s/g.pxr
    rm s/f.003.pxr
    expect 0 "$PERMXOR" repair s
    cmp s/g.pxr o/f.001.pxr
    mv s/g.pxr s/f.001.pxr
    same_files s o
}

test_headless_for_read_errors() {
    need_bad_reads
    end=$(($(size s/f.001.pxr) - 1))
    rules="5 f.001.pxr 0 512;5 f.001.pxr $end 1"
    expect 3 bad_reads "$rules" "$PERMXOR" verify s
    says out "shard 001: s/f.001.pxr: header or trailer unreadable: Input/output error"
    stat -c %i s/f.001.pxr >before
    expect 3 bad_reads "$rules" "$PERMXOR" repair s
    stat -c %i s/f.001.pxr >after
    cmp before after
    # If nothing of a shard can be read, it may still be intact.
    expect 3 bad_reads "5 f.001.pxr 0 9999" "$PERMXOR" verify s
    says out "shard 001: missing: s/f.001.pxr cannot be read"
    expect 3 bad_reads "5 f.001.pxr 0 9999" "$PERMXOR" repair s
    same_files s o
}
