# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by the scripts that have an installation at hand: compiles each program of examples/
# against it by pkg-config, runs it, and compares what it prints with what its first comment
# says.  From them: $work, a folder; $stage, where everything is installed; $libdir, as
# configured; CC, CXX.

# example_flags PACKAGE: pkg-config's, in the stage.
example_flags() {
    PKG_CONFIG_PATH=$stage$libdir/pkgconfig:$stage$libdir/permxor/pkgconfig \
        PKG_CONFIG_SYSROOT_DIR=$stage PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 \
        PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 pkg-config --cflags --libs "$1"
}

# build_example SOURCE PACKAGE: with the flags of the oldest standards that the headers support.
# shellcheck disable=SC2046,SC2086 # compilers and flags may be several words
build_example() {
    case $1 in
    *.cc) set -- "$1" "$2" $CXX -std=c++11 ;;
    *) set -- "$1" "$2" $CC -std=c99 ;;
    esac
    source=$1
    package=$2
    shift 2
    "$@" -pedantic -Wall -Wextra -Werror "$source" $(example_flags "$package") -o "$work/example"
}

# run_example SOURCE: prints the one line that its comment has after "It prints:".
run_example() {
    sed -n '/It prints:$/,/[a-z_.]*: /{s/^ *\(\*\|\/\/\)     //p;}' "$1" > "$work/example.expected"
    LD_LIBRARY_PATH=$stage$libdir:$stage$libdir/permxor "$work/example" > "$work/example.out" ||
        { echo "status $?"; return 1; }
    [ "$(wc -l < "$work/example.expected")" -eq 1 ] || { echo "no line is expected"; return 1; }
    diff "$work/example.expected" "$work/example.out"
}

check_examples() {
    if ! pkg-config --version > /dev/null 2>&1; then
        skip "examples" "needs pkg-config"
        return
    fi
    for example in "$top_srcdir"/examples/*.c "$top_srcdir"/examples/*.cc; do
        name=${example##*/}
        package=permxor
        case $name in
        isal_*) package=libisal ;;
        *.cc)
            # shellcheck disable=SC2086 # CXX may be several words
            if ! printf '#include <vector>\nint main() { return 0; }\n' |
                $CXX -x c++ - -o "$work/example" > /dev/null 2>&1; then
                skip "examples/$name" "needs a C++ compiler"
                continue
            fi
            ;;
        esac
        check "compile examples/$name" build_example "$example" "$package"
        check "examples/$name" run_example "$example"
    done
}
