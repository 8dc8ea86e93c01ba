# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# gf_complete_test.sh and jerasure_test.sh source this file, after checks.sh and elf_checks.sh.
# It builds and runs programs with the headers of the original library, and with our headers.
# "Ours" is the drop-in library, and "the real one" is the original library, if it is installed.
#
# A script sets:
#
#   $stage, $ours       the DESTDIR of the installation, and the folder of its drop-ins
#   $library, $package  the file of our library, and its name for pkg-config
#   $client_source      a program that prints what it computes.  With --where it prints the
#                       file of the library
#   $include_flags      the compiler's flags for our headers
#   $libdir, CC, CXX

# Sets $languages to "c" or "c c++".  If there is no C++ compiler, the C++ clients are skipped.
find_languages() {
    languages=c
    # shellcheck disable=SC2086 # CXX may be several words
    if echo 'int main() { return 0; }' > "$work/try.cc" &&
        $CXX -o "$work/try" "$work/try.cc" > /dev/null 2>&1; then
        languages="c c++"
    else
        skip "C++ clients" "needs a C++ compiler"
    fi
}

# headers_stand_alone HEADER...: succeeds if each header compiles alone, as strict C and C++.
# shellcheck disable=SC2086 # flags are words
headers_stand_alone() {
    for client_header; do
        echo "#include <$client_header>" > "$work/header.c"
        $CC -std=c99 -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -fsyntax-only \
            $include_flags "$work/header.c" || return 1
        [ "$languages" = c ] || $CXX -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror \
            -fsyntax-only $include_flags "$work/header.c" || return 1
    done
}

# compile OUTPUT LANGUAGE FLAGS...: LANGUAGE is c or c++.
compile() {
    client_output=$1
    client_language=$2
    shift 2
    client_compiler=$CC
    [ "$client_language" = c ] || client_compiler=$CXX
    # shellcheck disable=SC2086 # CC may be several words
    $client_compiler -x "$client_language" -Wall -Wextra -Werror -O1 "$client_source" \
        -o "$work/$client_output" "$@" -ldl
}

# same_output CLIENT VARIABLES...: runs the client with these environment variables.  It
# succeeds if the client prints the same as the first client that ran.
same_output() {
    client_program=$work/$1
    shift
    env "$@" "$client_program" > "$work/client.out" || { echo "status $?"; return 1; }
    [ -e "$work/expected" ] || mv "$work/client.out" "$work/expected"
    [ ! -e "$work/client.out" ] || diff "$work/expected" "$work/client.out"
}

# served CLIENT VARIABLES...: succeeds if the functions that the client calls are ours.
served() {
    client_program=$work/$1
    shift
    client_served_by=$(env "$@" "$client_program" --where) || return 1
    [ "$(readlink -f "$client_served_by")" = "$(readlink -f "$library")" ] || {
        echo "served by $client_served_by"
        return 1
    }
}

# check_real_client HEADER FLAGS PACKAGE: compiles a client with the header and the flags of the
# real library, which is in Debian's PACKAGE.  The client has to print the same on ours as on
# the real one, and ours has to export the same names.  $work/names lists the names of ours.
# shellcheck disable=SC2086 # CC and flags may be several words
check_real_client() {
    if ! printf '#include <%s>\nint main(void) { return 0; }\n' "$1" |
        $CC -x c - -o "$work/probe" $2 > /dev/null 2>&1; then
        skip "programs made for the real library" "needs $3"
        return
    fi
    client_preload=LD_PRELOAD=$library
    check "compile real_c" compile real_c c $2
    check "real_c on the real one" same_output real_c LD_LIBRARY_PATH=
    check "real_c, LD_LIBRARY_PATH" same_output real_c LD_LIBRARY_PATH="$ours"
    check "real_c, LD_LIBRARY_PATH serves" served real_c LD_LIBRARY_PATH="$ours"
    check "real_c, LD_PRELOAD" same_output real_c "$client_preload"
    check "real_c, LD_PRELOAD serves" served real_c "$client_preload"
    exported "$("$work/real_c" --where)" > "$work/real.names"
    check "all names of the real one" diff "$work/real.names" "$work/names"
}

# Builds a client with our headers in each language.  The flags are those of our pkg-config
# file.
check_own_clients() {
    if ! staged_pkg_config --exists "$package" 2> /dev/null; then
        skip "programs built by $package.pc" "needs pkg-config"
        return
    fi
    for client_kind in $languages; do
        client_name=ours_$client_kind
        # shellcheck disable=SC2046 # flags are words
        check "compile $client_name" compile "$client_name" "$client_kind" \
            $(staged_pkg_config --cflags --libs "$package")
        check "$client_name" same_output "$client_name" LD_LIBRARY_PATH="$ours"
        check "$client_name is served" served "$client_name" LD_LIBRARY_PATH="$ours"
    done
}
