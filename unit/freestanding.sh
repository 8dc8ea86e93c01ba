#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Compiles permxor-kernels.o, looks at what it needs, and runs it in a program that has no C
# library: natively on x86-64 and arm64, and for arm64 under qemu.
#
# It runs in the build directory.  The environment sets top_srcdir, top_builddir, host_cpu, CC,
# NM and OBJCOPY.

: "${top_srcdir:?}" "${top_builddir:?}" "${host_cpu:?}" "${CC:=cc}" "${OBJCOPY:=objcopy}"
suite=check-freestanding
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"
work=$top_builddir/freestanding
mkdir -p "$work" || exit 1

# builds FOLDER: with $tool_cc and $tool_objcopy.
builds() {
    CC=$tool_cc OBJCOPY=$tool_objcopy sh "$top_srcdir/freestanding/build.sh" "$1"
}

# needs_two_functions FOLDER: memcpy and memset, and nothing else.
needs_two_functions() {
    nm -u "$1/permxor-kernels.o" | awk '{ print $2 }' | sort > "$1/needs"
    cat "$1/needs"
    [ -s "$1/needs" ] && ! grep -vx -e memcpy -e memset "$1/needs"
}

# defines_its_names FOLDER: the names of permxor_kernels.h, and no others.
defines_its_names() {
    nm -g --defined-only "$1/permxor-kernels.o" | awk '{ print $3 }' | sort > "$1/defines"
    sort "$1/names" | diff - "$1/defines"
}

# has_no_floats FOLDER PATTERN: no instruction that computes with floating point.
has_no_floats() {
    $tool_objdump -d --no-show-raw-insn "$1/permxor-kernels.o" > "$1/code" && [ -s "$1/code" ] &&
        ! grep -E "^ .*[[:space:]]($2)[[:space:]]" "$1/code"
}

# keeps_vectors_alone FOLDER PATTERN: the files for everybody do not touch vector registers.
keeps_vectors_alone() {
    for object in kernel_base gf256 matrix kernels; do
        $tool_objdump -d --no-show-raw-insn "$1/$object.o" > "$1/code" || return 1
        [ -s "$1/code" ] || return 1
        ! grep -E "$2" "$1/code" || return 1
    done
}

# is_shallow FOLDER: no function that permxor_kernels.h reaches takes more stack than
# doc/bundling.md says: 1 KiB, P and Q with the base set 3.5 KiB, and an inversion 4.5 KiB.
is_shallow() {
    sed 's/.*:\([a-z]\)/\1/' "$1/stack" |
        grep -E '^(dot|mad|check|pxk|pxr_matrix)_[a-z0-9_]*[[:space:]]' | sort -k 2 -n |
        tail -n 8 > "$1/deepest"
    cat "$1/deepest"
    [ -s "$1/deepest" ] && awk '
        { most = 1024 }
        /^dot_pq_0/ { most = 3584 }
        /^pxr_matrix_invert/ { most = 4608 }
        $2 > most { bad = 1 }
        END { exit bad }' "$1/deepest"
}

# has_no_library PROGRAM
has_no_library() {
    ! readelf -lW "$1" | grep -E 'INTERP|DYNAMIC'
}

# links FOLDER: the test, with no library at all.
links() {
    # shellcheck disable=SC2086 # CC may be several words
    $tool_cc -std=gnu11 -O2 -Wall -Wextra -Werror -ffreestanding -fno-stack-protector \
        -fno-pic -no-pie -static -nostdlib -I "$top_srcdir/freestanding" \
        -I "$top_srcdir/unit" "$top_srcdir/unit/freestanding_main.c" \
        "$1/permxor-kernels.o" -o "$1/test" && has_no_library "$1/test"
}

# test_part NAME FLOATS VECTORS: $runner runs the program.
test_part() {
    folder=$work/$1
    mkdir -p "$folder"
    check "$1: permxor-kernels.o" builds "$folder"
    [ -e "$folder/permxor-kernels.o" ] || return
    check "$1: needs memcpy and memset alone" needs_two_functions "$folder"
    echo "$1 needs: $(tr '\n' ' ' < "$folder/needs")"
    check "$1: names" defines_its_names "$folder"
    check "$1: no floating point" has_no_floats "$folder" "$2"
    check "$1: the base set has no vector registers" keeps_vectors_alone "$folder" "$3"
    check "$1: stack" is_shallow "$folder"
    echo "$1, most stack: $(awk '{ printf "%s%s %s", separator, $1, $2; separator = ", " }' \
        "$folder/deepest")"
    check "$1: a program without a C library" links "$folder"
    [ -e "$folder/test" ] || return
    # shellcheck disable=SC2086 # a command and its options
    $runner "$folder/test" > "$folder/log" 2>&1
    status=$?
    sed '$d' "$folder/log"
    count_sum "$1" "$folder/log" $status
}

x86_floats='f(ld|st|add|mul|div|ild|ist)[a-z]*|v?(add|sub|mul|div|sqrt)[ps][sd]|v?cvt[a-z0-9]*'
arm_vectors='[[:space:],{][vq][0-9]+|[[:space:]]d[0-9]+,'
arm_floats='f(add|sub|mul|div|mla|madd|sqrt|cvt)[a-z0-9]*|[su]cvtf'

tool_cc=$CC
tool_objcopy=$OBJCOPY
tool_objdump=objdump
runner=
case $host_cpu in
x86_64) test_part x86_64 "$x86_floats" '%[xyz]mm|%st' ;;
aarch64) test_part aarch64 "$arm_floats" "$arm_vectors" ;;
*) skip "native" "there is an entry point for x86-64 and arm64 only" ;;
esac

if [ "$host_cpu" != aarch64 ]; then
    runner=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
    tool_cc=aarch64-linux-gnu-gcc
    tool_objcopy=aarch64-linux-gnu-objcopy
    tool_objdump=aarch64-linux-gnu-objdump
    if [ -n "$runner" ] && command -v $tool_cc > /dev/null; then
        test_part aarch64 "$arm_floats" "$arm_vectors"
    else
        skip aarch64 "needs aarch64-linux-gnu-gcc and qemu-aarch64"
    fi
fi
finish
