#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the plugin in a real cluster on one machine (cluster.sh):
#
# - pools of its own;
# - pools of the isa and jerasure plugins, of each technique: taken over, served without the
#   originals, and given back;
# - overwrites;
# - OSDs that stop, die and come back;
# - bad profiles;
# - a plugin for another Ceph.
#
# All that is written is compared with a model, also while two OSDs are down, so that data has
# to be decoded.
#
# From the environment, absolute paths: PLUGIN, our libec_permxor.so; ORIGINALS, the folder of
# Ceph's own plugins, which is only read; top_srcdir and top_builddir, and what variant.sh needs,
# or STRANGE, the plugin that it makes.  PXR_SEED=N repeats the contents.

: "${PLUGIN:?}" "${top_srcdir:?}" "${top_builddir:?}"
suite=ceph_cluster
. "$top_srcdir/plugins/ceph/test/cluster.sh"
find_programs
enter_folder
check "a plugin for another Ceph" make_strange
[ "$failed" -eq 0 ] || finish

# ----------------------------------------------------------------- pools ----

whole="isa_van isa_cauchy jer_van jer_r6 jer_words jer_orig jer_lib jer_blaum jer_liber8 lrc clay"
over="isa_over jer_over jer_good"

# lrc and clay use jerasure inside.  The order sets the numbers of the pools, by which CRUSH
# places them.  With some numbers, Ceph 16.2 lists no object of lrc while two OSDs are down,
# whichever plugins it has.
make_pools() {
    do_ make_pool isa_van whole plugin=isa technique=reed_sol_van k=4 m=2 &&
        do_ make_pool isa_cauchy whole plugin=isa technique=cauchy k=4 m=2 &&
        do_ make_pool isa_over overwrites plugin=isa technique=reed_sol_van k=4 m=2 &&
        do_ make_pool jer_van whole plugin=jerasure technique=reed_sol_van k=4 m=2 &&
        do_ make_pool jer_over overwrites plugin=jerasure technique=reed_sol_van k=4 m=2 &&
        do_ make_pool jer_r6 whole plugin=jerasure technique=reed_sol_r6_op k=4 m=2 &&
        do_ make_pool jer_good overwrites plugin=jerasure technique=cauchy_good k=4 m=2 &&
        do_ make_pool lrc whole plugin=lrc k=2 m=2 l=2 &&
        do_ make_pool clay whole plugin=clay k=4 m=2 &&
        do_ make_pool jer_words whole plugin=jerasure technique=reed_sol_van k=4 m=2 w=16 &&
        do_ make_pool jer_orig whole plugin=jerasure technique=cauchy_orig k=4 m=2 w=4 \
            packetsize=1024 &&
        do_ make_pool jer_lib whole plugin=jerasure technique=liberation k=4 m=2 &&
        do_ make_pool jer_blaum whole plugin=jerasure technique=blaum_roth k=4 m=2 w=6 &&
        do_ make_pool jer_liber8 whole plugin=jerasure technique=liber8tion k=4 m=2
}

new_whole="new_van new_cauchy"
new="$new_whole new_over"

make_new_pools() {
    do_ make_pool new_van whole plugin=permxor technique=reed_sol_van k=4 m=2 &&
        do_ make_pool new_cauchy whole plugin=permxor technique=cauchy k=4 m=2 &&
        do_ make_pool new_over overwrites plugin=permxor k=4 m=2 &&
        do_ make_pool new_image overwrites plugin=permxor k=4 m=2 &&
        do_ make_image new_image
}

# ------------------------------------------------------------- scenarios ----

# shellcheck disable=SC2086
filled_by_the_originals() {
    need "cluster made" make_cluster "$original"
    need "pools of the originals" make_pools
    need "written by the originals" do_ write original $whole
    need "overwritten by the originals" do_ overwrite original 10 $over
    need "profiles, to the originals" do_ profiles "$work/answers.original" isa jerasure
}

# Nothing of ours runs yet.  A crash of a daemon at this point (seen with an OSD of Ceph 16.2)
# says nothing about our plugin.  So the cluster is made a second time, but not a third time.
by_the_originals() {
    filled_by_the_originals
    running && return
    echo "Ceph crashed with its own plugins: the cluster is made again"
    errors
    discard_cluster
    filled_by_the_originals
}

