#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The plugin in a real cluster of one machine (cluster.sh): pools of its own, pools of the
# isa and jerasure plugins taken over and given back, overwrites, OSDs that stop, die and
# come back, bad profiles, and a plugin for another version.  Whatever is written is compared
# with a model; data that is lacking for want of an OSD has to be decoded.
#
# From the environment: PLUGIN, our libec_permxor.so; ORIGINALS, the folder of Ceph's own
# plugins, which is only read; top_srcdir and top_builddir.  PXR_SEED=N repeats the contents.

: "${PLUGIN:?}" "${top_srcdir:?}" "${top_builddir:?}" "${PXR_SEED:=$(date +%s)}"
export PXR_SEED
top_srcdir=$(cd "$top_srcdir" && pwd) || exit 1
here=$top_srcdir/plugins/ceph/test
suite=ceph_cluster
osds=6

not_here() {
    echo "skipped: $suite ($1)"
    echo "$suite: 0 passed, 0 failed, 1 skipped"
    exit 0
}

[ "$(id -u)" = 0 ] || not_here "not root"
for program in ceph-mon ceph-mgr ceph-osd ceph-authtool ceph-objectstore-tool; do
    command -v $program > /dev/null || not_here "no $program"
done
for python in "${PYTHON:-python3}" /usr/bin/python3 ''; do
    "${python:-not_here}" -c 'import rados' 2> /dev/null && break
done
[ "$python" ] || not_here "no python3 with rados"
: "${ORIGINALS:=$(ceph-osd --no-mon-config -c /dev/null --show-config-value erasure_code_dir)}"

PLUGIN=$(realpath "$PLUGIN") || exit 1
mkdir -p "$top_builddir/sub-builds/ceph" && cd "$top_builddir/sub-builds/ceph" || exit 1
cluster=$(pwd)
work=$cluster
unset CEPH_CONF CEPH_ARGS
. "$here/cluster.sh"
. "$top_srcdir/unit/checks.sh"
trap remove_cluster EXIT
trap 'exit 130' INT TERM HUP
kill_all
rm -rf "${cluster:?}"/*

# The last errors in each daemon's log.
errors() {
    for log in "$cluster"/*.log; do
        grep -HE ' -1 |ceph_assert|Caught signal' "$log" | sed "s|$cluster/||" | tail -n 3
    done
}

# need NAME COMMAND...: a check that prints what it counted; nothing follows a failure.
need() {
    check "$@"
    if [ "$failed" -gt 0 ]; then
        echo "seed $PXR_SEED"
        running
        errors
        finish
    fi
    echo "$1: $(tail -n 1 "$work/check.log")"
}

# ------------------------------------------------------- plugin folders ----

# folder NAME: a new folder of plugins, with the originals and permxor.
folder() {
    mkdir "$cluster/$1" && ln -s "$ORIGINALS"/libec_*.so "$cluster/$1" &&
        cp "$PLUGIN" "$cluster/$1/libec_permxor.so"
}

# take_over NAME PLUGIN...: ours in the place of these, without the originals.
take_over() {
    folder=$cluster/$1
    shift
    for plugin; do
        rm "$folder/libec_$plugin.so" && cp "$PLUGIN" "$folder/libec_$plugin.so" || return 1
    done
}

# keep NAME PLUGIN...: these originals beside ours.
keep() {
    folder=$cluster/$1
    shift
    for plugin; do
        ln -s "$ORIGINALS/libec_$plugin.so" "$folder/libec_${plugin}_original.so" || return 1
    done
}

make_folders() {
    folder original && folder ours && folder alone &&
        take_over ours isa jerasure && keep ours isa jerasure &&
        take_over alone isa jerasure
}

# uses FOLDER: every OSD that runs has plugins of this folder only.
uses() {
    for daemon in $(names | grep osd); do
        grep -o '/[^ ]*/libec_[^ ]*' "/proc/$(cat "$cluster/$daemon.pid")/maps" | sort -u
    done > "$work/maps"
    [ -s "$work/maps" ] && ! grep -v "^$1/" "$work/maps"
}

# ------------------------------------------------------------- scenarios ----

