#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Debian's packages of what is committed, on fresh releases of Debian: builds the source and the
# binary packages as a user without root's rights, runs lintian, installs the command as a user
# does, and runs the packages' own tests (debian/tests) by autopkgtest.  For arm64 it
# cross-builds, and runs the installed command under qemu.
#
#   SUITES="bookworm trixie sid"    releases of Debian
#   CROSS="trixie"                  releases that cross-build
#   CCACHE=FOLDER                   keeps what the compiler made, for the next run
#   MIRROR=URL                      where Debian is; this machine's own mirror by default
#   KEEP=1                          keeps the chroots, and the packages in them
#
# From the environment: what sub_build.sh needs.  Logs are in sub-builds/deb/.

: "${SUITES=bookworm trixie sid}" "${CROSS=trixie}" "${CCACHE:=}" "${KEEP:=}"
suite=check-deb
. "$top_srcdir/unit/sub_build.sh"
. "$top_srcdir/unit/suite.sh"
. "$top_srcdir/unit/chroot.sh"

reason=$(why_no_chroot git xz)
[ -z "$reason" ] || skip_all "$reason"
git -C "$top_srcdir" rev-parse --quiet --verify HEAD > /dev/null ||
    skip_all "git does not know the sources"

chroots=${sub_root:?}/deb
trap 'exit 130' INT TERM HUP
version=$(sed -n '1s/.*(\(.*\)-[^-]*).*/\1/p' "$top_srcdir/debian/changelog")
tree=/build/permxor-$version

# step TITLE USER COMMAND: a check.  Its output goes to the log, and its seconds to $seconds.
step() {
    echo "== $1" >> "$log"
    began=$(date +%s)
    if session "$2" "$3" > "$chroots/step.log" 2>&1; then
        pass
        status=0
    else
        status=1
        fail "$1"
        tail -n 30 "$chroots/step.log"
    fi
    cat "$chroots/step.log" >> "$log"
    seconds=$(($(date +%s) - began))
    return $status
}

# start NAME RELEASE: $system becomes a copy of the release.
start() {
    system=$chroots/$2-$1
    log=$chroots/$2-$1.log
    : > "$log"
    rm -rf --one-file-system "$system"
    cp -a "$chroots/$2" "$system"
}

# put_sources: what is committed, as dpkg-source wants it.
put_sources() {
    mkdir -p "$system$tree" &&
        git -C "$top_srcdir" archive HEAD | tar -x -C "$system$tree" &&
        git -C "$top_srcdir" archive --prefix="permxor-$version/" HEAD -- . ':!debian' |
        xz -T0 -1 > "$system/build/permxor_$version.orig.tar.xz" &&
        chroot "$system" chown -R user:user /build
}

# The compiler's results of former runs.
with_ccache=:
put_ccache() {
    [ "$CCACHE" ] || return 0
    mkdir -p "$CCACHE" "$system/ccache" && chmod 777 "$CCACHE"
    with_ccache='export PATH=/usr/lib/ccache:$PATH CCACHE_DIR=/ccache CCACHE_UMASK=000'
    session_mounts='mount --bind "$CCACHE" "$root/ccache"'
    export CCACHE
}

update="apt-get update && export DEBIAN_FRONTEND=noninteractive"
install="apt-get install -y --no-install-recommends"

