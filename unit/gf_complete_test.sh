#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the drop-in libgf_complete.so.1 from outside: the files of an installation, the symbols,
# programs that were made for the real gf-complete, and the real gf-complete's own tools.
#
#   gf_complete_test.sh [--all]
#
# With --all, gf_unit tests every method that gf_methods lists, for every w, or for each w in W.
# That takes some 40 minutes.  Without --all, gf_unit tests a sample.
#
# It runs in the build directory.  The environment sets top_srcdir, libdir and includedir (as
# configured), CC, CXX, NM and MAKE.  GF_TOOLS names a folder with gf_methods and gf_unit, if
# they are not in PATH.

: "${top_srcdir:?}" "${libdir:?}" "${includedir:?}"
: "${CC:=cc}" "${CXX:=c++}" "${NM:=nm}" "${MAKE:=make}"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-gf.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
stage=$work/stage
ours=$stage$libdir/permxor
headers=$stage$includedir/permxor/gf_complete
unset LD_LIBRARY_PATH LD_PRELOAD PERMXOR_KERNELS MAKEFLAGS MFLAGS MAKELEVEL
PATH=${GF_TOOLS:+$GF_TOOLS:}$PATH

suite=gf_complete_test
. "$top_srcdir/unit/checks.sh"
. "$top_srcdir/unit/elf_checks.sh"
package=gf_complete
library=$ours/libgf_complete.so.1
client_source=$top_srcdir/unit/gf_client.c
include_flags=-I$headers
. "$top_srcdir/unit/client_checks.sh"

install_ours() {
    $MAKE install-dropinLTLIBRARIES install-gfHEADERS install-dropinpkgconfigDATA \
        DESTDIR="$stage"
}

installed_as_documented() {
    for file in "$ours/libgf_complete.so.1" "$ours/libgf_complete.so" \
        "$ours/pkgconfig/gf_complete.pc" "$headers/gf_complete.h" "$headers/gf_general.h" \
        "$headers/gf_method.h" "$headers/gf_rand.h"; do
        [ -e "$file" ] || { echo "$file is missing"; return 1; }
    done
    # No file may be where it would hide or overwrite a file of the real gf-complete.
    for file in "$stage$libdir"/libgf_complete* "$stage$includedir"/gf_*.h; do
        [ ! -e "$file" ] || { echo "$file is a path of the real gf-complete"; return 1; }
    done
}

# ------------------------------------------------------------------- tools ----

# methods W LETTERS VARIABLES...: prints what gf_methods lists for this w and these letters,
# with these environment variables.
methods() {
    w=$1
    letters=$2
    shift 2
    env "$@" gf_methods "$w" "-$letters" -U 2> "$work/methods.err"
}

# lists_the_same W: succeeds if gf_methods lists the same methods with the real library and with
# ours.
lists_the_same() {
    for letters in A AC AD; do
        methods "$1" "$letters" LD_LIBRARY_PATH= > "$work/real.list" &&
            methods "$1" "$letters" LD_LIBRARY_PATH="$ours" > "$work/ours.list" || return 1
        [ -s "$work/ours.list" ] && diff "$work/real.list" "$work/ours.list" || return 1
    done
}

# passes LINE: runs gf_unit with ours.  LINE is one of gf_methods' lines, "../test/gf_unit W A
# -1 METHOD".
passes() {
    # shellcheck disable=SC2086 # several words
    set -- ${1#*gf_unit}
    LD_LIBRARY_PATH=$ours gf_unit "$@"
}

# units W LETTERS FILTER...: runs gf_unit for each line that the command FILTER passes on.
units() {
    w=$1
    letters=$2
    shift 2
    methods "$w" "$letters" LD_LIBRARY_PATH="$ours" | "$@" > "$work/units.list"
    while read -r line; do
        check "${line#*test/}" passes "$line" < /dev/null
    done < "$work/units.list"
}

sample_of_tools() {
    for w in 4 7 8 11 16 32 64 128; do
        check "methods of w=$w" lists_the_same "$w"
        units "$w" BC sed -n '1p;$p'
    done
}

# The real gf-complete needs gigabytes for the tables of w=14, and for logarithms of w=25 to 27.
# So its list is not compared for these w.
all_of_tools() {
    : "${W:=$(seq 1 32) 64 128}"
    for w in $W; do
        if [ "$w" -ne 14 ] && { [ "$w" -lt 25 ] || [ "$w" -gt 27 ]; }; then
            check "methods of w=$w" lists_the_same "$w"
        fi
        for letters in A AC AD; do
            methods "$w" "$letters" LD_LIBRARY_PATH="$ours"
        done | sort -u > "$work/all.list"
        units "$w" A cat "$work/all.list"
    done
}

# -------------------------------------------------------------------- main ----

check "make install" install_ours
check "installed files" installed_as_documented
[ "$failed" -eq 0 ] || finish

sort "$top_srcdir/gf_complete/gf_complete.sym" > "$work/names"
check "symbols" exports_exactly "$ours/libgf_complete.so.1" "$work/names"
check "libgf_complete is well formed" is_well_formed "$library" libgf_complete.so.1
check "libgf_complete imports no lock" imports_no_lock "$library"

find_languages
check "headers alone" headers_stand_alone gf_complete.h gf_general.h gf_method.h gf_rand.h

# C++ cannot use the real one's headers.
check_real_client gf_complete.h -lgf_complete libgf-complete-dev
check_own_clients

if ! command -v gf_methods > /dev/null || ! command -v gf_unit > /dev/null; then
    skip "gf_methods and gf_unit" "needs gf-complete-tools"
elif [ "${1:-}" = --all ]; then
    all_of_tools
else
    sample_of_tools
fi
finish