# make_pool NAME OVERWRITES PROFILE...
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

whole="isa_van isa_cauchy jer_van jer_r6 jer_good lrc clay"
over="isa_over jer_over"

make_new_pools() {
    do_ make_pool new_van whole plugin=permxor technique=reed_sol_van k=4 m=2 &&
        do_ make_pool new_cauchy whole plugin=permxor technique=cauchy k=4 m=2 &&
        do_ make_pool new_over overwrites plugin=permxor k=4 m=2
}

# back_up NAME...: starts OSDs and waits for recovery.
back_up() {
    start "$folder" "$@" && do_ wait_up $osds && do_ wait_clean
}

# shellcheck disable=SC2086
by_the_original() {
    need "cluster made" make_cluster "$cluster/original"
    folder=$cluster/original
    need "pools of the originals" make_pools
    need "written by the originals" do_ write original $whole
    need "overwritten by the originals" do_ overwrite original 10 $over
}

# shellcheck disable=SC2086
taken_over() {
    need "taken over, two OSDs down" restart "$cluster/ours" $(osd_names 2 5)
    folder=$cluster/ours
    need "read by ours, two OSDs down" do_ compare 2
    need "written by ours, two OSDs down" do_ write ours_degraded $whole
    need "overwritten by ours, two OSDs down" do_ overwrite ours_degraded 20 $over
    need "the same bytes, two OSDs down" do_ compare 2
    need "recovered by ours" back_up osd.0 osd.1
    need "written by ours" do_ write ours $whole
    need "overwritten by ours" do_ overwrite ours 20 $over
}

new_pools() {
    need "new pools" make_new_pools
    need "written to them" do_ write new new_van new_cauchy
    need "overwritten" do_ overwrite new 40 new_over
    need "all read by ours" do_ compare 0
    need "all deep-scrubbed by ours" do_ deep_scrub
}

stopped() {
    need "two OSDs stopped" stop TERM osd.2 osd.3
    need "the others are up" do_ wait_up 4
    need "new pools, two OSDs down" do_ compare 2 new_van new_cauchy new_over
    need "written to them, two OSDs down" do_ write new_degraded new_van new_cauchy
    need "overwritten, two OSDs down" do_ overwrite new_degraded 20 new_over
    need "the same bytes, two OSDs down" do_ compare 2 new_van new_cauchy new_over
    need "recovered" back_up osd.2 osd.3
}

# more_acknowledged: the stream goes on.
more_acknowledged() {
    before=$(cat "$cluster/acknowledged")
    for try in $(seq 600); do
        sleep 0.1
        [ "$(cat "$cluster/acknowledged")" -gt "$((before + 50))" ] && return
    done
    echo "stuck after $before in try $try"
    return 1
}

end_stream() {
    : > "$cluster/enough"
    ended writer
    cat "$cluster/writer.out"
    return $status
}

killed() {
    echo 0 > "$cluster/acknowledged"
    "$python" "$here/cluster_do.py" "$cluster" stream new_over new_van isa_van jer_van \
        > "$cluster/writer.out" 2>&1 &
    echo $! > "$cluster/writer.pid"
    need "writes go on" more_acknowledged
    need "an OSD is killed" stop KILL osd.4
    need "writes go on" more_acknowledged
    need "another is killed" stop KILL osd.5
    need "writes go on" more_acknowledged
    start "$folder" osd.4 osd.5
    need "both are back" do_ wait_up $osds
    need "writes go on" more_acknowledged
    need "writes end" end_stream
    need "recovered" do_ wait_clean
    need "nothing is lost" do_ compare 0
    need "all deep-scrubbed" do_ deep_scrub
}

given_back() {
    # shellcheck disable=SC2046
    need "given back, two OSDs down" restart "$cluster/original" $(osd_names 0 3)
    folder=$cluster/original
    need "read by the originals, two OSDs down" do_ compare 2
    need "recovered by the originals" back_up osd.4 osd.5
    need "all read by the originals" do_ compare 0
    need "all deep-scrubbed" do_ deep_scrub
}

make_folders || exit 1
by_the_original
taken_over
new_pools
stopped
killed
given_back
need "all daemons run" running
finish