# shellcheck disable=SC2046,SC2086
taken_over() {
    need "taken over, two OSDs down" restart "$ours" $(osd_names 2 5)
    need "our plugins run" loaded "$ours" isa jerasure
    need "read by ours, two OSDs down" do_ compare 2
    need "written by ours, two OSDs down" do_ write ours_degraded $whole
    need "overwritten by ours, two OSDs down" do_ overwrite ours_degraded 20 $over
    need "the same bytes, two OSDs down" do_ compare 2
    need "recovered by ours" back "$ours" osd.0 osd.1
    need "written by ours" do_ write ours $whole
    need "overwritten by ours" do_ overwrite ours 20 $over
}

refused_by_the_command() {
    ceph osd erasure-code-profile set bad plugin=permxor k=0 && return 1
    grep -q '^Error EINVAL: .*k=0 must be >= 2' "$work/check.log"
}

# Tests a Ceph whose own plugins are gone.
# shellcheck disable=SC2046,SC2086
without_originals() {
    need "no originals, two OSDs down" restart "$alone" $(osd_names 0 3)
    need "our plugins run without originals" loaded "$alone" isa jerasure
    need "read without originals, two OSDs down" do_ compare 2
    need "written without originals, two OSDs down" do_ write alone_degraded $whole
    need "overwritten without originals, two OSDs down" do_ overwrite alone_degraded 20 $over
    need "recovered without originals" back "$alone" osd.4 osd.5
    need "all read without originals" do_ compare 0
    need "all deep-scrubbed without originals" do_ deep_scrub
    need "the originals are beside ours again" restart "$ours" $(osd_names 0 5)
}

bad_profiles() {
    need "profiles, to ours" do_ profiles "$work/answers.ours" isa jerasure
    need "the same answers, word for word" diff "$work/answers.original" "$work/answers.ours"
    need "k=0" do_ refused EINVAL "k=0 must be >= 2" plugin=permxor k=0
    need "m too large" do_ refused EINVAL "m=5 should be less than 5" plugin=permxor m=5
    need "k+m too large" do_ refused EINVAL "(k+m)=128 must be <= 127" plugin=permxor k=124 m=4
    need "far too large" do_ refused EINVAL "k+m" plugin=jerasure k=250 m=9
    need "unknown technique" do_ refused ENOENT "technique=foo is not a valid" plugin=permxor \
        technique=foo
    need "text for a number" do_ refused EINVAL "could not convert k=four to int" \
        plugin=permxor k=four
    need "the ceph command says so" refused_by_the_command
    need "where the original crashes" do_ refused EINVAL "packetsize=0 must be >= 1" \
        plugin=jerasure technique=cauchy_good packetsize=0
}

# shellcheck disable=SC2086
new_pools() {
    need "new pools" make_new_pools
    need "written to them" do_ write new $new_whole
    need "overwritten" do_ overwrite new 40 new_over
    need "an image written" do_ change_image new 200
    need "the image read" do_ compare_image
    need "all read" do_ compare 0
    need "all deep-scrubbed" do_ deep_scrub
}

# damage OSD SHARD OBJECT: changes some bytes of an object on a stopped OSD.
damage() {
    store="ceph-objectstore-tool --no-mon-config --data-path $cluster/osd.$1 --pgid $2"
    # shellcheck disable=SC2086
    $store "$3" get-bytes "$work/shard" &&
        printf damage | dd of="$work/shard" bs=1 seek=1000 conv=notrunc &&
        $store "$3" set-bytes "$work/shard"
}

# Two OSDs stop and come back with plugins that do not know this Ceph, so that the originals
# code in their place.  One of the two comes back with a damaged object.
# shellcheck disable=SC2086
stopped() {
    damaged=$(do_ shard new_van new.1000003 2) || exit 1
    need "two OSDs stopped" stop TERM osd.2 osd.3
    need "the others are up" do_ wait_up 4
    need "new pools, two OSDs down" do_ compare 2 $new
    need "written to them, two OSDs down" do_ write new_degraded $new_whole
    need "overwritten, two OSDs down" do_ overwrite new_degraded 20 new_over
    need "the same bytes, two OSDs down" do_ compare 2 $new
    need "the image read, two OSDs down" do_ compare_image
    need "the image written, two OSDs down" do_ change_image new_degraded 100
    need "the same image, two OSDs down" do_ compare_image
    need "a shard is damaged" damage 2 "$damaged" new.1000003
    need "back with a plugin for another Ceph" back "$strange" osd.2 osd.3
    need "the damage is found" do_ inconsistent new_van "${damaged%s*}"
    need "it is repaired" do_ repair "${damaged%s*}"
}

