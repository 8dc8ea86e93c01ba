# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by dropin_test.sh, whose installation it uses: programs that find the libraries by
# pkg-config and by CMake, and link them shared and static.  The installation is not at its
# prefix, so that passes only where the packages name no absolute path.  From that script:
# $stage, where all is installed, $ours, the folder of the drop-ins, $work, a folder, $libdir,
# and CC.

package_sources=$top_srcdir/unit/package

# package_flags NAME OPTION...: pkg-config's, in the stage.
package_flags() {
    module=$1
    shift
    PKG_CONFIG_PATH=$ours/pkgconfig:$stage$libdir/pkgconfig PKG_CONFIG_SYSROOT_DIR=$stage \
        PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        pkg-config "$@" "$module"
}

# Neither of the two libraries is loaded.
needs_none_of_ours() {
    ! readelf -d "$1" | grep 'NEEDED.*\(permxor\|isal\)'
}

# static_client NAME MODULE FLAGS...: a program without any shared library.
static_client() {
    client=$1
    module=$2
    shift 2
    # shellcheck disable=SC2046,SC2086 # flags are words, and CC may be several
    $CC -Wall -Wextra -Werror -O1 "$@" -static -o "$work/$client" "$package_sources/client.c" \
        $(package_flags "$module" --static --cflags --libs) && "$work/$client"
}

# Does the C library have a static half?
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

# configure_clients FOLDER PREFIX...: by CMake, which finds the packages in the prefixes alone.
configure_clients() {
    folder=$1
    prefixes=$2\;$3
    # shellcheck disable=SC2086 # CC may be several words: a compiler and its first flags
    set -- $CC
    compiler=$1
    shift
    cmake -S "$package_sources" -B "$folder" -DCMAKE_C_COMPILER="$compiler" \
        -DCMAKE_C_FLAGS="$*" -DCMAKE_PREFIX_PATH="$prefixes" \
        -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF \
        -DPERMXOR_VERSION="$(package_flags permxor --modversion)" \
        -DISAL_VERSION="$(package_flags libisal --modversion)"
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
    for client in permxor isal; do
        check "${client}_default, by CMake" "$work/cmake/${client}_default"
        if [ -e "$stage$libdir/libpermxor.a" ]; then
            check "${client}_static, by CMake" "$work/cmake/${client}_static"
            check "${client}_static is static" needs_none_of_ours "$work/cmake/${client}_static"
        fi
    done
}
