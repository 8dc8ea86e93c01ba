#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Measures the plugin against the originals, by Ceph's own ceph_erasure_code_benchmark, in a
# chroot of Debian trixie (chroot.sh).  bookworm has no package of this program.  Objects of 1
# MiB are encoded, and decoded without their first m chunks.  benchmark.py says how it counts.
#
# REPETITIONS=15.  TECHNIQUES="cauchy_good w=16" chooses codes by such words.  CPU=NUMBER is the
# only processor that it runs on.  MIRROR=URL is where Debian is.  CHROOTS=FOLDER is where chroots
# are kept.  From the environment: PLUGIN, our libec_permxor.so; top_srcdir and top_builddir; CC,
# CXX.

: "${PLUGIN:?}" "${top_srcdir:?}" "${top_builddir:?}"
: "${CHROOTS:=$top_builddir/sub-builds/chroots}" "${REPETITIONS:=15}" "${CPU:=0}" "${TECHNIQUES:=}"
here=$top_srcdir/plugins/ceph/test
chroots=$CHROOTS
# shellcheck source=plugins/ceph/test/chroot.sh
. "$here/chroot.sh"

reason=$(why_no_chroot ip)
if [ "$reason" ]; then
    echo "skipped: Ceph's benchmark ($reason)"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
mkdir "$work/ours" "$work/idle" &&
    sh "$here/variant.sh" idle "$work/idle.so" || exit 1
for plugin in isa jerasure; do
    cp "$PLUGIN" "$work/ours/libec_$plugin.so" &&
        cp "$work/idle.so" "$work/idle/libec_$plugin.so" || exit 1
done
make_chroot trixie "$ceph_packages" || exit 1
# The originals are beside ours, as after a take-over.
# shellcheck disable=SC2016,SC2086 # a script of its own, and words
inside trixie taskset -c "$CPU" sh -c '
    folder=$(ceph-osd --no-mon-config -c /dev/null --show-config-value erasure_code_dir)
    for name in isa jerasure; do
        for ours in /mnt/ours /mnt/idle; do
            ln -s "$folder/libec_$name.so" "$ours/libec_${name}_original.so" || exit 1
        done
    done
    python3 /src/plugins/ceph/test/benchmark.py "$folder" /mnt/ours /mnt/idle "$@"' \
    - "$REPETITIONS" $TECHNIQUES
