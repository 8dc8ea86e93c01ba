# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by versions.sh and benchmark.sh.  Makes chroots of Debian releases, for versions of
# Ceph that this machine does not have.  Each is a folder in $chroots, which is kept for the
# next run.  The sourcing script sets $chroots and $top_srcdir.  Making and entering a chroot
# needs root.

chroot_packages=ceph-osd,ceph-mon,ceph-mgr,ceph-common,ceph-test,python3

# debian_mirror: prints where this machine itself gets Debian from, or nothing, which leaves the
# choice to mmdebstrap.
debian_mirror() {
    from=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
        'Origin: Debian' 'Label: Debian' 2> /dev/null | head -n 1)
    echo "${MIRROR:-$from}"
}

# why_no_chroot: prints the reason if no chroot can be made or entered here.
why_no_chroot() {
    [ "$(id -u)" = 0 ] || { echo "not root"; return; }
    for program in mmdebstrap unshare ip; do
        command -v $program > /dev/null || { echo "no $program"; return; }
    done
}

# make_chroot RELEASE: makes the chroot unless it exists.  A release's index may be older than
# its own limit allows.  This machine's setting decides whether that is an error.
make_chroot() {
    root=$chroots/$1
    [ -e "$root.made" ] && return
    rm -rf "$root"
    mkdir -p "$chroots"
    mirror=$(debian_mirror)
    eval "$(apt-config shell valid Acquire::Check-Valid-Until)"
    mmdebstrap --variant=apt --include=$chroot_packages \
        --aptopt='APT::Install-Recommends "false"' \
        --aptopt="Acquire::Check-Valid-Until \"${valid:-true}\"" \
        "$1" "$root" ${mirror:+"$mirror"} > "$root.log" 2>&1 || {
        tail "$root.log"
        return 1
    }
    : > "$root.made"
}

# inside RELEASE COMMAND...: runs the command in the chroot.  The sources are /src (read-only)
# and $work is /mnt.  The network is the loopback interface.  The command is the first process
# of namespaces of its own, so everything that it started or mounted ends with it.
inside() {
    release=$1
    shift
    # shellcheck disable=SC2016
    unshare --mount --pid --net --fork --kill-child --propagation private sh -c '
        root=$1
        mkdir -p "$root/src" &&
            mount -t proc proc "$root/proc" &&
            mount --bind "$2" "$root/src" && mount -o remount,bind,ro "$root/src" &&
            mount --bind "$3" "$root/mnt" &&
            ip link set lo up || exit 1
        shift 3
        exec chroot "$root" /usr/bin/env -i LC_ALL=C.UTF-8 \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
    ' - "$chroots/$release" "$top_srcdir" "$work" "$@"
}
