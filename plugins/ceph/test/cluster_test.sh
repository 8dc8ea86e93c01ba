#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The plugin in a real cluster of one machine (cluster.sh): pools of its own, pools of the
# isa and jerasure plugins taken over and given back, overwrites, OSDs that stop, die and
# come back, bad profiles, and a plugin for another Ceph.  Whatever is written is compared
# with a model, also while two OSDs are down, so that data has to be decoded.
#
# From the environment: PLUGIN, our libec_permxor.so; ORIGINALS, the folder of Ceph's own
# plugins, which is only read; top_srcdir and top_builddir.  PXR_SEED=N repeats the contents.

: "${PLUGIN:?}" "${top_srcdir:?}" "${top_builddir:?}" "${PXR_SEED:=$(date +%s)}"
export PXR_SEED
top_srcdir=$(cd "$top_srcdir" && pwd) && PLUGIN=$(realpath "$PLUGIN") || exit 1
here=$top_srcdir/plugins/ceph/test
suite=ceph_cluster
osds=6

not_here() {
    echo "skipped: $suite ($1)"
    echo "$suite: 0 passed, 0 failed, 1 skipped"
    exit 0
}

[ "$(id -u)" = 0 ] || not_here "not root"
for program in ceph ceph-mon ceph-mgr ceph-osd ceph-authtool ceph-objectstore-tool monmaptool; do
    command -v $program > /dev/null || not_here "no $program"
done
for python in "${PYTHON:-python3}" /usr/bin/python3 ''; do
    "${python:-not_here}" -c 'import rados' 2> /dev/null && break
done
[ "$python" ] || not_here "no python3 with rados"
: "${ORIGINALS:=$(ceph-osd --no-mon-config -c /dev/null --show-config-value erasure_code_dir)}"

