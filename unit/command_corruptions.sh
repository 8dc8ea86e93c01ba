#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Random corruptions of sets of shards: unit/corruptions.c.  Without an argument some
# hundred cases in this build; with --sanitized 100,000 (CORRUPTIONS) under
# AddressSanitizer and UndefinedBehaviorSanitizer, in a build below this one.
#
# From the environment: top_srcdir and top_builddir; for --sanitized what
# sub_build.sh needs; PXR_SEED repeats a run.

: "${top_srcdir:?}" "${top_builddir:?}"
seed=${PXR_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
count=$((300 * ${PXR_EFFORT:-100} / 100))
folder=$top_builddir

# Leaks are looked for by the other tests: that takes longer than these commands do.  A header
# that claims gigabytes finds no memory, instead of a sanitizer that gives up.  Each command is
# a fork of a worker: with all that the worker has freed kept in quarantine, 256 MiB, forking
# takes longer than the command.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:allocator_may_return_null=1
ASAN_OPTIONS=$ASAN_OPTIONS:max_allocation_size_mb=256:quarantine_size_mb=8
UBSAN_OPTIONS=print_stacktrace=1
PERMXOR_TUNE=
export ASAN_OPTIONS UBSAN_OPTIONS PERMXOR_TUNE

suite=command_corruptions
# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

if [ "${1-}" = --sanitized ]; then
    . "$top_srcdir/unit/sub_build.sh"
    copy_sources || exit 1
    flags="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
    (sub_build corruptions unit/corruptions CFLAGS="-O1 -g1 $flags" \
        --enable-kernel-sets="$(chosen_set)") || exit 1
    folder=$sub_root/corruptions
    count=${CORRUPTIONS:-100000}
fi
[ -x "$folder/unit/corruptions" ] || skip_all "this build has no command"
exec "$folder/unit/corruptions" "$seed" "$count"
