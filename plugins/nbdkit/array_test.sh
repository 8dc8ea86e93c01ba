#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests arrays that nbdkit serves for writing: plugins/nbdkit/array_test.py.
#
# It runs in the build directory.  The environment sets top_srcdir.

: "${top_srcdir:?}"
suite=array_test
PERMXOR_TUNE=
export PERMXOR_TUNE
# shellcheck source=unit/sums.sh
. "$top_srcdir/unit/sums.sh"

plugin=$PWD/.libs/nbdkit-permxor-plugin.so
[ -e "$plugin" ] || skip_all "needs configure --with-nbdkit-plugin-dir"
command -v nbdkit > /dev/null || skip_all "needs nbdkit"
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import nbd' 2> /dev/null && break
done
[ "$python" != none ] || skip_all "needs python3-libnbd"
work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-array.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
PYTHONDONTWRITEBYTECODE=1 "$python" "$top_srcdir/plugins/nbdkit/array_test.py" "$plugin" \
    "$PWD/permxor" "$work"
