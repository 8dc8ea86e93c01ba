#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the drop-in libJerasure.so.2 from outside: the files of an installation, the symbols,
# and programs that were made for the real jerasure.
#
# It runs in the build directory.  The environment sets top_srcdir, libdir and includedir (as
# configured), CC, CXX, NM and MAKE.

: "${top_srcdir:?}" "${libdir:?}" "${includedir:?}"
: "${CC:=cc}" "${CXX:=c++}" "${NM:=nm}" "${MAKE:=make}"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-jerasure.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
stage=$work/stage
ours=$stage$libdir/permxor
headers=$stage$includedir/permxor
unset LD_LIBRARY_PATH LD_PRELOAD PERMXOR_KERNELS MAKEFLAGS MFLAGS MAKELEVEL

suite=jerasure_test
. "$top_srcdir/unit/checks.sh"
. "$top_srcdir/unit/elf_checks.sh"
package=jerasure
library=$ours/libJerasure.so.2
client_source=$top_srcdir/unit/jerasure_client.c
include_flags="-I$headers -I$headers/jerasure -I$headers/gf_complete"
. "$top_srcdir/unit/client_checks.sh"

install_ours() {
    $MAKE install-dropinLTLIBRARIES install-gfHEADERS install-jerasureHEADERS \
        install-jerasuresubHEADERS install-dropinpkgconfigDATA DESTDIR="$stage"
}

installed_as_documented() {
    for file in "$library" "$ours/libJerasure.so" "$ours/pkgconfig/jerasure.pc" \
        "$headers/jerasure.h" "$headers/jerasure/cauchy.h" "$headers/jerasure/galois.h" \
        "$headers/jerasure/liberation.h" "$headers/jerasure/reed_sol.h"; do
        [ -e "$file" ] || { echo "$file is missing"; return 1; }
    done
    # No file may be where it would hide or overwrite a file of the real jerasure.
    for file in "$stage$libdir"/libJerasure* "$stage$includedir"/jerasure*; do
        [ ! -e "$file" ] || { echo "$file is a path of the real jerasure"; return 1; }
    done
}

check "make install" install_ours
check "installed files" installed_as_documented
[ "$failed" -eq 0 ] || finish

sort "$top_srcdir/jerasure/jerasure.sym" > "$work/names"
check "symbols" exports_exactly "$library" "$work/names"
check "libJerasure is well formed" is_well_formed "$library" libJerasure.so.2 \
    libgf_complete.so.1
check "libJerasure imports no lock" imports_no_lock "$library"

find_languages
check "headers alone" headers_stand_alone jerasure.h jerasure/cauchy.h jerasure/galois.h \
    jerasure/liberation.h jerasure/reed_sol.h
check_real_client jerasure.h "-I/usr/include/jerasure -lJerasure" libjerasure-dev
check_own_clients
finish
