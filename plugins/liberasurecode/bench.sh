#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Measures liberasurecode with this build's libisal.so.2 and with Debian's libisal2, by turns in
# one run (bench.c).  It takes about ten seconds.
#
# From the environment: top_srcdir, top_builddir, CC.

: "${top_srcdir:?}" "${top_builddir:?}" "${CC:=cc}"

here=$top_srcdir/plugins/liberasurecode
work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-liberasurecode.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ours=$(readlink -f "$top_builddir/.libs")/libisal.so.2
installed=$(dpkg-query -L liberasurecode1 2> /dev/null | sed -n 's|/liberasurecode.so.1$||p')

if [ ! -e "$installed/libisal.so.2" ] || [ ! -e "$ours" ]; then
    echo "skipped: bench-liberasurecode (needs what tools/setup.sh --plugins installs)"
    exit 0
fi
# shellcheck disable=SC2086 # CC may be several words
$CC -std=gnu11 -O2 -D_GNU_SOURCE -o "$work/bench" "$here/bench.c" "$here/sides.c" -ldl || exit 1
# Without these settings, a large part of the measured time is the kernel mapping pages.
MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=4000000000 \
    "$work/bench" "$installed/liberasurecode.so.1" "$installed/libisal.so.2" "$ours"
