#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# cross.sh ARCH SOURCE LIBRARY: compiles the native methods for another processor, with the objects
# of a cross build of permxor, which it makes in sub-builds/java-ARCH once.
#
# The compiler is the cross gcc, unless CC_ARCH in the environment names another one; for example,
# RISC-V's vectors need CC_riscv64="clang-19 --target=riscv64-linux-gnu -fuse-ld=lld".  From the
# environment: top_srcdir, top_builddir, JAVA_HOME, whose jni.h suits all processors.
set -eu

arch=$1
source=$2
library=$3
case $arch in
amd64) triplet=x86_64-linux-gnu ;;
aarch64) triplet=aarch64-linux-gnu ;;
ppc64le) triplet=powerpc64le-linux-gnu ;;
riscv64) triplet=riscv64-linux-gnu ;;
*)
    echo "$arch: the jar has amd64, aarch64, ppc64le and riscv64" >&2
    exit 1
    ;;
esac
eval "compiler=\${CC_$arch:-$triplet-gcc}"
command -v "${compiler%% *}" > /dev/null ||
    { echo "$arch: there is no ${compiler%% *}: tools/setup.sh --test" >&2; exit 1; }

# shellcheck source=unit/sub_build.sh
. "$top_srcdir/unit/sub_build.sh"
[ -e "$sub_root/source/configure" ] || copy_sources
# A shared library needs objects that can be anywhere in memory.
(sub_build "java-$arch" libpermxor.la --host="$triplet" --enable-shared --disable-static \
    --disable-tools --disable-asm --enable-kernel-sets CC="$compiler" CFLAGS=-O2)

mkdir -p "$(dirname "$library")"
# shellcheck disable=SC2086 # CC may be several words
$compiler -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden \
    -I"$top_srcdir/include" -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" \
    -shared -s -Wl,--exclude-libs,ALL -Wl,-z,defs -o "$library" "$source" \
    "$sub_root/java-$arch/.libs/libpxr_core.a" -pthread
