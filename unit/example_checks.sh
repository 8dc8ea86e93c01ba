# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Scripts that have an installation source this file, after checks.sh.  It compiles each program
# of examples/ against the installation, by pkg-config.  Then it runs the program, and compares
# the output with the line that the program's first comment promises.
#
# A script sets $stage, the DESTDIR of the installation, and $libdir, CC and CXX.

# build_example SOURCE PACKAGE: compiles by the oldest standard of the language that the headers
# support.
# shellcheck disable=SC2046,SC2086 # compilers and flags may be several words
build_example() {
    case $1 in
    *.cc) set -- "$1" "$2" $CXX -std=c++11 ;;
    *) set -- "$1" "$2" $CC -std=c99 ;;
    esac
    example_source=$1
    example_package=$2
    shift 2
    "$@" -pedantic -Wall -Wextra -Werror "$example_source" \
        $(staged_pkg_config --cflags --libs "$example_package") -o "$work/example"
}

# run_example SOURCE: succeeds if the program prints the one line that its comment has after
# "It prints:".
run_example() {
    sed -n '/It prints:$/,/[a-z_.]*: /{s/^ *\(\*\|\/\/\)     //p;}' "$1" > "$work/example.expected"
    LD_LIBRARY_PATH=$stage$libdir:$stage$libdir/permxor "$work/example" > "$work/example.out" ||
        { echo "status $?"; return 1; }
    [ "$(wc -l < "$work/example.expected")" -eq 1 ] ||
        { echo "the comment does not have one line after \"It prints:\""; return 1; }
    diff "$work/example.expected" "$work/example.out"
}

check_examples() {
    if ! pkg-config --version > /dev/null 2>&1; then
        skip "examples" "needs pkg-config"
        return
    fi
    for example_file in "$top_srcdir"/examples/*.c "$top_srcdir"/examples/*.cc; do
        example_name=${example_file##*/}
        example_package=permxor
        case $example_name in
        isal_*) example_package=libisal ;;
        *.cc)
            # shellcheck disable=SC2086 # CXX may be several words
            if ! printf '#include <vector>\nint main() { return 0; }\n' |
                $CXX -x c++ - -o "$work/example" > /dev/null 2>&1; then
                skip "examples/$example_name" "needs a C++ compiler"
                continue
            fi
            ;;
        esac
        check "compile examples/$example_name" build_example "$example_file" "$example_package"
        check "examples/$example_name" run_example "$example_file"
    done
}
