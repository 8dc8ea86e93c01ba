# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by the scripts that test a drop-in library from outside: programs made for the real
# one and for ours.  From them: $work, a folder; $stage, where ours is installed, and $ours, the
# folder of its libraries; $library, the file; $package, its name for pkg-config;
# $client_source, a program that prints what it computes, and with --where the file of the
# library; $include_flags; $libdir and $includedir, as configured; CC, CXX.

# Sets $languages; C++ is skipped by name where there is none.
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

# headers_stand_alone HEADER...: each alone, as strict C and C++.
# shellcheck disable=SC2086 # flags are words
headers_stand_alone() {
    for header; do
        echo "#include <$header>" > "$work/header.c"
        $CC -std=c99 -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -fsyntax-only \
            $include_flags "$work/header.c" || return 1
        [ "$languages" = c ] || $CXX -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror \
            -fsyntax-only $include_flags "$work/header.c" || return 1
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
    $compiler -x "$language" -Wall -Wextra -Werror -O1 "$client_source" -o "$work/$output" \
        "$@" -ldl
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
    [ "$(readlink -f "$found")" = "$(readlink -f "$library")" ] || {
        echo "served by $found"
        return 1
    }
}

# pkg-config's flags, in the stage.
ours_flags() {
    PKG_CONFIG_PATH=$ours/pkgconfig PKG_CONFIG_SYSROOT_DIR=$stage \
        PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        pkg-config "$@" "$package"
}

# check_real_client HEADER FLAGS PACKAGE: a program made for the real library, which that package
# of Debian's has, runs on ours as on the real one, whose output is what is expected of ours.
# The names of ours are in $work/names.
# shellcheck disable=SC2086 # CC and flags may be several words
check_real_client() {
    if ! printf '#include <%s>\nint main(void) { return 0; }\n' "$1" |
        $CC -x c - -o "$work/probe" $2 > /dev/null 2>&1; then
        skip "programs made for the real library" "needs $3"
        return
    fi
    preload=LD_PRELOAD=$library
    check "compile real_c" compile real_c c $2
    check "real_c on the real one" same_output real_c LD_LIBRARY_PATH=
    check "real_c, LD_LIBRARY_PATH" same_output real_c LD_LIBRARY_PATH="$ours"
    check "real_c, LD_LIBRARY_PATH serves" served real_c LD_LIBRARY_PATH="$ours"
    check "real_c, LD_PRELOAD" same_output real_c "$preload"
    check "real_c, LD_PRELOAD serves" served real_c "$preload"
    exported "$("$work/real_c" --where)" > "$work/real.names"
    check "all names of the real one" diff "$work/real.names" "$work/names"
}

# Programs made with our headers, in each language.
check_own_clients() {
    if ! ours_flags --exists 2> /dev/null; then
        skip "programs made through $package.pc" "needs pkg-config"
        return
    fi
    for language in $languages; do
        client=ours_$language
        # shellcheck disable=SC2046 # flags are words
        check "compile $client" compile "$client" "$language" $(ours_flags --cflags --libs)
        check "$client" same_output "$client" LD_LIBRARY_PATH="$ours"
        check "$client is served" served "$client" LD_LIBRARY_PATH="$ours"
    done
}
