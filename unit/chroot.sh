# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by scripts that need another release of Debian than this machine has, or a fresh one:
# each release is a folder of $chroots, which the script sets.  Making and entering one needs
# root.

# debian_mirror: where this machine itself has Debian from; nothing leaves it to mmdebstrap.
debian_mirror() {
    from=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
        'Origin: Debian' 'Label: Debian' 2> /dev/null | head -n 1)
    echo "${MIRROR:-$from}"
}

# why_no_chroot [PROGRAM...]: the reason, where none can be made or entered here.
why_no_chroot() {
    [ "$(id -u)" = 0 ] || { echo "not root"; return; }
    for program in mmdebstrap unshare "$@"; do
        command -v "$program" > /dev/null || { echo "no $program"; return; }
    done
}

# apt_settings: this machine's settings of apt that reaching a mirror needs: proxies, and
# whether an index may be older than it says it is valid.
apt_settings() {
    apt-config dump --format '%F "%v";%n' |
        grep -E '^Acquire::(Check-Valid-Until|Check-Date|https?::Proxy)' || :
}

# copy_authorities ROOT: the certificates that this machine trusts, among them its own, which a
# proxy or a mirror may need.
copy_authorities() {
    bundle=etc/ssl/certs/ca-certificates.crt
    own=usr/local/share/ca-certificates
    [ -e "$1/$bundle" ] || [ ! -e "/$bundle" ] ||
        { mkdir -p "$1/${bundle%/*}" && cp "/$bundle" "$1/$bundle"; } || return
    [ ! -e "/$own" ] || { mkdir -p "$1/$own" && cp -R "/$own/." "$1/$own"; }
}

# make_chroot RELEASE [PACKAGE,...]: unless it is there already.
make_chroot() {
    root=$chroots/$1
    [ -e "$root.made" ] && return
    rm -rf "$root"
    mkdir -p "$chroots"
    mirror=$(debian_mirror)
    apt_settings > "$root.apt"
    mmdebstrap --variant=apt ${2:+"--include=$2"} --aptopt="$root.apt" \
        --aptopt='APT::Install-Recommends "false"' \
        "$1" "$root" ${mirror:+"$mirror"} > "$root.log" 2>&1 &&
        copy_authorities "$root" || {
        tail "$root.log"
        return 1
    }
    : > "$root.made"
}

# enter ROOT PREPARATION OPTION... -- COMMAND...: runs the command in the chroot.  It is the
# first process of namespaces of its own, so that what it started or mounted ends with it.
# PREPARATION is shell code that runs in these namespaces before the chroot is entered, whose
# folder is $root.  The options are further ones of unshare.
enter() {
    root=$1 preparation=$2
    export root preparation
    shift 2
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    # shellcheck disable=SC2016,SC2086
    unshare --mount --pid --fork --kill-child --propagation private $options sh -c '
        mount -t proc proc "$root/proc" || exit 1
        eval "$preparation" || exit 1
        exec chroot "$root" /usr/bin/env -i LC_ALL=C.UTF-8 \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
    ' - "$@"
}

# ------------------------------------------------------ fresh systems ----
#
# fresh.sh and deb.sh make systems anew in each run, work in copies of them, and remove them
# unless $KEEP is set.  $system is the copy in which they work.

remove() { [ "$KEEP" ] || rm -rf --one-file-system "$@"; }

# fresh_chroot RELEASE: the system that each run has a copy of, with a user called user.
fresh_chroot() {
    rm -rf --one-file-system "${chroots:?}/$1" "$chroots/$1.made"
    make_chroot "$1" passwd || return
    # What apt downloads can be counted, since it keeps the files.
    {
        apt_settings
        echo 'APT::Keep-Downloaded-Packages "true";'
    } > "$chroots/$1/etc/apt/apt.conf.d/99mmdebstrap"
    cp /etc/resolv.conf /etc/hosts "$chroots/$1/etc/" &&
        chroot "$chroots/$1" useradd --create-home --shell /bin/bash user &&
        chroot "$chroots/$1" apt-get update > "$chroots/$1.update" || return
    lists=$(sed -n 's/^Fetched \(.*\) in .*/\1/p' "$chroots/$1.update")
    rm -rf "$chroots/$1"/var/lib/apt/lists/*
}

# session USER COMMAND: in $system, in a new session of the user's.  $session_mounts is shell
# code like the preparation of enter.
session_mounts=:
session() {
    # shellcheck disable=SC2016
    enter "$system" '
        mount -t sysfs -o ro sysfs "$root/sys" && mount --rbind /dev "$root/dev" &&
            mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" &&
            '"$session_mounts" -- su -l "$1" -c "$2" < /dev/null
}

mega() { echo $(($1 / 1000000)); }

size() { du -sx --block-size=1 "$1" | cut -f 1; }

# downloaded: the bytes of the packages that apt has in $system.
downloaded() {
    find "$system/var/cache/apt/archives" -name '*.deb' -printf '%s\n' |
        awk '{ sum += $1 } END { print sum + 0 }'
}
