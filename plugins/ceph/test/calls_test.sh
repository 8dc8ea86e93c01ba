#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the plugin in the real Ceph, call by call (in_host.cc):
#   calls_test.sh MODULE...    in_classic, in_flat
#
# From the environment: MODULES, the folder of the modules, and what tool_test.sh needs.

: "${MODULES:?}" "${top_srcdir:?}" "${PLUGIN:?}" "${ORIGINALS:?}"
here=$top_srcdir/plugins/ceph/test

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-ceph-calls.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

. "$top_srcdir/unit/suite.sh"
# shellcheck source=plugins/ceph/test/folders.sh
. "$here/folders.sh"
# shellcheck source=plugins/ceph/test/tool_lib.sh
. "$here/tool_lib.sh"

make_folders || exit 1
PXR_CEPH_TAKEN=$ours
export PXR_CEPH_TAKEN

# The tool gets no plugin in the end, so it ends with an error.  The sum comes from the module.
for module; do
    cp "$MODULES/$module.so" "$ours/libec_$module.so" || exit 1
    tool "$ours" test-plugin-exists "$module" > "$work/log" 2> "$work/errors"
    add_sum "$module" "$work/log" 0
    grep -v "load dlsym\|did not register" "$work/errors"
done
finish
