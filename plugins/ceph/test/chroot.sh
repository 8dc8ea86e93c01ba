# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by versions.sh and benchmark.sh: Debian releases with the versions of Ceph that
# this machine does not have, each in a folder of $chroots, which is kept for the next run.
# From them: $chroots, $work and $top_srcdir.

# shellcheck source=unit/chroot.sh
. "$top_srcdir/unit/chroot.sh"

ceph_packages=ceph-osd,ceph-mon,ceph-mgr,ceph-common,ceph-test,python3

# inside RELEASE COMMAND...: in the chroot, where the sources are /src (for reading only) and
# $work is /mnt, with the loopback interface for a network.
inside() {
    release=$1
    shift
    export top_srcdir work
    # shellcheck disable=SC2016
    enter "$chroots/$release" '
        mkdir -p "$root/src" &&
            mount --bind "$top_srcdir" "$root/src" && mount -o remount,bind,ro "$root/src" &&
            mount --bind "$work" "$root/mnt" &&
            ip link set lo up' --net -- "$@"
}
