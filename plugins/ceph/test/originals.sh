# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Sourced by what make calls: exports ORIGINALS, where this system's Ceph has its own plugins.

: "${ORIGINALS:=$(ceph-osd --no-mon-config -c /dev/null \
    --show-config-value erasure_code_dir 2> /dev/null || echo /no/ceph)}"
export ORIGINALS

# Otherwise ours would be compared with itself.
if grep -qs 'made for Ceph' "$ORIGINALS"/libec_isa.so "$ORIGINALS"/libec_jerasure.so; then
    echo "FAILED: $ORIGINALS: isa or jerasure there is permxor, not the original"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
