# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests of the file's hash, of sets whose id is computed from the
# hash, and of sets of format 1, which have no hash.

# ----------------------------------------------------------------------- hash --

sha256_of() { # FILE
    sha256sum "$1" | cut -d ' ' -f 1
}

# The hash is the SHA-256 of the file, also of an empty file or a stream, and with any number of
# threads.
test_hash_recorded() {
    mkdir s
    for bytes in 0 1 63 64 192 193 5100 3000000; do
        data $bytes f
        for threads in 1 3; do
            expect 0 "$PERMXOR" encode -f -k 3 -m 2 --cell 64 -j $threads -o s f
            expect 0 "$PERMXOR" info s
            [ "$(grep -c "  sha256    $(sha256_of f)" out)" = 5 ]
            [ "$(grep -c "  format    2" out)" = 5 ]
        done
        cat f | expect 0 "$PERMXOR" encode -f -k 3 -m 2 --cell 64 -o s --name f -
        expect 0 "$PERMXOR" info s
        [ "$(grep -c "  sha256    $(sha256_of f)" out)" = 5 ]
        rm s/f.000.pxr s/f.004.pxr
        expect 0 "$PERMXOR" decode -f -j 3 -o g s
        cmp f g
        expect 0 "$PERMXOR" decode -j 3 -o - s
        cmp f out
        "$PERMXOR" repair s
        expect 0 "$PERMXOR" verify --deep -j 3 s
    done
}

test_no_hash() {
    data 5000 f
    mkdir s
    expect 0 "$PERMXOR" encode --no-hash -k 3 -m 2 --cell 64 -o s f
    expect 0 "$PERMXOR" info s
    silent out sha256
    rm s/f.001.pxr
    expect 0 "$PERMXOR" decode -o g s
    cmp f g
    expect 0 "$PERMXOR" decode -o - s
    cmp f out
    expect 0 "$PERMXOR" repair s
    expect 0 "$PERMXOR" verify --deep s
}

# All checksums are right, but the file is not the original file.
test_hash_mismatch() {
    need_forge
    small_set
    "$FORGE" s/f.001.pxr cell 3
    expect 4 "$PERMXOR" decode -o g s
    says err "g: wrong data: the SHA-256 is "
    says err ", but it was $(sha256_of f) when the file was encoded; nothing is written"
    says err "verify --deep"
    says err "use 'permxor decode --salvage' to write the rest"
    absent g
    tidy
    expect 4 "$PERMXOR" decode -o - s
    says err "was $(sha256_of f) when the file was encoded; do not use the output"
    expect 4 "$PERMXOR" decode --salvage -o g s
    says err "g: wrong data: the SHA-256 is $(sha256_of g), but it was $(sha256_of f) "
    [ "$(size g)" = 2000 ]
    # If a part of the file is lost, only the loss is reported.
    rm g s/f.00[45].pxr
    flip s/f.002.pxr "$(cell 1)"
    expect 4 "$PERMXOR" decode --salvage -o g s
    says err "g: lost: "
    silent err SHA-256
}

test_hash_in_verify() {
    need_forge
    small_set
    # First a data shard is wrong, then a parity shard, and then a hash with which all cells
    # agree.
    "$FORGE" s/f.001.pxr cell 3
    expect 0 "$PERMXOR" verify s
    expect 4 "$PERMXOR" verify --deep s
    says out "shard 001: s/f.001.pxr: WRONG"
    says out "NOT REPAIRABLE: the SHA-256 of the data is "
    says out ", but it was $(sha256_of f) when the file was encoded"
    cp o/f.001.pxr s
    "$FORGE" s/f.004.pxr cell 3
    expect 4 "$PERMXOR" verify --deep s
    says out "shard 004: s/f.004.pxr: WRONG"
    says out "the SHA-256 of the data is right"
    cp o/* s
    forge_all 328 00112233
    expect 4 "$PERMXOR" verify --deep -q s
    says out "NOT REPAIRABLE: the SHA-256 of the data is $(sha256_of f), but it was 00112233"
    [ "$(grep -c REPAIRABLE out)" = 1 ]
    # If a part of the file is lost, there is no hash to compare.
    rm s/f.00[0-2].pxr
    expect 4 "$PERMXOR" verify --deep s
    silent out SHA-256
}

# ---------------------------------------------------------------- reproducible --

# Prints the id that doc/format.md defines.  It is computed without the command.
id_by_the_book() { # SHARD
    {
        printf 'permxor set id 1'
        head -c 16 "$1"
        head -c 16 /dev/zero
        tail -c +33 "$1" | head -c 6
        head -c 2 /dev/zero
        tail -c +41 "$1" | head -c 456
    } | sha256sum | cut -c 1-32
}

id_of() { # SHARD
    "$PERMXOR" info "$1" | sed -n 's/^  set  *//p'
}

