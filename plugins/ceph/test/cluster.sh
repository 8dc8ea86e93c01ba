# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by the tests that need a Ceph cluster on one machine: a monitor, a manager and $osds
# OSDs on the loopback interface.  All their files are in the folder $cluster, which is also
# $work.  No daemon is a service of the system.  The daemons are children of the shell, so their
# pids and exit statuses are known.  The test sets $suite, and what the tests' environment has.

: "${ORIGINALS:?}" "${top_srcdir:?}" "${top_builddir:?}" "${PXR_SEED:=$(date +%s)}"
export PXR_SEED
here=$top_srcdir/plugins/ceph/test
osds=6
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"

# ---------------------------------------------------------------- a test ----

find_programs() {
    [ "$(id -u)" = 0 ] || skip_all "not root"
    [ -e "$ORIGINALS/libec_isa.so" ] || skip_all "no originals"
    for program in ceph ceph-mon ceph-mgr ceph-osd ceph-authtool ceph-objectstore-tool \
        monmaptool rbd; do
        command -v $program > /dev/null || skip_all "no $program"
    done
    for python in "${PYTHON:-python3}" /usr/bin/python3 ''; do
        "${python:-false}" -c 'import rados' 2> /dev/null && return
    done
    skip_all "no python3 with rados"
}

# A monitor does not start if 1 % of its disk is free or less ("mon data avail crit", a whole
# number of percents).  The OSDs of a test hold some gigabytes.
need_space() {
    df -Pk . | awk 'NR == 2 { exit $4 < $2 / 100 * 3 + 4 * 1024 * 1024 }' ||
        skip_all "needs 4 GiB of disk, and 3 % of it free beside them"
}

