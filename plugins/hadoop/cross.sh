#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# cross.sh SOURCE FOLDER ARCH...: compiles the native methods for other processors, into
# FOLDER/linux-ARCH/libpermxor_jni.so, with the objects of cross builds of permxor, which it makes in
# sub-builds/java-ARCH.
#
# The compiler is the cross gcc, unless CC_ARCH in the environment names another one; for example,
# RISC-V's vectors need CC_riscv64="clang-19 --target=riscv64-linux-gnu -fuse-ld=lld".  From the
# environment: top_srcdir, top_builddir, JAVA_HOME, whose jni.h suits all processors.
set -eu

# shellcheck source=unit/sub_build.sh
. "$top_srcdir/unit/sub_build.sh"

# find_compiler ARCH: sets $triplet and $compiler.
find_compiler() {
    case $1 in
    amd64) triplet=x86_64-linux-gnu ;;
    aarch64) triplet=aarch64-linux-gnu ;;
    ppc64le) triplet=powerpc64le-linux-gnu ;;
    riscv64) triplet=riscv64-linux-gnu ;;
    *)
        echo "$1: the jar has amd64, aarch64, ppc64le and riscv64" >&2
        exit 1
        ;;
    esac
    eval "compiler=\${CC_$1:-$triplet-gcc}"
    command -v "${compiler%% *}" > /dev/null ||
        { echo "$1: there is no ${compiler%% *}: tools/setup.sh --test" >&2; exit 1; }
}

source=$1
folder=$2
shift 2
for arch; do
    find_compiler "$arch"
done
copy_sources
for arch; do
    find_compiler "$arch"
    # A shared library needs objects that can be anywhere in memory.
    (sub_build "java-$arch" libpermxor.la --host="$triplet" --enable-shared --disable-static \
        --disable-tools --disable-asm --enable-kernel-sets CC="$compiler" CFLAGS=-O2)
    mkdir -p "$folder/linux-$arch"
    # shellcheck disable=SC2086 # CC may be several words
    $compiler -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden \
        -I"$top_srcdir/include" -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" \
        -shared -s -Wl,--exclude-libs,ALL -Wl,-z,defs \
        -o "$folder/linux-$arch/libpermxor_jni.so" "$source" \
        "$sub_root/java-$arch/.libs/libpxr_core.a" -pthread
done
