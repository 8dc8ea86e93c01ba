#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the archive that `make dist-bundle` makes: as a user who unpacks it in the place of
# ISA-L's sources, by ISA-L's commands.
#
#   bundle_test.sh [ISAL]   ISAL is a copy of ISA-L's sources (a folder, or a git repository),
#                           for the tests that link both libraries
#
# It runs in the build directory.  The environment sets $archive, top_srcdir, host_cpu, CC and NM.

: "${archive:?}" "${top_srcdir:?}" "${CC:=cc}" "${NM:=nm}" "${MAKE:=make}"
suite=check-bundle
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS LDFLAGS CPPFLAGS DESTDIR

# The same folder each time, so that ccache finds what was compiled before.
work=$PWD/sub-builds/bundle
rm -rf "$work"
mkdir -p "$work" || exit 1
names=$PWD/libisal.exports
folder=$(basename "$archive" .tar.xz)
tar -xf "$archive" -C "$work" || exit 1
ours=$work/$folder

# unx ARGUMENT...: runs the archive's Makefile.unx with the compiler of this build.
unx() {
    "$MAKE" -s -j2 -C "$ours" -f Makefile.unx CC="$CC" "$@"
}

# ------------------------------------------------------------------ names ----

# Prints the names that the archive defines for others.
defined() {
    $NM -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort
}

# has_only_isal_names ARCHIVE: succeeds if it has all names of ISA-L for erasure coding and RAID,
# and no others.
has_only_isal_names() {
    grep -vx isal_adler32 "$names" | sort > "$work/want"
    defined "$1" | diff "$work/want" - && [ -s "$work/want" ]
}

# needs_only_libc ARCHIVE: succeeds if a program needs no library for it but the C library.
needs_only_libc() {
    echo 'int main(void) { return 0; }' > "$work/empty.c"
    # shellcheck disable=SC2086 # CC may be several words
    $CC "$work/empty.c" -o "$work/empty" -Wl,--whole-archive "$1" -Wl,--no-whole-archive \
        -Wl,-z,defs -Wl,--as-needed &&
        ! readelf -d "$work/empty" | grep NEEDED | grep -v -e libc.so -e 'ld-linux' -e 'libc.musl'
}

# ------------------------------------------------------------ Makefile.unx ----

# does_nothing: a second run leaves the archive alone.
does_nothing() {
    touch -r "$ours/bin/isa-l.a" "$work/time" && unx &&
        [ ! "$ours/bin/isa-l.a" -nt "$work/time" ]
}

# is_shared_library FILE: it has the soname, no text relocations, and the names.
is_shared_library() {
    readelf -d "$1" | grep -q 'SONAME.*\[libisal.so.2\]' && ! readelf -d "$1" | grep TEXTREL &&
        [ "$($NM -D --defined-only "$1" | grep -c ' T ')" -eq "$(wc -l < "$work/want")" ]
}

# compiles_with FLAG...: a program finds the headers by these flags, and runs.
compiles_with() {
    # shellcheck disable=SC2086 # CC may be several words
    $CC "$@" "$top_srcdir/examples/isal_dropin.c" "$ours/bin/isa-l.a" -o "$work/program" &&
        "$work/program"
}

# A header of ISA-L that is found without a folder before its name, by -I isa-l/include.
has_flat_headers() {
    for header in erasure_code gf_vect_mul raid mem_routines isal_api; do
        echo "#include \"$header.h\""
    done > "$work/flat.c"
    # shellcheck disable=SC2086
    $CC -Wall -Werror -fsyntax-only -I "$ours/include" "$work/flat.c"
}

# installs: into another folder; a program finds library and header there.
installs() {
    unx install prefix="$work/prefix" || return 1
    # shellcheck disable=SC2086
    $CC -I "$work/prefix/include" "$top_srcdir/examples/isal_dropin.c" -L "$work/prefix/lib" \
        -lisal -o "$work/program" && LD_LIBRARY_PATH=$work/prefix/lib "$work/program" &&
        unx uninstall prefix="$work/prefix" && ! find "$work/prefix" -type f | grep .
}

# fails_with TEXT ARGUMENT...: Makefile.unx ends with a message that has this text.
fails_with() {
    text=$1
    shift
    ! unx "$@" > "$work/message" 2>&1 && grep -q "$text" "$work/message"
}

# portable: without kernel sets there are no instructions of a vector extension beyond the
# architecture's own.
portable() {
    unx arch=noarch O="$work/noarch" && has_only_isal_names "$work/noarch/isa-l.a" &&
        ! objdump -d "$work/noarch/isa-l.a" | grep -q -e '%[yz]mm' -e 'pshufb'
}

