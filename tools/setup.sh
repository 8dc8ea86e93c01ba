#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs, on Debian, what permxor is built of, with --test also what its tests
# use, with --md what `make check-md` does, with --stores what the tests of plugins/ do, or
# with --perf the peers that perf/ compares with and what draws its report.  What is there already is left alone.
set -eu

packages="autoconf automake gcc libc6-dev libtool libxxhash-dev make nasm pkg-config"
[ "${1:-}" != --md ] || packages="$packages qemu-system-x86"
[ "${1:-}" != --perf ] ||
    packages="$packages golang-go libgf-complete-dev libisal2 libjerasure-dev
        python3-matplotlib python3-venv snapraid"
[ "${1:-}" != --stores ] ||
    packages="$packages default-jdk-headless liberasurecode-dev liberasurecode1 libisal2
        maven python3 python3-pyeclib python3-six python3-venv zlib1g-dev"
[ "${1:-}" != --test ] ||
    packages="$packages clang g++ gcovr libclang-rt-14-dev libgf-complete-dev libisal-dev
        libjerasure-dev libjerasure2 python3-matplotlib valgrind xz-utils yasm
        clang-19 lld-19 qemu-user-static
        gcc-aarch64-linux-gnu libc6-dev-arm64-cross
        gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross
        gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
        gcc-s390x-linux-gnu libc6-dev-s390x-cross"

missing=
for package in $packages; do
    dpkg-query -W -f '${Status}\n' "$package" 2> /dev/null | grep -q ' installed$' ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null || {
        echo "setup.sh: as root, run: apt-get install$missing" >&2
        exit 1
    }
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of packages
$as_root apt-get install -y -qq --no-install-recommends $missing
