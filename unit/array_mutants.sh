#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the simulator of the writing core, and other tests of it: they have to find the faults that
# the patches in unit/mutants/ put into copies of array/.
#
# The head of a patch says in a line `Case: NAME` which case of unit/test_array_sim finds the fault,
# and in a line `Shows as: PATTERN` by which message; the pattern is a regular expression of grep -E.
# If there is a line `Test: NAME`, the case is one of unit/NAME, and the message is that of a check.
# A patch that does not apply, a mutant that cannot be compiled, and a mutant that fails in another
# way are failures.
#
# It runs in the build directory.  The environment sets top_srcdir, CC, and in MUTANT_FLAGS the
# flags with which array/ is compiled.  PXR_SEED chooses another run than the usual one.  Patches may
# be given as arguments; otherwise it takes all.

: "${top_srcdir:?}" "${CC:?}"
suite=array_mutants
work=$PWD/sub-builds/mutants
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"
PXR_SEED=${PXR_SEED:-1}
export PXR_SEED

[ "${PXR_EFFORT:-100}" -eq 100 ] || skip_all "PXR_EFFORT=$PXR_EFFORT is too little to find them"
[ -x unit/test_array_sim ] || skip_all "unit/test_array_sim is not built"
command -v patch > /dev/null || skip_all "needs patch"

# changed PATCH: prints the C files that a patch changes.
changed() {
    sed -n 's|^+++ b/\(array/[^[:space:]]*\.c\)$|\1|p' "$1"
}

# test_of PATCH: prints the test that finds the fault.
test_of() {
    sed -n 's/^Test: //p' "$1" | grep . || echo test_array_sim
}

# build PATCH: makes $copy/test, the test with a mutant of the core.
build() {
    rm -rf "$copy"
    mkdir -p "$copy"
    cp -R "$top_srcdir/array" "$copy/array"
    chmod -R u+w "$copy"
    patch --quiet --forward --fuzz=0 -p1 -d "$copy" < "$1" || return 1
    objects=
    for file in $(changed "$1"); do
        object=$copy/$(basename "$file" .c).o
        # shellcheck disable=SC2086 # flags
        $CC -I. -I"$copy/array" -I"$copy/array/core" -I"$top_srcdir/include" \
            -I"$top_srcdir/tools" $MUTANT_FLAGS -c "$copy/$file" -o "$object" || return 1
        objects="$objects $object"
    done
    # shellcheck disable=SC2086 # lists of words
    ./libtool --silent --tag=CC --mode=link $CC $MUTANT_FLAGS -o "$copy/test" $objects \
        "unit/$(test_of "$1")"-*.o libsim.la libpxr_array_core.la libcheck.la
}

# mutant PATCH: builds a mutant and lets the test find it.
mutant() {
    name=$(basename "$1" .patch)
    copy=$work/$name
    case=$(sed -n 's/^Case: //p' "$1")
    shows=$(sed -n 's/^Shows as: //p' "$1")
    if ! build "$1" > "$work/$name.log" 2>&1; then
        fail "mutant $name: it does not apply, or cannot be compiled"
        sed 's/^/    /' "$work/$name.log"
        return
    fi
    "$copy/test" "$case" > "$work/$name.log" 2>&1
    wrong=$(grep -E "^(WRONG: .*: ($shows): |FAILED: $case.*: ($shows))" "$work/$name.log" |
        head -n 1)
    if [ -n "$wrong" ]; then
        pass
        echo "caught: mutant $name: $wrong"
    else
        fail "mutant $name is not caught"
        tail -n 5 "$work/$name.log" | sed 's/^/    /'
    fi
    rm -rf "$copy"
}

mkdir -p "$work"
[ $# -gt 0 ] || set -- "$top_srcdir"/unit/mutants/*.patch
for file; do
    mutant "$file"
done
finish
