#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the plugin for nbdkit with nbdkit itself: plugins/nbdkit/nbdkit_test.py.
#
# It runs in the build directory.  The environment sets top_srcdir.

: "${top_srcdir:?}"
suite=nbdkit_test
PERMXOR_TUNE=
export PERMXOR_TUNE
# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

plugin=$PWD/.libs/nbdkit-permxor-plugin.so
[ -e "$plugin" ] || skip_all "needs configure --with-nbdkit-plugin-dir"
for program in nbdkit nbdcopy nbdinfo python3; do
    command -v $program > /dev/null || skip_all "needs $program"
done
work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-nbdkit.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
PYTHONDONTWRITEBYTECODE=1 python3 "$top_srcdir/plugins/nbdkit/nbdkit_test.py" "$plugin" \
    "$PWD/permxor" "$work"
