#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the command permxor.
#
#   cli_test.sh [TEXT]    runs the tests whose names contain TEXT, or all tests
#
# $CLI_TESTS is TEXT if no argument is.  $CLI_PARTS chooses the files besides this one; some use
# functions of another one.  $CLI_RUN chooses those of them whose tests run (all).
#
# This file has the tests of round trips and of streams.  cli_lib.sh has the functions that all
# tests share, and the files of $parts have the other tests.  The script prints the names of the
# tests that fail, with their output, and the names of those that are skipped.
#
# The environment can set:
#
#   PERMXOR  the command ($top_builddir/permxor)
#   FORGE    the program unit/cli_forge, without which tests with crafted shards are skipped
#   BADREAD  the library unit/cli_badread, without which tests with read errors are skipped
#   PEAK     the program unit/cli_peak, without which tests of memory are skipped
#   ARRAY_SERVER  the program unit/cli_array_server, without which tests of served arrays are
#            skipped
#   SHIM     the library unit/cli_shim.so, without which tests with faults of file systems are
#            skipped
#   SEED     the seed of the random damage, to repeat a run
#
# By default the programs and libraries of unit/ are those beside the command.

PERMXOR=${PERMXOR:-${top_builddir:-.}/permxor}
FORGE=${FORGE:-$(dirname "$PERMXOR")/unit/cli_forge}
ARRAY_SERVER=${ARRAY_SERVER:-$(dirname "$PERMXOR")/unit/cli_array_server}
PEAK=${PEAK:-$(dirname "$PERMXOR")/unit/cli_peak}
BADREAD=${BADREAD:-$(dirname "$PERMXOR")/unit/.libs/cli_badread.so}
SHIM=${SHIM:-$(dirname "$PERMXOR")/unit/.libs/cli_shim.so}
SEED=${SEED:-$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')}
case $PERMXOR in /*) ;; *) PERMXOR=$(pwd)/$PERMXOR ;; esac
case $FORGE in /*) ;; *) FORGE=$(pwd)/$FORGE ;; esac
case $ARRAY_SERVER in /*) ;; *) ARRAY_SERVER=$(pwd)/$ARRAY_SERVER ;; esac
case $PEAK in /*) ;; *) PEAK=$(pwd)/$PEAK ;; esac
case $SHIM in /*) ;; *) SHIM=$(pwd)/$SHIM ;; esac
case $BADREAD in /*) ;; *) BADREAD=$(pwd)/$BADREAD ;; esac
LC_ALL=C
PERMXOR_TUNE=
export LC_ALL PERMXOR_TUNE
umask 022

here=$(dirname "$0")
tests=$(cd "$here" && pwd)
parts=${CLI_PARTS:-array attributes codes damage direct disks format hash hash_lines hashes hostile
    journal manners output reader salvage system tune}
work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-cli.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
chmod 755 "$work"
only=${1-${CLI_TESTS-}}

. "$here/sums.sh"
. "$here/cli_lib.sh"
files=$0
for part in $parts; do
    case " ${CLI_RUN:-$parts} " in
    *[[:space:]]"$part"[[:space:]]*) files="$files $here/cli_$part.sh" ;;
    esac
    # shellcheck disable=SC1090 # each is checked by itself
    . "$here/cli_$part.sh"
done

# ---------------------------------------------------------------- round trip --

# round_trip OPTION...: encodes ./f, removes shards 0 and 2, decodes and repairs.
round_trip() {
    rm -rf s o g
    mkdir s
    expect 0 "$PERMXOR" encode "$@" -o s f
    cp -r s o
    expect 0 "$PERMXOR" verify s
    says out "no damage"
    expect 0 "$PERMXOR" decode -o g s
    cmp f g
    rm s/f.000.pxr s/f.002.pxr
    expect 1 "$PERMXOR" verify s
    says out "shard 002: missing"
    expect 0 "$PERMXOR" decode -f -o g s
    cmp f g
    expect 0 "$PERMXOR" repair s
    same_files s o
    tidy
}

test_sizes() {
    for bytes in 0 1 2 3 4 63 64 65 100 150 191 192 193 255 256 300 350 383 384 385 5100; do
        echo "$bytes bytes"
        data $bytes f
        round_trip -k 3 -m 2 --cell 64
    done
}

test_default_options() {
    data 7000000 f
    expect 0 "$PERMXOR" encode f
    [ "$(find . -name 'f.*.pxr' | wc -l)" -eq 14 ]
    mv f g
    rm f.001.pxr f.005.pxr f.009.pxr f.013.pxr
    expect 0 "$PERMXOR" decode f.*.pxr
    cmp f g
    says err "4 missing shards"
}

test_matrices() {
    data 100000 f
    round_trip -k 4 -m 2 --cell 4K --matrix jerasure_r6
    for matrix in isal_cauchy isal_vand jerasure_van klauspost_vand; do
        echo "$matrix"
        round_trip -k 5 -m 3 --cell 4K --matrix $matrix
    done
}

test_shapes() {
    data 300000 f
    round_trip -k 1 -m 2 --cell 1K
    round_trip -k 2 -m 254 --cell 64K
    round_trip -k 200 -m 55 --cell 64 -j 3
}

test_threads() {
    data 3000000 f
    for threads in 1 2 7; do
        round_trip -j $threads --cell 16K -q
    done
}

test_all_parity_used() {
    data 500000 f
    mkdir s
    expect 0 "$PERMXOR" encode -k 4 -m 4 --cell 8K -o s f
    rm s/f.00[0-3].pxr
    expect 0 "$PERMXOR" decode -o - s
    cmp out f
}

# ------------------------------------------------------------------- streams --

test_stdin() {
    mkdir s
    for bytes in 0 1 150 191 192 193 384 5100; do
        echo "$bytes bytes"
        data $bytes f
        rm -f s/*
        cat f | expect 0 "$PERMXOR" encode -k 3 -m 2 --cell 64 -o s --name f -
        expect 0 "$PERMXOR" verify s
        rm s/f.001.pxr
        expect 0 "$PERMXOR" decode -o - s
        cmp out f
    done
}

test_stdin_same_shards() {
    data 5000 f
    mkdir s p
    expect 0 "$PERMXOR" encode -k 3 -m 2 --cell 64 -o s f
    cat f | expect 0 "$PERMXOR" encode -k 3 -m 2 --cell 64 -o p --name f -
    # The checksums differ, because they depend on the set.  Compare cell 20 of shard 4.
    for d in s p; do
        tail -c +$(($(cell 20) + 1)) $d/f.004.pxr | head -c 64 >$d.cell
    done
    cmp s.cell p.cell
}

test_slow_pipe() {
    data 4000 f
    mkdir s
    { head -c 100; sleep 0.15; head -c 1; sleep 0.15; cat; } <f |
        expect 0 "$PERMXOR" encode -k 3 -m 2 --cell 64 -o s --name f -
    "$PERMXOR" decode -o - s | { sleep 0.1; cat; } >g
    cmp f g
}

# Another program may have made the pipes non-blocking.
test_nonblocking_pipes() {
    perl -MFcntl -e 1 || cannot "no perl"
    data 3000000 f
    mkdir s
    # shellcheck disable=SC2016
    { head -c 100; sleep 0.2; cat; } <f |
        expect 0 perl -MFcntl -e 'fcntl(STDIN, F_SETFL, O_NONBLOCK); exec @ARGV' \
            "$PERMXOR" encode --cell 16K --name f -o s -
    # shellcheck disable=SC2016
    perl -MFcntl -e 'fcntl(STDOUT, F_SETFL, O_NONBLOCK); exec @ARGV' \
        "$PERMXOR" decode -o - s | { sleep 0.3; cat; } >g
    cmp f g
}

test_big_pipe() {
    data 5000000 f
    mkdir s
    cat f | expect 0 "$PERMXOR" encode --cell 16K -j 4 -o s --name f -
    "$PERMXOR" decode -j 4 -o - s | cmp - f
}

# The size of a file in /proc is 0 although the file has contents.
test_file_without_size() {
    [ -r /proc/self/mounts ] || cannot "no /proc"
    mkdir s
    expect 0 "$PERMXOR" encode -o s /proc/self/mounts
    expect 0 "$PERMXOR" decode -o - s
    [ -s out ]
    cmp out /proc/self/mounts
}

test_stdin_needs_name() {
    expect 2 "$PERMXOR" encode - </dev/null
    says err "--name"
}

test_decode_to_device() {
    small_set
    ln -s /dev/null target
    expect 0 "$PERMXOR" decode -o target s
    [ -c /dev/null ] && [ -L target ]
}

test_decode_into_directory() {
    small_set
    mkdir d
    expect 0 "$PERMXOR" decode -o d s
    cmp f d/f
}

test_broken_pipe() {
    data 3000000 f
    mkdir s
    "$PERMXOR" encode -o s f
    { "$PERMXOR" decode -o - s || echo $? >status; } | head -c 10 >/dev/null
    [ "$(cat status)" -ne 0 ]
}

# ------------------------------------------------------------------------ main --

# shellcheck disable=SC2086
for test in $(sed -n 's/^test_\([a-z_]*\)().*/\1/p' $files); do
    run_test "$test"
done
finish
