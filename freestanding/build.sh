#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Compiles permxor-kernels.o, which needs no C library (permxor_kernels.h):
#
#   build.sh FOLDER
#
# FOLDER gets the object file, and the file `stack` with the bytes of stack that each function
# takes.  The environment sets top_srcdir, top_builddir (configured), CC, OBJCOPY, and
#
#   KERNEL_CFLAGS   flags of the surroundings, for all files; on x86-64 those of Linux's modules
#                   if it is not set: no red zone, addresses in the upper 2 GiB
set -eu

: "${top_srcdir:?}" "${top_builddir:?}" "${CC:=cc}" "${OBJCOPY:=objcopy}"
out=$1
mkdir -p "$out/config"

# The headers that a compiler brings.  clang has another option for their folder.
resources=$($CC -print-resource-dir 2> /dev/null) || resources=
if [ -n "$resources" ]; then
    builtin=$resources/include
else
    builtin=$($CC -print-file-name=include)
fi

# Each line: the kernel set, and its flags.
case $($CC -dumpmachine) in
x86_64*)
    arch=x86_64
    : "${KERNEL_CFLAGS=-mno-red-zone -mcmodel=kernel -mno-80387}"
    sets="ssse3 -mssse3
        avx2 -mavx2"
    ;;
aarch64*)
    arch=aarch64
    : "${KERNEL_CFLAGS=}"
    sets="neon "
    ;;
*)
    arch=
    : "${KERNEL_CFLAGS=}"
    sets=
    ;;
esac

# No assembly here, so config.h says nothing.
: > "$out/config/config.h"
includes="-nostdinc -I$top_srcdir/freestanding/include -isystem $builtin -I$out/config
    -I$top_srcdir/freestanding -I$top_srcdir/include -I$top_srcdir/kernels
    -I$top_srcdir/erasure_code -I$top_builddir/kernels"
flags="-std=gnu11 -O2 -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables
    -fno-pic -fstack-usage -Wall -Wextra -Werror"

rm -f "$out"/*.o "$out"/*.su "$out/stack"
# compile SOURCE FLAG...
compile() {
    source=$1
    shift
    # shellcheck disable=SC2086 # CC, flags and includes are several words
    $CC $flags $includes $KERNEL_CFLAGS "$@" -c "$top_srcdir/$source" \
        -o "$out/$(basename "$source" .c).o"
}

keep="pxr_kernels_base"
for source in kernels/kernel_base.c kernels/gf256.c erasure_code/matrix.c freestanding/kernels.c; do
    if [ -n "$arch" ]; then compile $source -mgeneral-regs-only; else compile $source; fi
done
while read -r set set_flags; do
    [ -n "$set" ] || continue
    # shellcheck disable=SC2086 # several flags
    compile "arch/$arch/kernel_$set.c" $set_flags
    keep="$keep pxr_kernels_$set"
done << END
$sets
END

# One object file, in which only the names of permxor_kernels.h are global.
names=$(sed -n 's/^[a-z].*\(pxk_[a-z_]*\)(.*/\1/p' "$top_srcdir/freestanding/permxor_kernels.h")
# shellcheck disable=SC2086 # lists of names
printf '%s\n' $keep $names > "$out/names"
# shellcheck disable=SC2086 # CC may be several words
$CC -r -nostdlib -o "$out/permxor-kernels.o" "$out"/*.o
$OBJCOPY --keep-global-symbols="$out/names" "$out/permxor-kernels.o"
cat "$out"/*.su > "$out/stack"