build() {
    start build "$1" && put_sources && put_ccache || { fail "no system for $1"; return 1; }
    option=$("$top_srcdir/tools/deb_profiles.sh" "$1")
    step "$1: what the build needs is installed" root "$update &&
        $install build-essential lintian ${CCACHE:+ccache} &&
        cd $tree && apt-get build-dep -y --no-install-recommends $option ./" || return
    echo "$1: packages that the build needs, with lintian: $(mega "$(downloaded)") MB in $seconds s"
    step "$1: the packages are built" user "$with_ccache; cd $tree &&
        dpkg-buildpackage -us -uc $option" || return
    echo "$1: built in $seconds s"
    session_mounts=:
    lint "$1"
    (cd "$system/build" && stat -c '%s %n' ./*.deb)
}

# Errors and warnings count.  lintian of Debian 12 does not know the present version of the policy.
lint() {
    unknown=
    [ "$1" != bookworm ] || unknown=newer-standards-version
    step "$1: lintian has no complaint" user "cd /build && lintian --version &&
        lintian --fail-on error,warning ${unknown:+--suppress-tags $unknown} *.changes" || :
    grep -v '^N: ' "$chroots/step.log"
}

# give_packages RELEASE: the packages of its build.
give_packages() {
    mkdir "$system/root/debs" &&
        cp "$chroots/$1-build/build"/*_*.deb "$system/root/debs" &&
        rm "$system/root/debs"/*-dbgsym_*.deb
}

# The lines of README.md, and a use of the command.
try_command() {
    start install "$1" && give_packages "$1" || { fail "no system for $1"; return; }
    step "$1: the command is installed" root "$update && cd debs &&
        $install ./permxor_*.deb ./libpermxor0_*.deb" || return
    echo "$1: the command installed in $seconds s, with lists of packages;" \
        "$(mega "$(downloaded)") MB from Debian"
    step "$1: the command is used" user "$use" && sed 's/^/    /' "$chroots/step.log"
    step "$1: the command is purged" root "apt-get purge -y permxor libpermxor0 &&
        ! ls -d /usr/share/doc/*permxor* /etc/permxor"
    remove "$system"
}
use='set -x; mkdir d1 d2 d3 && head -c 100M /dev/urandom > file
permxor encode -k 4 -m 2 -o d1 -o d2 -o d3 file &&
rm d2/* && permxor repair d1 d2 d3 && rm d3/* &&
permxor decode -o copy d1 d2 d3 && cmp file copy &&
permxor --version'

# run_autopkgtest RELEASE: each test of the packages is a check.
run_autopkgtest() {
    start test "$1" && give_packages "$1" &&
        cp -a "$chroots/$1-build/build"/*.dsc "$chroots/$1-build/build"/*.tar.* \
            "$system/root/debs" || { fail "no system for $1"; return; }
    step "$1: autopkgtest is installed" root "$update && $install autopkgtest dpkg-dev" || return
    began=$(date +%s)
    session root "cd debs && autopkgtest --summary-file=/root/summary ./*.deb ./*.dsc -- null" \
        >> "$log" 2>&1
    echo "$1: autopkgtest took $(($(date +%s) - began)) s"
    [ -s "$system/root/summary" ] || { tail -n 30 "$log"; fail "$1: autopkgtest"; return; }
    while read -r name result why <&3; do
        case $result in
        PASS) pass ;;
        SKIP) skip "$1: test $name" "$why" ;;
        *) fail "$1: test $name: $result $why" ;;
        esac
        echo "$1: test $name: $result"
    done 3< "$system/root/summary"
    remove "$system"
}

# cross RELEASE: for arm64, without the Python module and the manual pages.
cross() {
    start arm64 "$1" && put_sources && put_ccache || { fail "no system for $1"; return; }
    option=-Pcross,nocheck,nodoc
    step "$1, arm64: what the build needs is installed" root "dpkg --add-architecture arm64 &&
        $update && $install crossbuild-essential-arm64 qemu-user-static ${CCACHE:+ccache} &&
        cd $tree && apt-get build-dep -y --no-install-recommends -aarm64 $option ./" || return
    echo "$1, arm64: packages that the build needs: $(mega "$(downloaded)") MB in $seconds s"
    step "$1, arm64: the packages are built" user "$with_ccache; cd $tree &&
        DEB_BUILD_OPTIONS='nocheck nodoc' dpkg-buildpackage -us -uc -b -aarm64 $option" || return
    session_mounts=:
    echo "$1, arm64: built in $seconds s"
    step "$1, arm64: the command is installed" root "cd /build &&
        $install ./permxor_*_arm64.deb ./libpermxor0_*_arm64.deb" || return
    step "$1, arm64: the command is used under qemu" user "permxor() {
        qemu-aarch64-static /usr/bin/permxor \"\$@\"; }; $use; permxor info" &&
        sed 's/^/    /' "$chroots/step.log"
    remove "$system"
}

echo "commit $(git -C "$top_srcdir" rev-parse HEAD)"
[ -z "$(git -C "$top_srcdir" status --porcelain)" ] || echo "what is not committed is left out"
# shellcheck disable=SC2086 # words
for release in $(printf '%s\n' $SUITES $CROSS | sort -u); do
    echo "== $release"
    fresh_chroot "$release" > "$sub_root/deb.log" 2>&1 ||
        { cat "$sub_root/deb.log"; fail "no chroot of $release"; continue; }
    case " $SUITES " in
    *" $release "*)
        build "$release" && try_command "$release" && run_autopkgtest "$release"
        ;;
    esac
    case " $CROSS " in
    *" $release "*) cross "$release" ;;
    esac
    remove "$chroots/$release" "$chroots/$release-build"
done
finish