# Makes a folder that is empty except for plugins (folders.sh).  It becomes the working
# directory.
enter_folder() {
    mkdir -p "$top_builddir/sub-builds/$suite" && cd "$top_builddir/sub-builds/$suite" || exit 1
    cluster=$(pwd)
    work=$cluster
    unset CEPH_ARGS
    CEPH_CONF=$cluster/ceph.conf
    export CEPH_CONF
    kill_all
    rm -rf "${cluster:?}"/*
    need_space
    trap remove_cluster EXIT
    trap 'exit 130' INT TERM HUP
    # shellcheck source=plugins/ceph/test/folders.sh
    . "$here/folders.sh"
    make_folders || exit 1
}

# need NAME COMMAND...: a check that prints what it counted.  After a failure, the test ends.
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

# --------------------------------------------------------- configuration ----

# Writes the whole configuration.  The sockets' paths are relative to the working directory,
# because 107 bytes would be too many.  So is the folder of classes that some releases of Debian
# have compiled in.  A scrub starts at the next tick, and a stopped OSD is down at once, so that
# nothing waits for a clock.  The caches are small.  What an OSD says when it ends is written
# out.
write_configuration() {
    fsid=$(cat /proc/sys/kernel/random/uuid)
    classes=$(ceph-osd --no-mon-config -c /dev/null --show-config-value osd_class_dir)
    address="[v2:127.0.0.1:$(free_port)/0]"
    cat > "$cluster/ceph.conf" << END
[global]
fsid = $fsid
mon host = $address
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
keyring = $cluster/keyring
run dir = $cluster
crash dir = $cluster/crash
log file = $cluster/\$name.log
mon cluster log file = $cluster/cluster.log
client mount timeout = 60
rados osd op timeout = 90
rados mon op timeout = 30
osd crush chooseleaf type = 0
osd pool default pg autoscale mode = off
mon allow pool delete = true
paxos propose interval = 0.05
paxos min wait = 0.01
mon data avail warn = 1
mon data avail crit = 1
mon osd down out interval = 3600
mon osd reporter subtree level = osd
mon warn on insecure global id reclaim allowed = false
mgr stats period = 1
mgr disabled modules = dashboard restful
[mon]
admin socket = \$name.asok
mon data = $cluster/\$name
[mgr]
admin socket = \$name.asok
mgr data = $cluster/\$name
[osd]
admin socket = \$name.asok
log flush on exit = true
osd data = $cluster/\$name
osd class dir = /${classes#/}
osd objectstore = bluestore
osd class update on start = false
osd fast shutdown notify mon = true
osd heartbeat grace = 10
osd recovery sleep hdd = 0
osd max scrubs = 8
osd scrub backoff ratio = 0
osd scrub load threshold = 1000
bluestore block size = 4294967296
bluestore fsck on mkfs = false
bluestore cache autotune = false
bluestore cache size = 67108864
# With Ceph 16.2.15, deferred writes were seen to get lost on a busy machine when OSDs restart.
# Pages whose contents and checksums are those of zeros still had older bytes on the disk.
bluestore prefer deferred size = 0
bluestore prefer deferred size hdd = 0
bluestore prefer deferred size ssd = 0
END
}

free_port() {
    "$python" -c 'import socket
print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])'
}

# --------------------------------------------------------------- daemons ----

# start FOLDER NAME...: starts daemons such as mon.a and osd.3, with the plugins of FOLDER.
start() {
    start_with "isa jerasure" "$@"
}

# start_with PLUGINS FOLDER NAME...: starts daemons that load PLUGINS at once, and other plugins
# when a pool needs them.
start_with() {
    at_once=$1
    plugins=$2
    shift 2
    for daemon; do
        ceph-"${daemon%%.*}" -f -c "$cluster/ceph.conf" -i "${daemon#*.}" \
            --erasure-code-dir "$plugins" --osd-erasure-code-plugins "$at_once" \
            >> "$cluster/$daemon.out" 2>&1 &
        echo $! > "$cluster/$daemon.pid"
    done
}

# ended NAME: waits for the end of a daemon that has been told to end.  Its status is in
# $status.
ended() {
    pid=$(cat "$cluster/$1.pid")
    patience=300
    while kill -0 "$pid" 2> /dev/null && [ $patience -gt 0 ]; do
        sleep 0.1
        patience=$((patience - 1))
    done
    kill -KILL "$pid" 2> /dev/null
    wait "$pid"
    status=$?
    rm -f "$cluster/$1.pid"
    [ $patience -gt 0 ] || { echo "$1 did not end"; return 1; }
}

# stop SIGNAL NAME...: sends the signal, and returns when the daemons have ended.
stop() {
    signal=$1
    shift
    for daemon; do
        kill -"$signal" "$(cat "$cluster/$daemon.pid")"
    done
    for daemon; do
        ended "$daemon" || return 1
        [ "$signal" = KILL ] || [ $status -eq 0 ] || {
            echo "$daemon: status $status"
            return 1
        }
    done
}

# running: checks that no daemon has ended by itself.
running() {
    for daemon in $(names); do
        kill -0 "$(cat "$cluster/$daemon.pid")" 2> /dev/null || {
            echo "$daemon has ended"
            tail -n 30 "$cluster/$daemon.out"
            return 1
        }
    done
}

# Prints the last errors in each daemon's log, and where it crashed.
errors() {
    for log in "$cluster"/*.?.log; do
        grep -A 25 -m 1 -F '*** Caught signal' "$log" |
            sed "s|^|$(basename "$log"): |" | cut -c 1-300
        grep -E '^[^ ]+ [^ ]+ +-1 |FAILED ceph_assert' "$log" |
            grep -Ev 'signal|mgr.py.|numa|asok' | sed "s|^|$(basename "$log"): |" |
            cut -c 1-300 | tail -n 2
    done
}

names() {
    for file in "$cluster"/*.pid; do
        [ -e "$file" ] && basename "$file" .pid
    done
}

# Kills all daemons, also those of a run that was killed.  The pids of such a run may belong to
# other programs by now, so processes that do not name this folder are left alone.
kill_all() {
    for daemon in $(names); do
        pid=$(cat "$cluster/$daemon.pid")
        if grep -qsF "$cluster" "/proc/$pid/cmdline"; then
            kill -KILL "$pid"
            wait "$pid" 2> /dev/null
        fi
    done
    rm -f "$cluster"/*.pid
}

# Removes the cluster.  Only the folders of plugins stay.
discard_cluster() {
    kill_all
    rm -rf "$cluster"/osd.* "$cluster"/mon.* "$cluster"/mgr.* "$cluster/keyring" \
        "$cluster/monmap" "$cluster/model"
}

# An interrupted test leaves nothing either.  KEEP=1 keeps the folder.
remove_cluster() {
    kill_all
    [ "${KEEP:-0}" = 1 ] || rm -rf "$cluster"
}

# --------------------------------------------------------------- cluster ----

# osd_names FIRST LAST
osd_names() {
    seq -f osd.%g "$1" "$2"
}

# do_ VERB...: see cluster_do.py.
do_() {
    "$python" "$here/cluster_do.py" "$cluster" "$@"
}

# make_cluster FOLDER: makes a cluster with the plugins of FOLDER, and waits until all OSDs are
# up.
make_cluster() {
    write_configuration || return 1
    ceph-authtool --create-keyring "$cluster/keyring" --gen-key -n mon. --cap mon 'allow *' &&
        monmaptool --create --addv a "$address" --fsid "$fsid" "$cluster/monmap" &&
        mkdir "$cluster/mon.a" "$cluster/mgr.x" &&
        ceph-mon -c "$cluster/ceph.conf" -i a --mkfs --monmap "$cluster/monmap" \
            --keyring "$cluster/keyring" || return 1
    start "$1" mon.a mgr.x
    for id in $(seq 0 $((osds - 1))); do
        uuid=$(cat /proc/sys/kernel/random/uuid)
        mkdir "$cluster/osd.$id" && do_ add_osd "$id" "$uuid" || return 1
        ceph-osd -c "$cluster/ceph.conf" -i "$id" --mkfs --osd-uuid "$uuid" \
            --no-mon-config || return 1
        start "$1" "osd.$id"
    done
    do_ wait_up "$osds"
}

# stop_all: stops the whole cluster.  The monitor commits what the OSDs say when they end.  On a
# busy machine, monitors of 18.2.7 and 20.2.4 that were told to end during such a commit were seen
# to abort.  So the monitor is told a second after the others have ended.
stop_all() {
    # shellcheck disable=SC2046
    stop TERM $(names | grep osd) mgr.x && sleep 1 && stop TERM mon.a
}

# restart FOLDER NAME...: stops the whole cluster.  Then the monitor, the manager and these OSDs
# start again, with the plugins of FOLDER.
restart() {
    stop_all || return 1
    folder=$1
    shift
    start "$folder" mon.a mgr.x "$@" && do_ wait_up $#
}

# back FOLDER NAME...: starts these OSDs again, and waits for recovery.
back() {
    start "$@" && do_ wait_up $osds && do_ wait_clean
}

# loaded FOLDER PLUGIN...: checks that every OSD that runs has loaded these plugins from FOLDER.
loaded() {
    folder=$1
    shift
    for daemon in $(names | grep osd); do
        for plugin; do
            grep -q " $folder/libec_$plugin.so$" "/proc/$(cat "$cluster/$daemon.pid")/maps" || {
                echo "$daemon has no $plugin of $folder"
                return 1
            }
        done
    done
}
