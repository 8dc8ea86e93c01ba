#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the drop-in libJerasure with jerasure's example programs, which are compiled for
# Debian's original library.  Each program has to print the same, and write the same files, with
# ours as with the original.
#
#   jerasure_examples.sh FOLDER    FOLDER is a copy of jerasure's sources, with Examples/ in it
#
# The environment sets top_srcdir, top_builddir and CC.

: "${top_srcdir:?}" "${top_builddir:?}" "${CC:=cc}"
suite=jerasure_examples
. "$top_srcdir/unit/checks.sh"
[ -d "${1:-}/Examples" ] || skip_all "FOLDER is no copy of jerasure's sources"
sources=$(cd "$1" && pwd)
ours=$(cd "$top_builddir/.libs" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-examples.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
unset LD_LIBRARY_PATH LD_PRELOAD

# The programs are old, and their warnings do not matter here.
compile() {
    # shellcheck disable=SC2086 # CC may be several words
    $CC -w -O1 -I/usr/include/jerasure -idirafter "$sources/include" \
        "$sources/Examples/$1.c" "$sources/src/timing.c" -o "$work/$1" \
        -lJerasure -lgf_complete -lm
}

for library in Jerasure gf_complete; do
    echo 'int main(void) { return 0; }' > "$work/probe.c"
    # shellcheck disable=SC2086
    $CC "$work/probe.c" -o "$work/probe" -l$library 2> /dev/null ||
        skip_all "needs libjerasure-dev and libgf-complete-dev"
done

# said WHERE PROGRAM ARGUMENT...: runs the program in the folder WHERE (`ours` or `original`),
# with that library.  The file `said` there gets the output and the status.
said() {
    folder=$work/$1
    program=$2
    mkdir -p "$folder"
    shift 2
    if [ "$folder" = "$work/ours" ]; then
        libraries=$ours
    else
        libraries=
    fi
    (cd "$folder" && LD_LIBRARY_PATH=$libraries "$work/$program" "$@" > said 2>&1
        echo "status $?" >> said)
}

# timeless WHERE: prints that output without times and speeds, which differ from run to run.
timeless() {
    grep -v -i -e 'MB/sec' -e ' (MB' "$1/said"
}

# agree PROGRAM ARGUMENT...: succeeds if the program ends with status 0, and prints the same
# with both libraries.
agree() {
    said original "$@" && said ours "$@" && timeless "$work/original" > "$work/want" &&
        timeless "$work/ours" > "$work/got" && diff "$work/want" "$work/got" &&
        grep -q '^status 0' "$work/want"
}

# same PROGRAM ARGUMENT...
same() {
    check "$*" agree "$@"
}

# methods_of W: prints gf-complete's methods for products and regions, as gf_methods lists them.
methods_of() {
    gf_methods "$1" -B -L 2> /dev/null | sed -n "s/^w=$1: *//p"
}

# same_files TECHNIQUE K M W PACKETSIZE: encodes a file with both libraries and compares the
# files that they write.  Then it removes two of these files and decodes.
same_files() {
    rm -rf "$work/original" "$work/ours"
    for where in original ours; do
        mkdir "$work/$where" && cp "$work/data" "$work/$where/data" || return 1
    done
    agree encoder data "$2" "$3" "$1" "$4" "$5" 0 || return 1
    [ -e "$work/ours/Coding/data_meta.txt" ] || return 1
    diff -r "$work/original/Coding" "$work/ours/Coding" || return 1
    for where in original ours; do
        rm "$work/$where"/Coding/data_k1 "$work/$where"/Coding/data_m1 || return 1
    done
    agree decoder data && cmp "$work/data" "$work/ours/Coding/data_decoded"
}

coded() {
    check "encoder and decoder: $*" same_files "$@"
}

command -v gf_methods > /dev/null || skip "reed_sol_test_gf, all methods" "needs gf-complete-tools"
for program in "$sources"/Examples/*.c; do
    name=$(basename "$program" .c)
    check "compile $name" compile "$name"
done
[ "$failed" -eq 0 ] || finish

for w in 3 4 8 16 32; do
    same jerasure_01 3 4 $w
    same jerasure_02 3 4 $w
done
for w in 3 4 5 8 11; do
    same cauchy_01 5 $w
    same jerasure_03 3 $w
    same jerasure_04 2 $w
    same jerasure_06 3 2 $w 64 7
    same jerasure_07 3 2 $w 8
    same cauchy_02 3 2 $w 9
    same cauchy_03 3 2 $w 10
    same cauchy_04 3 2 $w 11
    same jerasure_08 3 $w 12
done
for w in 8 16 32; do
    same jerasure_05 4 2 $w 128 13
    same reed_sol_01 7 3 $w 14
    same reed_sol_02 5 3 $w
    same reed_sol_03 6 $w 15
    same reed_sol_04 $w 16
    same reed_sol_test_gf 7 3 $w 17 -
    methods_of $w > "$work/methods"
    while read -r method; do
        # shellcheck disable=SC2086 # words of a method
        same reed_sol_test_gf 12 3 $w 17 $method
    done < "$work/methods"
done
for w in 3 5 7 11; do
    same liberation_01 3 $w 18
done
awk 'BEGIN { srand(19); for (i = 0; i < 30000; i++) printf "%d ", rand() * 2 ^ 31 }' \
    > "$work/data"
for w in 8 16 32; do
    coded reed_sol_van 4 2 $w 0
    coded reed_sol_r6_op 5 2 $w 0
done
for w in 4 8; do
    coded cauchy_orig 4 2 $w 64
    coded cauchy_good 6 3 $w 128
done
coded liberation 5 2 7 64
coded blaum_roth 4 2 6 64
coded liber8tion 6 2 8 64
finish
