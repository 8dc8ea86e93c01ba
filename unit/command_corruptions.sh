#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the command on random corruptions of sets of shards, with unit/corruptions.c.
#
#   command_corruptions.sh              300 cases in this build.  PXR_EFFORT=N does N % of them
#   command_corruptions.sh --sanitized  100,000 cases (CORRUPTIONS) with AddressSanitizer and
#                                       UndefinedBehaviorSanitizer, in a build below this one
#
# The environment sets top_srcdir and top_builddir, and for --sanitized what sub_build.sh needs.
# PXR_SEED repeats a run.

: "${top_srcdir:?}" "${top_builddir:?}"
seed=${PXR_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
count=$((300 * ${PXR_EFFORT:-100} / 100))
folder=$top_builddir

# Leak detection is off: it would take longer than these commands, and other tests detect leaks.
# If a header claims gigabytes, the allocation fails, and the sanitizer does not abort.  Each
# command is a fork of a worker.  With the default quarantine of freed memory, 256 MiB, a fork
# would take longer than the command.
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
