#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Measures the speed of the plugin for buffers of all kinds, against the originals
# (bench_buffers.cc):
#   bench_buffers.sh PROGRAM
# CASES="4+2 delta" chooses the rows whose names contain one of these words.
#
# From the environment: top_srcdir; PLUGIN, our libec_permxor.so.

: "${top_srcdir:?}" "${PLUGIN:?}" "${1:?}"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-ceph-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

. "$top_srcdir/plugins/ceph/test/originals.sh"
. "$top_srcdir/plugins/ceph/test/folders.sh"

if [ ! -e "$ORIGINALS/libec_isa.so" ]; then
    echo "skipped: buffers against the original plugins (needs Ceph's plugins)"
    exit 0
fi
make_folders || exit 1
export_folders
# shellcheck disable=SC2086 # words
"$1" $CASES
