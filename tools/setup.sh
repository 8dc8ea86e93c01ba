#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs on Debian the packages with which permxor is built, and those that the options add:
#
#   --ceph      to build the Ceph plugin
#   --plugins   the tests of plugins/: Ceph itself, liberasurecode, Go, Java, Python, Rust
#   --test      the other tests
#   --md        `make check-md`
#   --perf      the peers with which perf/ compares permxor, and the packages that draw its report
#   --doc       `make site` and `make man`
#
# Installed packages are left alone.  Debian 12 and 13 have all packages that are needed.  Some
# packages are only wished for: one of the two releases lacks them, and the tests do without
# them and say so.
set -eu

wishes=

packages="autoconf automake gcc libc6-dev libssl-dev libtool liburing-dev libxxhash-dev make nasm
    pkg-config"
for option; do
    case $option in
    --ceph) packages="$packages g++ libradospp-dev" ;;
    --plugins)
        packages="$packages g++ libradospp-dev
            ceph-common ceph-mgr ceph-mon ceph-osd python3-rados
            liberasurecode-dev liberasurecode1 libisal2 python3-pyeclib python3-six zlib1g-dev
            default-jdk-headless dpkg-dev golang-go maven python3-dev python3-venv
            libnbd-bin libnbd-dev nbdkit nbdkit-plugin-dev python3-libnbd"
        # Debian 12's cargo is too old for the crates that ours are compared with.
        if ! command -v cargo > /dev/null; then
            packages="$packages $(. /etc/os-release
                [ "$VERSION_CODENAME" = bookworm ] && echo cargo-web || echo cargo)"
        fi
        ;;
    --test)
        packages="$packages ccache clang cmake g++ gcovr libclang-rt-dev gf-complete-tools
            libgf-complete-dev libgf-complete1 libisal-dev libjerasure-dev libjerasure2
            patch python3-jinja2 python3-matplotlib python3-venv python3-xxhash
            shellcheck valgrind xz-utils yasm clang-19 lld-19 qemu-user-static
            gcc-aarch64-linux-gnu libc6-dev-arm64-cross
            gcc-i686-linux-gnu libc6-dev-i386-cross
            gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross
            gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
            gcc-s390x-linux-gnu libc6-dev-s390x-cross"
        wishes="$wishes clang-format-14 gcc-loongarch64-linux-gnu libc6-dev-loong64-cross"
        ;;
    --md) packages="$packages qemu-system-x86" ;;
    --perf)
        packages="$packages golang-go libgf-complete-dev libisal2 libjerasure-dev
            python3-jinja2 python3-matplotlib python3-venv snapraid"
        ;;
    --doc)
        packages="$packages doxygen furo man-db mandoc
            python3-breathe python3-myst-parser python3-sphinx"
        ;;
    *)
        echo "setup.sh: unknown option $option" >&2
        exit 2
        ;;
    esac
done

# missing PACKAGE...: prints the packages that are not installed.
missing() {
    for package; do
        dpkg-query -W -f '${Status}\n' "$package" 2> /dev/null | grep -q ' installed$' ||
            printf ' %s' "$package"
    done
}

# known PACKAGE...: prints the packages that this release has.
known() {
    for package; do
        ! apt-cache policy "$package" 2> /dev/null | grep -q 'Candidate: [^(]' ||
            printf ' %s' "$package"
    done
}

# shellcheck disable=SC2086 # lists of packages
needed=$(missing $packages)
# shellcheck disable=SC2046,SC2086
wished=$(known $(missing $wishes))
[ -n "$needed$wished" ] || exit 0

install="apt-get install -y --no-install-recommends$needed$wished"

# give_up WHY: says what root is to run.  Packages that are only wished for stop nothing.
give_up() {
    [ -n "$needed" ] || {
        echo "setup.sh: without the optional packages$wished: $1" >&2
        exit 0
    }
    cat >&2 << END
setup.sh: packages are missing: $1
As root, run this command:

    apt-get update && $install

Then run your command again.
END
    exit 1
}

as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null || give_up "only root can install them"
    as_root=sudo
fi
$as_root apt-get update -qq || give_up "${as_root:+sudo }apt-get update has failed"
# shellcheck disable=SC2046,SC2086 # lists of packages
wished=$(known $(missing $wishes))
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $needed $wished
