#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The drop-in libgf_complete.so.1 from outside: what an installation holds, its symbols,
# programs made for the real one, and the real one's own tools.
#
#   gf_complete_test.sh [--all]
#
# --all lets gf_unit judge every method that gf_methods lists for every w, or for those in W:
# some 40 minutes.  Without it, a sample.
#
# From the environment: top_srcdir, libdir, includedir (as configured), CC, CXX, NM, MAKE; it
# runs in the build directory.  GF_TOOLS names a folder with gf_methods and gf_unit, where they
# are not in PATH.

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
    # Nothing where it would hide or overwrite the real one.
    for file in "$stage$libdir"/libgf_complete* "$stage$includedir"/gf_*.h; do
        [ ! -e "$file" ] || { echo "$file is in the real one's place"; return 1; }
    done
}

# Headers, each alone, as strict C and C++.
headers_stand_alone() {
    for header in gf_complete.h gf_general.h gf_method.h gf_rand.h; do
        echo "#include <$header>" > "$work/header.c"
        $CC -std=c99 -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -fsyntax-only \
            -I"$headers" "$work/header.c" || return 1
        [ -z "$cxx" ] || $CXX -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only \
            -I"$headers" "$work/header.c" || return 1
    done
}

# compile OUTPUT LANGUAGE FLAGS...: LANGUAGE is c or c++.
compile() {
    output=$1
    language=$2
    shift 2
    compiler=$CC
    [ "$language" = c ] || compiler=$CXX
    # shellcheck disable=SC2086 # CC may be several words
    $compiler -x "$language" -Wall -Wextra -Werror -O1 "$top_srcdir/unit/gf_client.c" \
        -o "$work/$output" "$@" -ldl
}

# same_output CLIENT VARIABLES...: as the first client that ran.
same_output() {
    client=$1
    shift
    env "$@" "$work/$client" > "$work/client.out" || { echo "status $?"; return 1; }
    [ -e "$work/expected" ] || mv "$work/client.out" "$work/expected"
    [ ! -e "$work/client.out" ] || diff "$work/expected" "$work/client.out"
}

# served CLIENT VARIABLES...: its functions come from ours.
served() {
    client=$1
    shift
    found=$(env "$@" "$work/$client" --where) || return 1
    [ "$(readlink -f "$found")" = "$(readlink -f "$ours/libgf_complete.so.1")" ] || {
        echo "served by $found"
        return 1
    }
}

# ours_flags: pkg-config's, in the stage.
ours_flags() {
    PKG_CONFIG_PATH=$ours/pkgconfig PKG_CONFIG_SYSROOT_DIR=$stage \
        PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        pkg-config "$@" gf_complete
}

# ------------------------------------------------------------------- tools ----

# What gf_methods lists for a w: with these letters, run by these variables.
methods() {
    w=$1
    letters=$2
    shift 2
    env "$@" gf_methods "$w" "-$letters" -U 2> "$work/methods.err"
}

# The same methods with the real one and with ours.
lists_the_same() {
    for letters in A AC AD; do
        methods "$1" "$letters" LD_LIBRARY_PATH= > "$work/real.list" &&
            methods "$1" "$letters" LD_LIBRARY_PATH="$ours" > "$work/ours.list" || return 1
        [ -s "$work/ours.list" ] && diff "$work/real.list" "$work/ours.list" || return 1
    done
}

# One line of such a list, "../test/gf_unit W A -1 METHOD".
passes() {
    # shellcheck disable=SC2086 # several words
    set -- ${1#*gf_unit}
    LD_LIBRARY_PATH=$ours gf_unit "$@"
}

# units W LETTERS FILTER...: gf_unit for the lines that a filter lets through.
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

# The original needs gigabytes for tables of w=14 and logarithms above w=24, so there its list
# is not asked for.
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
library=$ours/libgf_complete.so.1
check "libgf_complete is well formed" is_well_formed "$library" libgf_complete.so.1
check "libgf_complete imports no lock" imports_no_lock "$library"

cxx=
# shellcheck disable=SC2086 # CXX may be several words
if echo 'int main() { return 0; }' > "$work/try.cc" &&
    $CXX -o "$work/try" "$work/try.cc" > /dev/null 2>&1; then
    cxx=yes
fi
languages=c
if [ -n "$cxx" ]; then languages="c c++"; else skip "C++ clients" "needs a C++ compiler"; fi
check "headers alone" headers_stand_alone

# The real one's output is what is expected of ours.
# shellcheck disable=SC2086 # CC may be several words
if printf '#include <gf_complete.h>\nint main(void) { return 0; }\n' |
    $CC -x c - -o "$work/probe" -lgf_complete > /dev/null 2>&1; then
    # Its headers are of no use in C++.
    preload=LD_PRELOAD=$ours/libgf_complete.so.1
    check "compile real_c" compile real_c c -lgf_complete
    check "real_c on the real one" same_output real_c LD_LIBRARY_PATH=
    check "real_c, LD_LIBRARY_PATH" same_output real_c LD_LIBRARY_PATH="$ours"
    check "real_c, LD_LIBRARY_PATH serves" served real_c LD_LIBRARY_PATH="$ours"
    check "real_c, LD_PRELOAD" same_output real_c "$preload"
    check "real_c, LD_PRELOAD serves" served real_c "$preload"
    real=$("$work/real_c" --where)
    exported "$real" > "$work/real.names"
    check "all names of the real one" diff "$work/real.names" "$work/names"
else
    skip "programs made for the real gf-complete" "needs libgf-complete-dev"
fi

if ours_flags --exists 2> /dev/null; then
    for language in $languages; do
        client=ours_$language
        # shellcheck disable=SC2046 # flags are words
        check "compile $client" compile "$client" "$language" $(ours_flags --cflags --libs)
        check "$client" same_output "$client" LD_LIBRARY_PATH="$ours"
        check "$client is served" served "$client" LD_LIBRARY_PATH="$ours"
    done
else
    skip "programs made through gf_complete.pc" "needs pkg-config"
fi

if ! command -v gf_methods > /dev/null || ! command -v gf_unit > /dev/null; then
    skip "gf_methods and gf_unit" "needs gf-complete-tools"
elif [ "${1:-}" = --all ]; then
    all_of_tools
else
    sample_of_tools
fi
finish
