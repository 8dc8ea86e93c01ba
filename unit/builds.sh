#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the libraries and the command in ways that tools/test.sh does not cover, with warnings
# as errors, and runs a short suite on each build.  There are other compilers, another C
# library, 32 bits, other options, and read-only sources.  PARTS chooses some of the builds.  If
# a compiler is missing, its build is skipped by name.
#
# The environment sets what sub_build.sh needs, and the test programs in $once and $each.

: "${once:?}" "${each:?}" "${PXR_EFFORT:=5}"
: "${PARTS:=gcc-9 gcc-10 gcc-11 gcc-13 gcc-14 gcc-15 clang-14 clang-19 musl i686 lto O0 read-only}"
export PXR_EFFORT
. "$top_srcdir/unit/sub_build.sh"
. "$top_srcdir/unit/suite.sh"

# The targets to build, the programs to run, and the script that tests the installed libraries.
targets=unit-programs
programs="once $once each $each"
scripts=$top_srcdir/unit/dropin_test.sh

# variant NAME COMPILER OPTION...: builds with the options of configure and with CC=COMPILER,
# and runs the suite.  The first word of COMPILER is the program.
variant() {
    name=$1
    compiler=$2
    shift 2
    command -v "${compiler%% *}" > /dev/null || { skip "$name" "needs ${compiler%% *}"; return; }
    # dropin_test.sh tests the shared libraries, so they are built, too.  The only C++ of this
    # project is the Ceph plugin, which is not built here.
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
        # With -flto each test program would compile all kernels again.  So no test program is
        # run, and the shared libraries are tested from outside only.
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
        # Root can write into read-only folders, so look for new files.
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