# The same file with the same name gives the same shards, byte for byte, with any mode, time,
# holes and number of threads.  Other options give another set.
test_reproducible() {
    mkdir s o again elsewhere
    for bytes in 0 1 5100 1000000; do
        data $bytes f
        for options in "-k 3 -m 2 --cell 64" "-k 4 -m 2 --cell 4K --matrix jerasure_r6"; do
            rm -f s/* o/* again/*
            # shellcheck disable=SC2086
            expect 0 "$PERMXOR" encode --reproducible -j 1 $options -o s f
            cp --sparse=always f elsewhere/f
            chmod 600 elsewhere/f
            touch -d @7 elsewhere/f
            # shellcheck disable=SC2086
            expect 0 "$PERMXOR" encode --reproducible -j 3 $options -o again elsewhere/f
            same_files s again
            "$PERMXOR" info s/f.004.pxr >out
            says out "set       $(id_by_the_book s/f.004.pxr)"
            silent out modified
            silent out sparse
            expect 0 "$PERMXOR" decode -f -o g s
            cmp f g
            # Another encode makes a lost shard again, without the other shards.
            cp s/* o
            rm s/f.001.pxr
            cp again/f.001.pxr s
            expect 0 "$PERMXOR" verify --deep s
            rm s/f.002.pxr
            expect 0 "$PERMXOR" repair s
            same_files s o
            # A set can replace itself.
            # shellcheck disable=SC2086
            expect 0 "$PERMXOR" encode --reproducible -f $options -o s f
            same_files s o
        done
    done
    id_of s/f.000.pxr >ids
    for options in "-k 5 -m 2 --cell 4K --matrix jerasure_r6" "-k 4 -m 2 --cell 4K" \
        "-k 4 -m 2 --cell 8K --matrix jerasure_r6" "-k 4 -m 2 --cell 4K --matrix isal_vand" \
        "-k 4 -m 3 --cell 4K" "-k 4 -m 2 --cell 4K --matrix jerasure_r6 --name e"; do
        rm -f again/*
        # shellcheck disable=SC2086
        expect 0 "$PERMXOR" encode --reproducible $options -o again f
        id_of again/*.000.pxr >>ids
    done
    printf x >>f
    "$PERMXOR" encode --reproducible -k 4 -m 2 --cell 4K --matrix jerasure_r6 -f -o again f
    id_of again/f.000.pxr >>ids
    [ "$(sort -u ids | wc -l)" = 8 ]
}

test_reproducible_needs_a_file() {
    data 1000 f
    mkfifo p
    mkdir s
    expect 2 "$PERMXOR" encode --reproducible --name f -o s - <f
    says err "standard input: --reproducible has to read the file twice"
    cat f >p &
    expect 2 "$PERMXOR" encode --reproducible -o s p
    says err "p: --reproducible has to read the file twice"
    expect 2 "$PERMXOR" encode --reproducible --no-hash -o s f
    says err "encode: --reproducible needs the SHA-256"
    empty s
}

# The command reads the file twice, and both reads must give the same bytes.
test_reproducible_but_changing() {
    need_shim
    data 5000 f
    mkdir s
    expect 3 with_fault reread /f "$PERMXOR" encode --reproducible -k 3 -m 2 --cell 64 -o s f
    says err "f: changed while it was read"
    empty s
}

# ------------------------------------------------------------------- format 1 --

# Changes a set to format 1.
make_format_one() {
    forge_all 8 01000000
    forge_all 304 "$(printf '%0112d' 0)"
}

test_format_one() {
    need_forge
    for bytes in 0 2000; do
        rm -rf f s o
        data $bytes f
        mkdir s
        "$PERMXOR" encode -k 4 -m 2 --cell 64 -o s f
        make_format_one
        cp -r s o
        expect 0 "$PERMXOR" verify --deep s
        says out "no damage"
        expect 0 "$PERMXOR" info s/f.002.pxr
        says out "  format    1"
        silent out sha256
        silent out mode
        silent out modified
        expect 0 "$PERMXOR" decode -f -o g s
        cmp f g
        expect 0 "$PERMXOR" decode -o - s
        cmp f out
        rm s/f.000.pxr
        flip s/f.004.pxr 3
        [ "$bytes" = 0 ] || flip s/f.001.pxr "$(cell 3)"
        expect 1 "$PERMXOR" verify s
        expect 0 "$PERMXOR" decode -f -o g s
        cmp f g
        expect 0 "$PERMXOR" repair s
        same_files s o
    done
    # Format 1 has no attributes, so a header with attributes is not valid.
    "$FORGE" s/f.003.pxr 304 01
    expect 1 "$PERMXOR" verify s
    says err "s/f.003.pxr: not usable: the header has values that are not valid"
}

test_senseless_attributes() {
    need_forge
    small_set
    # The headers have these errors: an undefined attribute, the attribute for mode and time
    # without these, a mode of 13 bits, a full second in nanoseconds, the attribute for a hash
    # without a hash, seven folders of six shards, and bytes before, between and after the
    # fields.
    for patch in 304:08 304:01 308:00100000 320:00ca9a3b 304:02 324:07 303:01 360:01 495:01; do
        cp o/f.002.pxr s/f.002.pxr
        "$FORGE" s/f.002.pxr "${patch%:*}" "${patch#*:}"
        expect 1 "$PERMXOR" verify s
        says err "s/f.002.pxr: not usable: the header has values that are not valid"
    done
}