mkdir -p "$top_builddir/sub-builds/ceph" && cd "$top_builddir/sub-builds/ceph" || exit 1
cluster=$(pwd)
work=$cluster
unset CEPH_ARGS
CEPH_CONF=$cluster/ceph.conf
export CEPH_CONF
. "$here/cluster.sh"
. "$top_srcdir/unit/checks.sh"
. "$here/cluster_folders.sh"
trap remove_cluster EXIT
trap 'exit 130' INT TERM HUP
kill_all
rm -rf "${cluster:?}"/*

# ----------------------------------------------------------------- pools ----

whole="isa_van isa_cauchy jer_van jer_r6 jer_good lrc clay"
over="isa_over jer_over"

# lrc and clay code with jerasure inside.
make_pools() {
    do_ make_pool isa_van whole plugin=isa technique=reed_sol_van k=4 m=2 &&
        do_ make_pool isa_cauchy whole plugin=isa technique=cauchy k=4 m=2 &&
        do_ make_pool isa_over overwrites plugin=isa technique=reed_sol_van k=4 m=2 &&
        do_ make_pool jer_van whole plugin=jerasure technique=reed_sol_van k=4 m=2 &&
        do_ make_pool jer_over overwrites plugin=jerasure technique=reed_sol_van k=4 m=2 &&
        do_ make_pool jer_r6 whole plugin=jerasure technique=reed_sol_r6_op k=4 m=2 &&
        do_ make_pool jer_good whole plugin=jerasure technique=cauchy_good k=4 m=2 &&
        do_ make_pool lrc whole plugin=lrc k=2 m=2 l=2 &&
        do_ make_pool clay whole plugin=clay k=4 m=2
}

new_whole="new_van new_cauchy"
new="$new_whole new_over"

make_new_pools() {
    do_ make_pool new_van whole plugin=permxor technique=reed_sol_van k=4 m=2 &&
        do_ make_pool new_cauchy whole plugin=permxor technique=cauchy k=4 m=2 &&
        do_ make_pool new_over overwrites plugin=permxor k=4 m=2
}

# back FOLDER NAME...: OSDs that start again, and recovery.
back() {
    start "$@" && do_ wait_up $osds && do_ wait_clean
}

# ------------------------------------------------------------- scenarios ----

# shellcheck disable=SC2086
by_the_originals() {
    need "cluster made" make_cluster "$original"
    need "pools of the originals" make_pools
    need "written by the originals" do_ write original $whole
    need "overwritten by the originals" do_ overwrite original 10 $over
    need "profiles, to the originals" do_ profiles "$work/answers.original" isa jerasure
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

# The monitor alone runs without the originals, so no pool suffers.
without_originals() {
    stop TERM mon.a && start "$alone" mon.a &&
        do_ refused EINVAL libec_jerasure_original.so plugin=jerasure k=4 m=2 \
            technique=reed_sol_van w=16 &&
        do_ refused ENOENT libec_jerasure_original.so plugin=jerasure k=4 m=2 \
            technique=cauchy_good &&
        stop TERM mon.a && start "$ours" mon.a && do_ wait_up $osds
}

bad_profiles() {
    need "profiles, to ours" do_ profiles "$work/answers.ours" isa jerasure
    need "the same answers, word for word" diff "$work/answers.original" "$work/answers.ours"
    need "k=0" do_ refused EINVAL "k=0 must be >= 2" plugin=permxor k=0
    need "m too large" do_ refused EINVAL "m=5 is not MDS" plugin=permxor m=5
    need "k+m too large" do_ refused EINVAL "at most k+m=255" plugin=jerasure k=250 m=9
    need "unknown technique" do_ refused ENOENT "technique=foo is not a valid" plugin=permxor \
        technique=foo
    need "text for a number" do_ refused EINVAL "could not convert k=four to int" \
        plugin=permxor k=four
    need "the ceph command says so" refused_by_the_command
    need "w=16 and cauchy_good without the original" without_originals
}

# shellcheck disable=SC2086
new_pools() {
    need "new pools" make_new_pools
    need "written to them" do_ write new $new_whole
    need "overwritten" do_ overwrite new 40 new_over
    need "all read" do_ compare 0
    need "all deep-scrubbed" do_ deep_scrub
}

# damage OSD SHARD OBJECT: changes some bytes of what a stopped OSD has of an object.
damage() {
    store="ceph-objectstore-tool --no-mon-config --data-path $cluster/osd.$1 --pgid $2"
    # shellcheck disable=SC2086
    $store "$3" get-bytes "$work/shard" &&
        printf damage | dd of="$work/shard" bs=1 seek=1000 conv=notrunc &&
        $store "$3" set-bytes "$work/shard"
}

# Two OSDs stop; one comes back with a damaged object, and both with a plugin that hands all
# to the originals, not knowing this Ceph.
# shellcheck disable=SC2086
stopped() {
    damaged=$(do_ shard new_van new.1000003 2) || exit 1
    need "two OSDs stopped" stop TERM osd.2 osd.3
    need "the others are up" do_ wait_up 4
    need "new pools, two OSDs down" do_ compare 2 $new
    need "written to them, two OSDs down" do_ write new_degraded $new_whole
    need "overwritten, two OSDs down" do_ overwrite new_degraded 20 new_over
    need "the same bytes, two OSDs down" do_ compare 2 $new
    need "a shard is damaged" damage 2 "$damaged" new.1000003
    need "back with a plugin for another Ceph" back "$strange" osd.2 osd.3
    need "the damage is found" do_ inconsistent new_van "${damaged%s*}"
    need "it is repaired" do_ repair "${damaged%s*}"
}

# An OSD that is told to load it at once ends, and says why.
refused_by_an_osd() {
    stop TERM osd.3 || return 1
    ceph-osd -f -c "$cluster/ceph.conf" -i 3 --erasure-code-dir "$ours" \
        --osd-erasure-code-plugins "jerasure isa stranger" > "$work/refused" 2>&1 &
    echo $! > "$cluster/osd.3.pid"
    ended osd.3
    [ "$status" -eq 1 ] && grep 'libec_stranger.*made for Ceph' "$work/refused"
}

strangers() {
    need "refused by the monitor" do_ refused EXDEV "made for Ceph" plugin=stranger
    need "refused by an OSD" refused_by_an_osd
    need "the OSD starts without it" back "$strange" osd.3
}

# more_acknowledged: the stream goes on.
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
    need "recovered by the originals" back "$original" osd.4 osd.5
    need "all read" do_ compare 0
    need "all deep-scrubbed" do_ deep_scrub
}

make_folders || exit 1
by_the_originals
taken_over
bad_profiles
new_pools
stopped
strangers
killed
given_back
need "all daemons run" running
finish