# cross TRIPLET MACHINE ARGUMENT...: compiles for another processor.
cross() {
    cross_cc=$1-gcc
    cross_machine=$2
    shift 2
    "$MAKE" -s -j2 -C "$ours" -f Makefile.unx CC="$cross_cc" O="$work/cross" "$@" &&
        readelf -h "$work/cross/isa-l.a" | grep "Machine:.*$cross_machine" &&
        defined "$work/cross/isa-l.a" | grep -x ec_encode_data
}

# Files that come from a version control system are all as new, and in any order.
survives_new_times() {
    find "$ours" \( -name '*.in' -o -name '*.am' -o -name '*.m4' -o -name '*.ac' \) \
        -exec touch {} + &&
        rm -rf "$work/again" && unx O="$work/again" && cmp "$work/again/isa-l.a" "$ours/bin/isa-l.a"
}

test_makefile() {
    check "make -f Makefile.unx" unx
    [ -e "$ours/bin/isa-l.a" ] || finish
    check "the names of the archive" has_only_isal_names "$ours/bin/isa-l.a"
    check "the archive needs the C library alone" needs_only_libc "$ours/bin/isa-l.a"
    check "a second make does nothing" does_nothing
    check "make -f Makefile.unx check" unx check
    check "headers by -I isa-l/include" compiles_with -I "$ours/include"
    check "isa-l.h by -I isa-l" compiles_with -I "$ours"
    check "headers without a folder" has_flat_headers
    check "make -f Makefile.unx slib" unx slib
    check "libisal.so.2" is_shared_library "$ours/bin/libisal.so"
    check "install and uninstall" installs
    check "arch=noarch" portable
    check "arch=mingw is refused" fails_with 'arch=mingw: permxor builds for ELF' arch=mingw
    check "host_cpu without a compiler for it is refused" \
        fails_with 'host_cpu=vax: CC=.* compiles for' host_cpu=vax
    if command -v aarch64-linux-gnu-gcc > /dev/null && [ "$host_cpu" != aarch64 ]; then
        check "host_cpu=aarch64" cross aarch64-linux-gnu AArch64 host_cpu=aarch64 arch=aarch64
    else
        skip "host_cpu=aarch64" "needs aarch64-linux-gnu-gcc on another processor"
    fi
    check "files with the times of a checkout" survives_new_times
}

# ------------------------------------------------------------------ CMake ----

# by_cmake FOLDER ARGUMENT...: builds and runs the client.
by_cmake() {
    cmake_folder=$work/$1
    shift
    cmake -S "$top_srcdir/unit/bundle" -B "$cmake_folder" -DCMAKE_C_COMPILER="${CC%% *}" \
        -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -DCMAKE_C_FLAGS_RELEASE=-O2 \
        -DCLIENT="$top_srcdir/examples/isal_dropin.c" "$@" &&
        cmake --build "$cmake_folder" -j2 && "$cmake_folder/client"
}

# cmake_installs PREFIX OPTION...: configures the archive itself, and installs it.
cmake_installs() {
    cmake_prefix=$1
    shift
    cmake -S "$ours" -B "$work/cmake-build" -DCMAKE_C_COMPILER="${CC%% *}" \
        -DCMAKE_C_FLAGS_RELEASE=-O2 \
        -DCMAKE_INSTALL_PREFIX="$cmake_prefix" -DCMAKE_INSTALL_LIBDIR=lib "$@" &&
        cmake --build "$work/cmake-build" -j2 && cmake --install "$work/cmake-build"
}

test_cmake() {
    cmake --version > /dev/null 2>&1 || { skip "CMake" "needs cmake"; return; }
    check "CMake: add_subdirectory" by_cmake cmake-sub -DISAL_SOURCES="$ours"
    check "CMake: install" cmake_installs "$work/cmake-prefix"
    check "CMake: find_package(ISAL)" by_cmake cmake-found -DCMAKE_PREFIX_PATH="$work/cmake-prefix"
    check "CMake: the static library" test -e "$work/cmake-prefix/lib/libisal.a"
    # Nix, among others, names the folder of libraries by an absolute path.
    check "CMake: BUILD_SHARED_LIBS=ON" cmake_installs "$work/cmake-shared" -DBUILD_SHARED_LIBS=ON \
        -DCMAKE_INSTALL_LIBDIR="$work/cmake-shared/lib"
    check "CMake: find_package(ISAL), shared" by_cmake cmake-shared-found \
        -DCMAKE_PREFIX_PATH="$work/cmake-shared"
}

test_makefile
test_cmake
if [ -n "${1:-}" ]; then
    # shellcheck source=unit/bundle_isal.sh
    . "$top_srcdir/unit/bundle_isal.sh"
    test_beside_isal "$1"
else
    skip "both libraries in one program" "needs ISAL=FOLDER, a copy of ISA-L's sources"
fi
finish
