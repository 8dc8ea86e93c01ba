#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The guest of unit/md_array.sh runs this script as its first and only program, on busybox.
# $phase and $disks come from the kernel's command line:
#
#   probe   reports that the guest runs
#   create  makes an array of all disks and writes to it
#   verify  lets md check the array
#   layouts makes arrays of all layouts, on all disks but the last, and copies their members to it
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
# border of two chunks.  (busybox's awk may lack the powers of other awks.)
small_writes() {
    blocks=$(($(cat /sys/block/md0/size) / 8))
    awk -v blocks="$blocks" -v seed="$1" 'BEGIN {
        srand(seed)
        for (i = 0; i < 40; i++) {
            for (count = 1; count < 32 && rand() < 0.7;)
                count *= 2
            print int(rand() * (blocks - count)), count
        }
    }' > /run/writes || return 1
    while read -r block count; do
        write_at "$block" "$count" || return 1
    done < /run/writes
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

# --------------------------------------------------------------- layouts ----

# Prints METADATA LEVEL LAYOUT CHUNK for each array.
all_layouts() {
    cat << 'END'
0.90 4 - 64
1.0 5 left-asymmetric 4
1.1 5 right-asymmetric 16
1.2 5 left-symmetric 64
0.90 5 right-symmetric 128
1.0 5 parity-first 64
1.1 5 parity-last 64
1.2 6 left-asymmetric 4
0.90 6 right-asymmetric 16
1.0 6 left-symmetric 64
1.1 6 right-symmetric 128
1.2 6 parity-first 64
0.90 6 parity-last 64
1.0 6 ddf-zero-restart 4
1.1 6 ddf-N-restart 16
1.2 6 ddf-N-continue 64
0.90 6 left-asymmetric-6 64
1.0 6 right-asymmetric-6 4
1.1 6 left-symmetric-6 16
1.2 6 right-symmetric-6 64
1.2 6 parity-first-6 64
END
}

# make_array METADATA LEVEL LAYOUT CHUNK: md's resync computes the parity of what is on the disks,
# and the writes change all of it.
make_array() {
    option=
    [ "$3" = - ] || option=--layout=$3
    # shellcheck disable=SC2086 # a list of members
    mdadm --create $array --run --force --metadata="$1" --level="$2" --chunk="$4" $option \
        --raid-devices="$(echo $members | wc -w)" --bitmap=none $members || die mdadm "$@"
    wait_idle
    dd if=/dev/urandom of=$array bs=64k conv=fsync 2> /dev/null # until it is full
    small_writes "$number" || die small writes
}

# Member M of array N of `width` members goes to block N * width + M of the last disk.
layouts() {
    last=${members##* }
    members=${members% *}
    width=$(echo "$members" | wc -w)
    bytes=$(($(cat /sys/block/vda/size) * 512))
    number=0
    all_layouts | while read -r metadata level layout chunk; do
        make_array "$metadata" "$level" "$layout" "$chunk" < /dev/null
        report "array $number $metadata $level $layout $chunk"
        report_sum "contents$number"
        mdadm --stop $array < /dev/null || die mdadm --stop
        block=$((number * width))
        for member in $members; do
            dd if="$member" of="$last" bs=$bytes seek=$block conv=notrunc,fsync 2> /dev/null ||
                die "copy $member"
            block=$((block + 1))
        done
        # shellcheck disable=SC2086 # a list of members
        mdadm --zero-superblock $members < /dev/null
        number=$((number + 1))
    done
}

# ------------------------------------------------------------------ main ----

for module in virtio_pci virtio_blk raid456; do
    modprobe $module || die modprobe $module
done
report "linux $(uname -r)"
report "mdadm $(mdadm --version 2>&1)"
report "algorithm $(dmesg | sed -n 's/.*\(raid6: using .*\)/\1/p' | tr '\n' ';')"
echo 1000000 > /proc/sys/dev/raid/speed_limit_min

members=$(ls /dev/vd? 2> /dev/null | tr '\n' ' ')
members=${members% }
[ "$(echo "$members" | wc -w)" -eq "$disks" ] || die "disks: $members"
case $phase in
probe) ;;
create | verify)
    $phase
    mdadm --stop $array || die mdadm --stop
    ;;
layouts) layouts ;;
esac
report "done"
leave
