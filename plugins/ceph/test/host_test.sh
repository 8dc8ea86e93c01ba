#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The plugin in hosts of our own, call by call (host.h):
#
#   host_test.sh STAND_IN PROGRAM...
#
# From the environment: top_srcdir; PLUGIN, our libec_permxor.so; ORIGINALS, the folder of
# Ceph's own plugins.

: "${top_srcdir:?}" "${PLUGIN:?}"
stand_in=${1:?stand_in.so}
shift

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-ceph-host.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

. "$top_srcdir/unit/suite.sh"
. "$top_srcdir/plugins/ceph/test/folders.sh"

if [ ! -e "$originals/libec_isa.so" ]; then
    skip "calls against the original plugins" "needs Ceph's plugins"
    finish
fi
make_folders "$stand_in"
export_folders
misplaced=$work/misplaced # ours, where the originals ought to be
three_names "$misplaced"
for name in isa jerasure; do
    cp "$PLUGIN" "$misplaced/libec_${name}_original.so"
done
PXR_CEPH_MISPLACED=$misplaced
export PXR_CEPH_MISPLACED

for program; do
    "$program" > "$work/log" 2>&1
    add_sum "$(basename "$program")" "$work/log" $?
done
finish
