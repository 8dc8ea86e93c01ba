#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The libraries and the command in other ways than tools/test.sh builds them, with warnings as
# errors, each with a short run of the suite: other compilers, another C library, 32 bits, other
# options, sources that cannot be written to.  PARTS chooses; a part whose compiler is missing is
# skipped by name.
#
# From the environment: what sub_build.sh needs, and the test programs in $once and $each.

: "${once:?}" "${each:?}" "${PXR_EFFORT:=5}"
: "${PARTS:=gcc-9 gcc-10 gcc-11 gcc-13 gcc-14 gcc-15 clang-14 clang-19 musl i686 lto O0 read-only}"
export PXR_EFFORT
. "$top_srcdir/unit/sub_build.sh"
. "$top_srcdir/unit/suite.sh"

# What is built to be run, the programs that run, and what tests the installed library.
targets=unit-programs
programs="once $once each $each"
scripts=$top_srcdir/unit/dropin_test.sh

# variant NAME COMPILER OPTION...: the compiler is what CC begins with.
variant() {
    name=$1
    compiler=$2
    shift 2
    command -v "${compiler%% *}" > /dev/null || { skip "$name" "needs ${compiler%% *}"; return; }
    # Shared libraries too, which are what dropin_test.sh tests.  The C++ of this project is
    # Ceph's plugin, which is not built here.
    sub_build "$name" "all $targets" --enable-shared --with-pic --enable-werror \
        --enable-kernel-sets CC="$compiler" CXX=false CFLAGS=-O2 "$@" ||
        { fail "build $name"; return; }
    CC=$compiler CXX=false
    export CC CXX
    # shellcheck disable=SC2086 # lists of programs
    run_suite "$name" $programs once "$scripts"
}

build_part() {
    case $1 in
    gcc-* | clang-*) variant "$1" "$1" ;;
    musl)
        programs=$(echo "$programs" | without unit/test_cells) # the command's
        variant musl musl-gcc --host=x86_64-linux-musl --disable-tools
        ;;
    i686)
        programs=$(echo "$programs" | without unit/test_cells)
        libraries=/usr/i686-linux-gnu/lib
        variant i686 i686-linux-gnu-gcc --host=i686-linux-gnu --disable-tools \
            LDFLAGS="-Wl,-rpath,$libraries -Wl,--dynamic-linker=$libraries/ld-linux.so.2"
        ;;
    lto)
        # Each program, and each static one, would compile all kernels anew; the shared
        # libraries are tested from outside.
        targets="unit/dropin_reload unit/kernel_sets"
        programs=
        variant lto "$CC" --disable-static CFLAGS="-O2 -flto"
        ;;
    O0) variant O0 "$CC" CFLAGS=-O0 ;;
    read-only)
        chmod -R a-w "$sub_root/source"
        : > "$sub_root/before"
        variant read-only "$CC"
        chmod -R u+w "$sub_root/source"
        # Root may write there all the same.
        written=$(find "$sub_root/source" -newer "$sub_root/before" -type f)
        if [ -z "$written" ]; then pass; else fail "written into the sources: $written"; fi
        ;;
    *) fail "PARTS=$PARTS: there is no part $1" ;;
    esac
}

copy_sources || exit 1
for part in $PARTS; do
    (
        passed=0 failed=0 skipped=0
        build_part "$part"
        echo "$passed $failed $skipped" > "$sub_root/part.sum"
    )
    read -r p f s < "$sub_root/part.sum"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
suite=check-builds
finish
