#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Pools with allow_ec_optimizations, which Ceph has from 20.2 on: random changes and reads
# of pieces of objects against a model, while OSDs stop and come back, in pools of our own
# and in pools that the isa and jerasure plugins began.  At the end the originals read, with
# two other OSDs down, what the plugin left.  That parity is written by its
# difference, and looked at, shows in a plugin that does this wrong: it has to be found out.
#
# From the environment: PLUGIN, our libec_permxor.so, and DAMAGED, the wrong one
# (variant.sh); ORIGINALS, the folder of Ceph's own plugins, which is only read; top_srcdir
# and top_builddir.  PXR_SEED=N repeats the changes.

: "${PLUGIN:?}" "${DAMAGED:?}" "${top_srcdir:?}" "${top_builddir:?}" "${PXR_SEED:=$(date +%s)}"
: "${ORIGINALS:?}" "${python:=python3}"
export PXR_SEED
here=$top_srcdir/plugins/ceph/test
suite=ceph_fastec
osds=6
PLUGIN=$(realpath "$PLUGIN") && DAMAGED=$(realpath "$DAMAGED") || exit 1
mkdir -p "$top_builddir/sub-builds/ceph-fastec" && cd "$top_builddir/sub-builds/ceph-fastec" ||
    exit 1
cluster=$(pwd)
work=$cluster
unset CEPH_CONF CEPH_ARGS
. "$here/cluster.sh"
. "$top_srcdir/unit/checks.sh"
trap remove_cluster EXIT
trap 'exit 130' INT TERM HUP
rm -rf "${cluster:?}"/*

fast_() {
    "$python" "$here/fastec_do.py" "$cluster" "$@"
}

# need NAME COMMAND...: a check that prints what it counted; nothing follows a failure.
need() {
    check "$@"
    if [ "$failed" -gt 0 ]; then
        echo "seed $PXR_SEED"
        running
        grep -hE ' -1 |ceph_assert|Caught signal' "$cluster"/*.log | cut -c 1-200 | tail -n 20
        finish
    fi
    echo "$1: $(tail -n 1 "$work/check.log")"
}

make_folders() {
    mkdir "$cluster/original" "$cluster/ours" &&
        ln -s "$ORIGINALS"/libec_*.so "$cluster/original" &&
        cp "$PLUGIN" "$cluster/original/libec_permxor.so" &&
        ln -s "$ORIGINALS"/libec_*.so "$cluster/ours" || return 1
    for plugin in isa jerasure; do
        mv "$cluster/ours/libec_$plugin.so" "$cluster/ours/libec_${plugin}_original.so" &&
            cp "$PLUGIN" "$cluster/ours/libec_$plugin.so" || return 1
    done
    cp "$PLUGIN" "$cluster/ours/libec_permxor.so" &&
        cp "$DAMAGED" "$cluster/ours/libec_damaged.so"
}

# ----------------------------------------------------------------- pools ----

theirs="isa0 isa2 isac2 jer0 jer2"
pools="$theirs own0 own2"

make_their_pools() {
    van="technique=reed_sol_van k=4 m=2"
    for delta in 0 2; do
        # shellcheck disable=SC2086 # several words
        fast_ make_fast_pool isa$delta $delta plugin=isa $van &&
            fast_ make_fast_pool jer$delta $delta plugin=jerasure $van || return 1
    done
    fast_ make_fast_pool isac2 2 plugin=isa technique=cauchy k=3 m=3
}

make_own_pools() {
    fast_ make_fast_pool own0 0 plugin=permxor k=4 m=2 &&
        fast_ make_fast_pool own2 2 plugin=permxor technique=cauchy k=4 m=2
}

# ------------------------------------------------------------- scenarios ----

changes_end() {
    wait $writer
    writer_status=$?
    cat "$work/changes"
    return $writer_status
}

# changes_and NAME COMMAND...: what happens while changes go on.
# shellcheck disable=SC2086
changes_and() {
    fast_ overwrite_fast "$1" 60 $pools > "$work/changes" 2>&1 &
    writer=$!
    shift
    sleep 1
    need "$*" "$@"
    need "changes meanwhile" changes_end
}

# shellcheck disable=SC2086
same_bytes() {
    need "$2" do_ compare "$1" $pools
    need "$2, ranges" fast_ compare_ranges "$2" 100 $pools
}

back_up() {
    start "$folder" "$@" && do_ wait_up $osds && do_ wait_clean
}

# shellcheck disable=SC2086
by_the_original() {
    folder=$cluster/original
    need "cluster made" make_cluster "$folder"
    need "pools of the originals" make_their_pools
    need "clean" do_ wait_clean
    need "begun by the originals" fast_ overwrite_fast original 40 $theirs
    need "taken over" restart "$cluster/ours" $(osd_names 0 5)
    folder=$cluster/ours
    need "pools of our own" make_own_pools
    need "clean" do_ wait_clean
    need "begun by ours" fast_ overwrite_fast own 40 own0 own2
    same_bytes 0 "all is there"
}

# shellcheck disable=SC2086
stopping() {
    changes_and first stop TERM osd.0
    need "one OSD down" do_ wait_up 5
    same_bytes 1 "one OSD down"
    changes_and second stop KILL osd.1
    need "two OSDs down" do_ wait_up 4
    same_bytes 2 "two OSDs down"
    need "changed" fast_ overwrite_fast degraded 60 $pools
    same_bytes 2 "changed, two OSDs down"
    changes_and back back_up osd.0 osd.1
    need "recovered" do_ wait_clean
    same_bytes 0 "recovered"
    need "all deep-scrubbed" do_ deep_scrub
}

# shellcheck disable=SC2086
given_back() {
    need "given back, two others down" restart "$cluster/original" $(osd_names 0 3)
    folder=$cluster/original
    same_bytes 2 "read by the originals, two others down"
    need "recovered by the originals" back_up osd.4 osd.5
    need "changed by them" fast_ overwrite_fast given_back 20 $pools
    same_bytes 0 "the same bytes"
    need "all deep-scrubbed by the originals" do_ deep_scrub
}

# damage_is_found: the same test, of the wrong plugin, fails.
damage_is_found() {
    fast_ make_fast_pool wrong 2 plugin=damaged k=4 m=2 &&
        fast_ overwrite_fast wrong 60 wrong && do_ compare 0 wrong && stop TERM osd.2 osd.3 &&
        do_ wait_up 4 || return 1
    ! do_ compare 2 wrong > "$work/wrong.log" 2>&1 && grep differs "$work/wrong.log" &&
        fast_ remove_pool wrong && rm -r "$cluster/model/wrong"
}

make_folders || exit 1
by_the_original
stopping
need "the damaged plugin is found out" damage_is_found
need "all are back" back_up osd.2 osd.3
given_back
need "all daemons run" running
finish
