#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests pools with allow_ec_optimizations, which Ceph has from 20.2 on.  Random changes and
# reads of pieces of objects are compared with a model while OSDs stop and come back.  The pools
# are our own, and pools that the isa and jerasure plugins began.  At the end, with two other
# OSDs down, the originals read what the plugin left.
#
# A plugin that changes parity wrongly must be detected.  This shows that Ceph changes parity by
# its difference, and that the test looks at it.
#
# From the environment: the same as cluster_test.sh, and DAMAGED, the wrong plugin (variant.sh).

: "${PLUGIN:?}" "${DAMAGED:?}" "${top_srcdir:?}" "${top_builddir:?}"
suite=ceph_fastec
. "$top_srcdir/plugins/ceph/test/cluster.sh"
find_programs
enter_folder
put "$DAMAGED" "$ours/libec_damaged.so" || exit 1

# ----------------------------------------------------------------- pools ----

theirs="isa0 isa2 isac2 jer0 jer2"
pools="$theirs own0 own2"

make_their_pools() {
    van="technique=reed_sol_van k=4 m=2"
    for delta in 0 2; do
        # shellcheck disable=SC2086 # several words
        do_ make_fast_pool isa$delta $delta plugin=isa $van &&
            do_ make_fast_pool jer$delta $delta plugin=jerasure $van || return 1
    done
    do_ make_fast_pool isac2 2 plugin=isa technique=cauchy k=3 m=3
}

make_own_pools() {
    do_ make_fast_pool own0 0 plugin=permxor k=4 m=2 &&
        do_ make_fast_pool own2 2 plugin=permxor technique=cauchy k=4 m=2
}

# ------------------------------------------------------------- scenarios ----

changes_end() {
    wait $writer
    writer_status=$?
    cat "$work/changes"
    return $writer_status
}

# changes_and NAME COMMAND...: runs the command while changes go on.
# shellcheck disable=SC2086
changes_and() {
    do_ overwrite_fast "$1" 60 $pools > "$work/changes" 2>&1 &
    writer=$!
    shift
    sleep 1
    need "$*" "$@"
    need "changes meanwhile" changes_end
}

# shellcheck disable=SC2086
same_bytes() {
    need "$2" do_ compare "$1" $pools
    need "$2, ranges" do_ compare_ranges "$2" 100 $pools
}

# shellcheck disable=SC2046,SC2086
by_the_original() {
    need "cluster made" make_cluster "$original"
    need "pools of the originals" make_their_pools
    need "clean" do_ wait_clean
    need "begun by the originals" do_ overwrite_fast original 40 $theirs
    need "taken over" restart "$ours" $(osd_names 0 5)
    need "pools of our own" make_own_pools
    need "clean" do_ wait_clean
    need "begun by ours" do_ overwrite_fast own 40 own0 own2
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
    need "changed" do_ overwrite_fast degraded 60 $pools
    same_bytes 2 "changed, two OSDs down"
    changes_and back back "$ours" osd.0 osd.1
    need "recovered" do_ wait_clean
    same_bytes 0 "recovered"
    need "all deep-scrubbed" do_ deep_scrub
}

# shellcheck disable=SC2046,SC2086
given_back() {
    need "given back, two others down" restart "$original" $(osd_names 0 3)
    same_bytes 2 "read by the originals, two others down"
    need "recovered by the originals" back "$original" osd.4 osd.5
    need "changed by them" do_ overwrite_fast given_back 20 $pools
    same_bytes 0 "the same bytes"
    need "all deep-scrubbed by the originals" do_ deep_scrub
}

# damage_is_found: the same test must fail with the wrong plugin.
damage_is_found() {
    do_ make_fast_pool wrong 2 plugin=damaged k=4 m=2 &&
        do_ overwrite_fast wrong 60 wrong && do_ compare 0 wrong && stop TERM osd.2 osd.3 &&
        do_ wait_up 4 || return 1
    ! do_ compare 2 wrong > "$work/wrong.log" 2>&1 && grep differs "$work/wrong.log" &&
        do_ remove_pool wrong && rm -r "$cluster/model/wrong"
}

by_the_original
stopping
need "the damaged plugin is found out" damage_is_found
need "all are back" back "$ours" osd.2 osd.3
given_back
need "all daemons run" running
finish
