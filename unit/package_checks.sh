# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# dropin_test.sh sources this file, after checks.sh.  It builds programs against the
# installation of that script.  The programs find the libraries by pkg-config and by CMake, and
# link the shared and the static ones.  The installation is not at its prefix, so these checks
# pass only if the packages name no absolute path.
#
# That script sets $stage, the DESTDIR of the installation, $ours, the folder of the drop-ins,
# and $libdir and CC.

package_sources=$top_srcdir/unit/package

# needs_none_of_ours PROGRAM: succeeds if the program needs neither shared library.
needs_none_of_ours() {
    ! readelf -d "$1" | grep 'NEEDED.*\(permxor\|isal\)'
}

# static_client NAME MODULE FLAGS...: builds and runs a program that uses no shared library.
static_client() {
    package_client=$work/$1
    package_module=$2
    shift 2
    # shellcheck disable=SC2046,SC2086 # flags are words, and CC may be several
    $CC -Wall -Wextra -Werror -O1 "$@" -static -o "$package_client" \
        "$package_sources/client.c" \
        $(staged_pkg_config --static --cflags --libs "$package_module") && "$package_client"
}

# Succeeds if the compiler finds a static C library.
has_static_libc() {
    # shellcheck disable=SC2086 # CC may be several words
    echo 'int main(void) { return 0; }' | $CC -x c - -static -o "$work/probe"
}

check_static_clients() {
    if [ ! -e "$stage$libdir/libpermxor.a" ]; then
        skip "static programs" "built with --disable-static"
    elif ! pkg-config --version > /dev/null 2>&1; then
        skip "static programs" "needs pkg-config"
    elif ! has_static_libc > /dev/null 2>&1; then
        skip "static programs" "needs a static C library"
    else
        check "static program with permxor.pc" static_client permxor_pc permxor
        check "static program with libisal.pc" static_client isal_pc libisal -DWITH_ISAL
    fi
}

# configure_clients FOLDER PREFIX PREFIX: lets CMake configure the programs in FOLDER.  CMake
# finds the packages in the two prefixes only.
configure_clients() {
    package_folder=$1
    package_prefixes=$2\;$3
    # shellcheck disable=SC2086 # CC may be several words: a compiler and its first flags
    set -- $CC
    package_compiler=$1
    shift
    cmake -S "$package_sources" -B "$package_folder" -DCMAKE_C_COMPILER="$package_compiler" \
        -DCMAKE_C_FLAGS="$*" -DCMAKE_PREFIX_PATH="$package_prefixes" \
        -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF \
        -DPERMXOR_VERSION="$(staged_pkg_config --modversion permxor)" \
        -DISAL_VERSION="$(staged_pkg_config --modversion libisal)"
}

check_cmake_clients() {
    if ! cmake --version > /dev/null 2>&1 || ! pkg-config --version > /dev/null 2>&1; then
        skip "programs built by CMake" "needs cmake and pkg-config"
        return
    fi
    check "CMake finds permxor and isal" configure_clients "$work/cmake" \
        "$stage$libdir/cmake" "$ours/cmake"
    [ -e "$work/cmake/CMakeCache.txt" ] || return
    check "CMake builds the clients" cmake --build "$work/cmake"
    for package_name in permxor isal; do
        package_client=$work/cmake/$package_name
        check "${package_name}_default, by CMake" "${package_client}_default"
        if [ -e "$stage$libdir/libpermxor.a" ]; then
            check "${package_name}_static, by CMake" "${package_client}_static"
            check "${package_name}_static is static" needs_none_of_ours \
                "${package_client}_static"
        fi
    done
}
