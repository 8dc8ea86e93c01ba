#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The guest of unit/md_array.sh runs this script as its first and only program, on busybox.
# $phase and $disks come from the kernel's command line:
#
#   probe   reports that the guest runs
#   create  makes an array of all disks and writes to it
#   verify  lets md check the array
#
# The results are lines on the second serial port.  The last line is `done`.

# shellcheck disable=SC2154 # phase, disks
PATH=/usr/sbin:/usr/bin
MDADM_NO_UDEV=1
export PATH MDADM_NO_UDEV

busybox mount -t proc proc /proc
busybox mount -t sysfs sysfs /sys
busybox mount -t devtmpfs devtmpfs /dev
busybox --install -s
exec > /dev/ttyS0 2>&1

array=/dev/md0
settings=/sys/block/md0/md

report() {
    echo "$*" > /dev/ttyS1
}

leave() {
    sync
    poweroff -f
}

die() {
    report "failed: $*"
    leave
}

# Waits until md has finished its work in the background.
wait_idle() {
    until [ "$(cat $settings/sync_action)" = idle ]; do
        sleep 0.1
    done
}

# report_sum NAME: reports the checksum of the array's contents.  The page cache is dropped
# first, so that md reads the members.
report_sum() {
    echo 3 > /proc/sys/vm/drop_caches
    report "$1 $(sha256sum < $array | cut -d ' ' -f 1)"
}

# ---------------------------------------------------------------- create ----

# write_at BLOCK COUNT: writes random bytes, in blocks of 4 KiB.
write_at() {
    dd if=/dev/urandom of=$array bs=4k seek="$1" count="$2" conv=notrunc,fsync 2> /dev/null
}

# small_writes SEED: makes writes of 4 to 128 KiB, which are parts of a chunk or cross the
# border of two chunks.
small_writes() {
    blocks=$(($(cat /sys/block/md0/size) / 8))
    awk -v blocks="$blocks" -v seed="$1" 'BEGIN {
        srand(seed)
        for (i = 0; i < 40; i++) {
            count = int(1 + 2 ^ (rand() * 5))
            print int(rand() * (blocks - count)), count
        }
    }' | while read -r block count; do
        write_at "$block" "$count" || exit 1
    done
}

# The members have random contents, so md's resync has to compute all of P and Q.  Then a third
# of the array is written in whole rows.  After that small writes go to all parts of the array:
# first by reconstruct-write only, then by read-modify-write if that needs fewer reads, and then
# by read-modify-write wherever md can.
create() {
    # shellcheck disable=SC2086 # a list of members
    mdadm --create $array --run --metadata=1.0 --level=6 --raid-devices="$disks" \
        --chunk=64 --layout=left-symmetric --bitmap=none $members || die mdadm --create
    wait_idle
    report "resynced $(cat $settings/resync_start)"
    write_at 0 $(($(cat /sys/block/md0/size) / 24)) || die a long write
    for way in 0 1 2; do
        echo $way > $settings/rmw_level || die rmw_level $way
        small_writes $way || die small writes
    done
    report_sum contents
}

# ---------------------------------------------------------------- verify ----

# After two members have failed, md has to compute their contents from P and Q.
verify() {
    # shellcheck disable=SC2086 # a list of members
    mdadm --assemble $array $members || die mdadm --assemble
    report "degraded $(cat $settings/degraded)"
    echo check > $settings/sync_action
    wait_idle
    report "mismatches $(cat $settings/mismatch_cnt)"
    report_sum contents
    mdadm $array --fail /dev/vda /dev/vdc || die mdadm --fail
    report_sum without
}

# ------------------------------------------------------------------ main ----

for module in virtio_pci virtio_blk raid456; do
    modprobe $module || die modprobe $module
done
report "linux $(uname -r)"
report "mdadm $(mdadm --version 2>&1)"
report "algorithm $(dmesg | sed -n 's/.*\(raid6: using .*\)/\1/p' | tr '\n' ';')"
echo 1000000 > /proc/sys/dev/raid/speed_limit_min

members=$(ls /dev/vd? 2> /dev/null)
[ "$(echo "$members" | wc -w)" -eq "$disks" ] || die "disks: $members"
case $phase in
probe) ;;
create | verify)
    $phase
    mdadm --stop $array || die mdadm --stop
    ;;
esac
report "done"
leave
