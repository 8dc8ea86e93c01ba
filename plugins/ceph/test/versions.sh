#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the plugin of this build, the same file, in the versions of Ceph that Debian's other
# releases have: call by call, its bytes against the originals, in a real cluster, and from 20.2
# on with pools with allow_ec_optimizations.  Each release is a chroot (chroot.sh), which is
# made once and kept.  It takes 0.9 GB and some minutes each.
#
# RELEASES="trixie sid" are the releases, and PARTS="calls tool cluster fastec" are the tests.
# PARTS=scrub tests permxor-ceph-scrub in a cluster.  MIRROR=URL is where Debian is.
# CHROOTS=FOLDER is where the chroots are kept.  From the environment: PLUGIN, our
# libec_permxor.so; SCRUB, our permxor-ceph-scrub; top_srcdir and top_builddir; CC, CXX.

: "${PLUGIN:?}" "${SCRUB:?}" "${top_srcdir:?}" "${top_builddir:?}" "${PXR_SEED:=$(date +%s)}"
: "${CHROOTS:=$top_builddir/sub-builds/chroots}" "${RELEASES:=trixie sid}"
: "${PARTS:=calls tool cluster fastec}"
here=$top_srcdir/plugins/ceph/test
chroots=$CHROOTS
. "$top_srcdir/unit/suite.sh"
# shellcheck source=plugins/ceph/test/chroot.sh
. "$here/chroot.sh"

reason=$(why_no_chroot ip)
if [ "$reason" ]; then
    skip "the plugin in other versions of Ceph" "$reason"
    finish
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-versions.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
cp "$PLUGIN" "$work/libec_permxor.so" && cp "$SCRUB" "$work/permxor-ceph-scrub" &&
    cp "$top_builddir"/plugins/ceph/test/.libs/in_*.so "$work" && mkdir "$work/shards" &&
    sh "$here/variant.sh" damaged "$work/libec_damaged.so" || exit 1

plugins=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2> /dev/null ||
    echo x86_64-linux-gnu)/ceph/erasure-code

# try_suite SCRIPT ARGUMENT...: runs a script in the chroot, and adds its sum to ours.
try_suite() {
    script=$1
    shift
    echo "== $version, $script"
    began=$(date +%s)
    inside "$release" env PLUGIN=/mnt/libec_permxor.so DAMAGED=/mnt/libec_damaged.so \
        STRANGE=/mnt/libec_strange.so SCRUB=/mnt/permxor-ceph-scrub ORIGINALS="$plugins" \
        PXR_SEED="$PXR_SEED" MODULES=/mnt SHARDS=/mnt/shards \
        top_srcdir=/src top_builddir=/mnt/build TMPDIR=/mnt \
        sh "/src/plugins/ceph/test/$script" "$@" > "$work/log" 2>&1
    add_sum "$version, $script" "$work/log" $?
    echo "$version, $script: $(($(date +%s) - began)) s"
}

part_calls() {
    case $version in
    1[6-9].*) try_suite calls_test.sh in_classic ;;
    *) try_suite calls_test.sh in_classic in_flat ;;
    esac
}

# 20.2.4 decodes what the release before it in $RELEASES has encoded.
part_tool() {
    try_suite tool_test.sh
}

# The plugin for another Ceph than this one is made here, because no chroot has a compiler.
part_cluster() {
    minor=${version#*.}
    sh "$here/variant.sh" strange "$work/libec_strange.so" "${version%%.*}" "${minor%%.*}" ||
        { fail "$version: no plugin for another Ceph"; return; }
    try_suite cluster_test.sh
}

part_fastec() {
    case $version in
    1[6-9].*) skip "$version, fastec_test.sh" "has no allow_ec_optimizations" ;;
    *) try_suite fastec_test.sh ;;
    esac
}

part_scrub() {
    try_suite scrub_test.sh
}

echo "PXR_SEED=$PXR_SEED"
for release in $RELEASES; do
    if ! make_chroot "$release" "$ceph_packages"; then
        fail "no chroot of $release"
        continue
    fi
    version=$(inside "$release" ceph --version | sed -n 's/^ceph version \([0-9.]*\).*/\1/p')
    run_parts
done
finish
