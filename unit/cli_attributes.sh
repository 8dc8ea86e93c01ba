# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests of the file's mode, its time of modification and its holes.

# -------------------------------------------------------------- mode and time --

# restored MODE: succeeds if ./g has the time of ./f, and this mode.
restored() {
    set -- "$1 $(stat -c %y f)" "$(stat -c '%a %y' g)"
    [ "$1" = "$2" ] && return
    echo "mode and time are '$2' instead of '$1'"
    return 1
}

test_mode_and_time() {
    data 2000 f
    mkdir s
    for time in 2001-02-03T04:05:06.789012345Z @0 @-5.25 2038-01-20T00:00:00Z; do
        touch -d "$time" f || cannot "this file system has no time $time"
        for mode in 644 640 600 755 444; do
            chmod "$mode" f
            "$PERMXOR" encode -f -k 3 -m 2 --cell 64 -o s f
            expect 0 "$PERMXOR" decode -f -o g s
            [ ! -s err ]
            restored "$mode"
            # The mode and the time come from the headers, not from the files of the shards.
            touch s/*
            (umask 077 && "$PERMXOR" decode -f -j 1 -o g s)
            restored "$mode"
        done
    done
    expect 0 "$PERMXOR" info s
    says out "mode      0444"
    says out "modified  2038-01-20 00:00:00.000000000 UTC"
    rm s/f.00[03].pxr
    expect 0 "$PERMXOR" repair s
    expect 0 "$PERMXOR" decode -f -o g s
    restored 444
}

test_empty_file_has_a_time() {
    : >f
    chmod 640 f
    touch -d 2001-02-03T04:05:06Z f
    mkdir s
    "$PERMXOR" encode -o s f
    expect 0 "$PERMXOR" decode -o g s
    restored 640
}

# Users who cannot read the shards cannot read the decoded file either.
test_mode_is_narrowed() {
    data 2000 f
    chmod 755 f
    mkdir s
    "$PERMXOR" encode -k 3 -m 2 --cell 64 -o s f
    for modes in 644:755 640:750 604:705 600:700; do
        chmod "${modes%:*}" s/f.002.pxr
        "$PERMXOR" decode -f -o g s
        restored "${modes#*:}"
    done
    # Only users who may write the shards may write the file.  The right to execute remains even
    # for users who may not read the shards.
    for modes in 666:664:664 666:644:644 711:600:711 4755:644:755 3777:644:755; do
        chmod "${modes%%:*}" f
        "$PERMXOR" encode -f -k 3 -m 2 --cell 64 -o s f
        chmod "$(echo "$modes" | cut -d : -f 2)" s/*
        "$PERMXOR" decode -f -o g s
        restored "${modes##*:}"
        "$PERMXOR" info s >out
        says out "mode      $(printf '%04d' "${modes%%:*}")"
    done
}

# A stream has no mode and no time of modification.
test_stream_has_no_mode() {
    data 2000 f
    chmod 600 f
    touch -d @0 f
    mkdir s
    "$PERMXOR" encode -k 3 -m 2 --cell 64 -o s --name f - <f
    "$PERMXOR" info s >out
    silent out mode
    silent out modified
    expect 0 "$PERMXOR" decode -o g s
    [ "$(stat -c %a g)" = 600 ]
    [ g -nt f ]
    chmod 644 s/*
    expect 0 "$PERMXOR" decode -f -o g s
    [ "$(stat -c %a g)" = 644 ]
}

test_time_that_cannot_be_set() {
    need_shim
    small_set
    expect 0 with_fault no-time none "$PERMXOR" decode -o g s
    says err "g: cannot set the time of modification of the original: Operation not permitted"
    cmp f g
}

# A file system may have modes of its own.  If its mode would show the file to more users than
# can read the shards, decode fails.  Otherwise decode reports that the mode is another one.
test_mode_that_cannot_be_set() {
    need_shim
    stands_before_stat || cannot "needs glibc 2.33, because fstat() has to be replaced"
    data 2000 f
    chmod 640 f
    mkdir s
    "$PERMXOR" encode -k 3 -m 2 --cell 64 -o s f
    expect 3 with_fault own-modes .permxor- "$PERMXOR" decode -o g s
    says err "g: cannot set its mode: Operation not permitted"
    absent g
    chmod 644 s/*
    expect 0 with_fault own-modes .permxor- "$PERMXOR" decode -o g s
    says err "g: its mode is 644 instead of 640: the file system sets its own modes"
    cmp f g
}

# A file with lost parts has a new time of modification, so that it does not look like the
# original.
test_salvaged_file_is_new() {
    data 2000 f
    touch -d @0 f
    mkdir s
    "$PERMXOR" encode -k 3 -m 1 --cell 64 -o s f
    flip s/f.000.pxr "$(cell 2)"
    flip s/f.001.pxr "$(cell 2)"
    expect 4 "$PERMXOR" decode --salvage -o g s
    [ g -nt f ]
}

# ----------------------------------------------------------------------- holes --

# Prints the space that the files need on the disk, in KiB.
space() { # FILE...
    du -kc "$@" | tail -n 1 | cut -f 1
}

need_holes() {
    truncate -s 4M hole
    [ "$(space hole)" -lt 1024 ] || cannot "this file system has no holes"
    rm hole
}

less() { # NUMBER NUMBER
    [ "$1" -lt "$2" ] && return
    echo "$1 is not less than $2"
    return 1
}

# Makes a sparse ./f of 64 MiB with 1 MiB of data, at odd places and of odd sizes.
sparse_file() {
    need_holes
    truncate -s 67108865 f
    data 1048576 d
    dd if=d of=f bs=1000 seek=20000 count=400 conv=notrunc 2>/dev/null
    dd if=d of=f bs=1000 seek=40001 skip=400 conv=notrunc 2>/dev/null
}

test_holes() {
    sparse_file
    mkdir s
    for threads in 1 3; do
        expect 0 "$PERMXOR" encode -f -j $threads -k 4 -m 2 -o s f
        # The shards need 1.5 times 1 MiB, and one block for the checksum of each of 64 times 6
        # cells.
        less "$(space s)" 4600
        "$PERMXOR" info s/f.003.pxr >out
        says out sparse
        cp -r --sparse=always s o
        rm s/f.005.pxr
        flip s/f.001.pxr 6000000
        expect 0 "$PERMXOR" decode -f -j $threads -o g s
        cmp f g
        less "$(space g)" 1300
        expect 0 "$PERMXOR" repair -j $threads s
        same_files s o
        less "$(space s)" 4600
        expect 0 "$PERMXOR" verify --deep s
        "$PERMXOR" decode -o - s | cmp f -
        rm -r o
    done
}

# First the file has data and a hole up to its last byte.  Then the file is one hole.
test_holes_at_the_end() {
    need_holes
    mkdir s
    for bytes in 5000000 12582912; do
        rm -f f
        data 100 f
        truncate -s "$bytes" f
        for more in "" x; do
            expect 0 "$PERMXOR" encode -f -k 3 -m 2 --cell 64K -o s f
            expect 0 "$PERMXOR" decode -f -o g s
            cmp f g
            less "$(space g)" 64
            expect 0 "$PERMXOR" decode -f --salvage -o g s
            cmp f g
            : >f
            truncate -s "$bytes" f
        done
    done
}

# A file without holes gives shards without holes, so the space on the disk is reserved before
# the data are written.
test_zeros_are_no_holes() {
    need_holes
    head -c 4194304 /dev/zero >f
    sync f
    [ "$(space f)" -ge 4096 ] || cannot "this file system stores zeros as holes"
    mkdir s
    "$PERMXOR" encode -k 4 -m 2 --cell 4K -o s f
    "$PERMXOR" info s >out
    silent out sparse
    less 6000 "$(space s)"
    "$PERMXOR" decode -o g s
    less 4000 "$(space g)"
}
