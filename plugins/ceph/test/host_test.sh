#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the plugin in hosts of our own, call by call (host.h):
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

if [ ! -e "$ORIGINALS/libec_isa.so" ]; then
    skip "calls against the original plugins" "needs Ceph's plugins"
    finish
fi
# The host says that it is the release for which the originals were made.
: "${PXR_CEPH_VERSION:=$(ceph-osd --version 2> /dev/null |
    sed -n 's/^ceph version \([0-9.]*\).*/\1/p')}"
[ -z "$PXR_CEPH_VERSION" ] || export PXR_CEPH_VERSION
make_folders && stand_before "$standing_in" "$stand_in" &&
    stand_before "$misplaced" "$PLUGIN" || exit 1
export_folders

for program; do
    "$program" > "$work/log" 2>&1
    add_sum "$(basename "$program")" "$work/log" $?
done
finish