# stepped_in NAME...: checks that these daemons say that isa codes permxor's pools.
stepped_in() {
    for daemon; do
        grep 'made for Ceph.* libec_isa_original.so codes the pools of plugin permxor' \
            "$cluster/$daemon.out" || return 1
    done
}

# Some OSDs code with isa and others with permxor, in the same pool.
# shellcheck disable=SC2086
mixed() {
    need "isa codes for two OSDs" stepped_in osd.2 osd.3
    need "written by both" do_ write mixed $new_whole
    need "overwritten by both" do_ overwrite mixed 20 new_over
    need "two of ours stopped" stop TERM osd.0 osd.1
    need "the others are up" do_ wait_up 4
    need "read by both, two OSDs down" do_ compare 2 $new
    need "written by both, two OSDs down" do_ write mixed_degraded $new_whole
    need "overwritten by both, two OSDs down" do_ overwrite mixed_degraded 20 new_over
    need "the same bytes, two OSDs down" do_ compare 2 $new
    need "the image written by both" do_ change_image mixed_degraded 100
    need "the same image" do_ compare_image
    need "recovered by both" back "$ours" osd.0 osd.1
    need "all read" do_ compare 0 $new
    need "all deep-scrubbed" do_ deep_scrub
}

# Without an original, the monitor refuses the plugin and says so.  No pool suffers.
refused_by_the_monitor() {
    stop TERM mon.a && start_with "" "$stranded" mon.a &&
        do_ refused EXDEV "made for Ceph" plugin=isa k=4 m=2 &&
        do_ refused EXDEV "made for Ceph" plugin=permxor k=4 m=2 &&
        stop TERM mon.a && start "$ours" mon.a && do_ wait_up $osds
}

# An OSD that is told to load the plugin at once ends, and says why.
refused_by_an_osd() {
    stop TERM osd.3 && start_with permxor "$stranded" osd.3 || return 1
    ended osd.3
    [ "$status" -eq 1 ] && grep 'libec_permxor.*made for Ceph' "$cluster/osd.3.out"
}

refusals() {
    need "refused by the monitor" refused_by_the_monitor
    need "refused by an OSD" refused_by_an_osd
    need "the OSD starts with what codes" back "$strange" osd.3
}

# more_acknowledged: waits until more writes of the stream are acknowledged.
more_acknowledged() {
    before=$(cat "$cluster/acknowledged")
    for try in $(seq 600); do
        sleep 0.1
        [ "$(cat "$cluster/acknowledged")" -gt "$((before + 300))" ] && return
    done
    echo "stuck at $before in try $try"
    return 1
}

end_stream() {
    : > "$cluster/enough"
    ended writer
    cat "$cluster/writer.out"
    return "$status"
}

killed() {
    echo 0 > "$cluster/acknowledged"
    "$python" "$here/cluster_do.py" "$cluster" stream new_over new_van isa_van jer_van \
        > "$cluster/writer.out" 2>&1 &
    echo $! > "$cluster/writer.pid"
    need "writes are going on" more_acknowledged
    need "an OSD is killed" stop KILL osd.4
    need "writes go on" more_acknowledged
    need "another is killed" stop KILL osd.5
    need "writes go on" more_acknowledged
    start "$ours" osd.4 osd.5
    need "both are back" do_ wait_up $osds
    need "writes go on" more_acknowledged
    need "writes end" end_stream
    need "recovered" do_ wait_clean
    need "nothing is lost" do_ compare 0
    need "all deep-scrubbed" do_ deep_scrub
}

# shellcheck disable=SC2046
given_back() {
    need "given back, two OSDs down" restart "$original" $(osd_names 0 3)
    need "the originals run" loaded "$ORIGINALS" isa jerasure
    need "read by the originals, two OSDs down" do_ compare 2
    need "the image read" do_ compare_image
    need "recovered by the originals" back "$original" osd.4 osd.5
    need "all read" do_ compare 0
    need "all deep-scrubbed" do_ deep_scrub
}

by_the_originals
taken_over
without_originals
bad_profiles
new_pools
stopped
mixed
refusals
killed
given_back
need "all daemons run" running
finish
