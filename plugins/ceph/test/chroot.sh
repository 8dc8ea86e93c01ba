# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by versions.sh and benchmark.sh.  Makes chroots of Debian releases, for versions of
# Ceph that this machine does not have.  Each is a folder in $chroots, which is kept for the
# next run.  The sourcing script sets $chroots, $work and $top_srcdir.

# shellcheck source=unit/chroot.sh
. "$top_srcdir/unit/chroot.sh"

ceph_packages=ceph-osd,ceph-mon,ceph-mgr,ceph-common,ceph-test,python3

# inside RELEASE COMMAND...: runs the command in the chroot.  The sources are /src (read-only)
# and $work is /mnt.  The network is the loopback interface.  The command is the first process
# of namespaces of its own, so everything that it started or mounted ends with it.
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
