#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests liberasurecode and PyECLib on this build's libisal.so.2: by their own tests, by
# exchanging data with ISA-L, by loading and unloading, and by faults.  This is done with
# Debian's packages, and with PyECLib's wheel, which has a newer liberasurecode and ISA-L in it.
# With Debian's packages it is also done on this build's libJerasure.so.2.
#
# From the environment: top_srcdir, top_builddir, CC.  What is fetched stays in
# $top_builddir/sub-builds/liberasurecode.

: "${top_srcdir:?}" "${top_builddir:?}" "${CC:=cc}"

here=$top_srcdir/plugins/liberasurecode
root=$top_builddir/sub-builds/liberasurecode
ours=$(readlink -f "$top_builddir/.libs")
work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-liberasurecode.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
unset LD_LIBRARY_PATH LD_PRELOAD PERMXOR_KERNELS
mkdir -p "$root" || exit 1

suite=liberasurecode_test
. "$top_srcdir/unit/checks.sh"
. "$here/fetch.sh"

# ----------------------------------------------------------------- proofs ----

# timed NAME COMMAND...: a check that prints how long it took, and what the command said.
timed() {
    began=$(date +%s)
    check "$@"
    sed -n "s/^said: /$1: /p" "$work/check.log"
    echo "$1: $(($(date +%s) - began)) s"
}

# served FILE COMMAND...: the command must succeed.  Of FILE's library, it must load this file
# and no other version.
served() {
    file=$1
    library=$(basename "$file" | sed 's/[-.].*//')
    shift
    rm -f "$work"/linker.*
    LD_DEBUG=libs LD_DEBUG_OUTPUT=$work/linker "$@" || return 1
    loaded=$(sed -n "s|.*calling init: \(/.*/$library.*\)|\1|p" "$work"/linker.* |
        sort | uniq -c)
    echo "said: loaded $(echo $loaded | sed 's|^\([0-9]*\) .*/\(.*/.*\)|\1 times: \2|')"
    [ "$(echo "$loaded" | sed 's/^ *[0-9]* //')" = "$file" ] || {
        echo "loaded: $loaded, not $file alone"
        return 1
    }
}

# fails_with STATUS TEXT COMMAND...
fails_with() {
    status=$1
    text=$2
    shift 2
    "$@" > "$work/fails" 2>&1
    seen=$?
    cat "$work/fails"
    [ $seen -eq "$status" ] && grep -qF "$text" "$work/fails"
}

# -------------------------------------------------------------- programs ----

flags="-std=gnu11 -O1 -Wall -Wextra -D_GNU_SOURCE"

# shellcheck disable=SC2086 # CC and flags are words
build_programs() {
    for program in exchange faults; do
        $CC $flags -o "$work/$program" "$here/$program.c" "$here/sides.c" -ldl || return 1
    done
    $CC $flags -o "$work/lifetime" "$here/lifetime.c" -lerasurecode -lpthread
}

# Builds their test programs, from $root/source, against the installed library.
# shellcheck disable=SC2086
build_their_programs() {
    test=$root/source/test
    for program in liberasurecode_test.c libec_slap.c utils/chksum/test_alg_sig.c; do
        $CC -O1 -w -I"$test" -I/usr/include/liberasurecode \
            -o "$work/$(basename "$program" .c)" "$test/$program" \
            -lerasurecode -lz -lpthread -ldl || return 1
    done
}

# their_test PROGRAM BACKENDS: the program must pass, and some of its tests must be of these
# backends.
their_test() {
    "$work/$1" > "$work/their.log" 2>&1 || {
        tail -n 5 "$work/their.log"
        return 1
    }
    of_backends=$(grep -c "$2.* ok\$" "$work/their.log")
    echo "said: $of_backends tests of $2 passed, of $(grep -ci ' ok$' "$work/their.log")"
    [ "$of_backends" -gt 0 ]
}

# ------------------------------------------------------------- exchanging ----

# exchanged NAME LIBERASURECODE THEIRS OURS BACKEND...
exchanged() {
    # Large blocks stay in the heap, because mapping them takes longer than coding them.  (The
    # greatest threshold that is accepted is half of what an arena may have.)
    MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=4000000000 \
        "$work/exchange" "$@" > "$work/exchanged" || return 1
    sed 's/^/said: /' "$work/exchanged"
}

faults_answered() {
    "$work/faults" "$@" > "$work/faulty" || { cat "$work/faulty"; return 1; }
    sed 's/^/said: /' "$work/faulty"
}

# same_errors PYTHON: PyECLib must raise the same errors with ours in LD_LIBRARY_PATH and
# without.
same_errors() {
    LD_LIBRARY_PATH=$ours "$1" "$here/pyeclib_errors.py" > "$work/errors.ours" || return 1
    "$1" "$here/pyeclib_errors.py" > "$work/errors.theirs" || return 1
    [ "$(grep -c 'no error' "$work/errors.ours")" -eq 2 ] || return 1
    diff "$work/errors.theirs" "$work/errors.ours" &&
        echo "said: $(wc -l < "$work/errors.ours") cases, the same errors"
}

lived() {
    LD_LIBRARY_PATH=$ours "$work/lifetime" 4 7 > "$work/lived" ||
        { cat "$work/lived"; return 1; }
    sed 's/^/said: /' "$work/lived"
}

# ---------------------------------------------------------------- mutants ----

# build_wrong FAULT: builds a libisal.so.2 with this fault, in $work/wrong-FAULT.
build_wrong() {
    mkdir -p "$work/wrong-$1"
    # shellcheck disable=SC2086
    $CC $flags -DFAULT="$1" -shared -fPIC -Wl,-soname,libisal.so.2 \
        -o "$work/wrong-$1/libisal.so.2" "$here/wrong_isal.c" -ldl
}

# notices_fault FAULT: the exchange must notice the fault.  (The wrong library calls
# libpermxor-preload, which has the same functions.  It cannot call another libisal.so.2,
# because the linker would take that for the library that is asked for.)
notices_fault() {
    build_wrong "$1" || return 1
    for backend in isa_l_rs_vand isa_l_rs_cauchy; do
        fails_with 1 ": $backend " env RIGHT_ISAL="$ours/libpermxor-preload.so" "$work/exchange" \
            "$codec" "$theirs" "$work/wrong-$1/libisal.so.2" $backend || return 1
    done
}

their_test_fails() {
    ! RIGHT_ISAL=$ours/libpermxor-preload.so LD_LIBRARY_PATH=$work/wrong-$2 \
        "$work/$1" > /dev/null 2>&1
}

# ---------------------------------------------------- a library that is none ----

# Makes a library without functions, and a file that is no library.
build_nothing() {
    mkdir -p "$work/empty" "$work/text"
    echo 'int nothing;' > "$work/nothing.c"
    # shellcheck disable=SC2086
    $CC -shared -fPIC -Wl,-soname,libisal.so.2 -o "$work/empty/libisal.so.2" "$work/nothing.c"
    echo text > "$work/text/libisal.so.2"
}

# cannot_create FOLDER STATUS PYTHON'S: no instance can be made with the libisal.so.2 of FOLDER.
# liberasurecode gives STATUS, and PyECLib raises PYTHON'S error.
cannot_create() {
    fails_with 3 "instance_create: $2" env LD_LIBRARY_PATH="$1" "$work/lifetime" 4 &&
        fails_with 0 "isa_l_rs_cauchy $3" env LD_LIBRARY_PATH="$1" \
            /usr/bin/python3 "$here/pyeclib_errors.py" create
}

# ------------------------------------------------------------------ wheel ----

# in_suite FOLDER PYTHON NAME...: runs PyECLib's tests in FOLDER, except the named ones.
in_suite() {
    folder=$1
    python=$2
    shift 2
    (cd "$folder" && "$python" "$here/pyeclib_suite.py" "$@") 2>&1
}

# Keeps a copy of the wheel's libraries, and then puts ours in place of the wheel's ISA-L.
wheel_folders() {
    libraries=$(echo "$root"/wheel/lib/python3*/site-packages/pyeclib.libs)
    [ -d "$root/wheel-theirs" ] || cp -a "$libraries" "$root/wheel-theirs" || return 1
    wheel_has "$ours/libisal.so.2"
}

wheel_has() {
    ln -sf "$1" "$libraries/libisal-pyeclib.so.2"
}

# wheel_errors FOLDER: prints what PyECLib raises with FOLDER as LD_LIBRARY_PATH.
wheel_errors() {
    LD_LIBRARY_PATH=$1 "$root/wheel/bin/python" "$here/pyeclib_errors.py"
}

# Puts a link to ours into a folder of LD_LIBRARY_PATH, as an administrator would do it.  The
# wheel itself stays as it is.
wheel_finds_link() {
    mkdir -p "$work/link" && ln -sf "$ours/libisal.so.2" "$work/link/libisal-pyeclib.so.2"
    wheel_has "$root/wheel-theirs/libisal-pyeclib.so.2"
    served "$work/link/libisal-pyeclib.so.2" wheel_errors "$work/link" > "$work/errors.ours"
    seen=$?
    wheel_errors "" > "$work/errors.theirs"
    wheel_has "$ours/libisal.so.2"
    grep -v '^said: ' "$work/errors.ours" | diff "$work/errors.theirs" - &&
        [ $seen -eq 0 ] && echo "said: $(wc -l < "$work/errors.theirs") cases, the same errors"
}

wheel_without_isal() {
    rm "$libraries/libisal-pyeclib.so.2"
    fails_with 0 "isa_l_rs_cauchy EC" "$root/wheel/bin/python" "$here/pyeclib_errors.py" create
    seen=$?
    wheel_has "$ours/libisal.so.2"
    return $seen
}

# ------------------------------------------------------------------- main ----

test_debian() {
    check "compile" build_programs
    [ "$failed" -eq 0 ] || finish
    timed "Debian: exchange with $(dpkg-query -W -f '${Package} ${Version}' libisal2)" \
        exchanged "$codec" "$theirs" "$ours/libisal.so.2" isa_l_rs_vand isa_l_rs_cauchy
    timed "Debian: faults" \
        faults_answered "$codec" "$theirs" "$ours/libisal.so.2" isa_l_rs_vand isa_l_rs_cauchy
    timed "Debian: load, unload, threads" lived
    for fault in 1 2 3 4 5; do
        check "a libisal with fault $fault is noticed" notices_fault $fault
    done
    check "compile libraries that are none" build_nothing
    check "Debian: a library of another version" cannot_create "$work/empty" -202 ECDriverError
    check "Debian: no library" cannot_create "$work/text" -204 ECBackendInstanceNotAvailable
    timed "Debian: PyECLib's errors" same_errors /usr/bin/python3
}

test_their_programs() {
    if ! once source fetch_liberasurecode; then
        skip "liberasurecode's own tests" "sources not to be had: $(why source)"
        return
    fi
    check "compile liberasurecode's tests" build_their_programs
    version=$(sed -n 's/^#define _\(MAJOR\|MINOR\|REV\) *\([0-9]*\).*/\2/p' \
        "$root/source/include/erasurecode/erasurecode_version.h" | paste -sd.)
    LD_LIBRARY_PATH=$ours timed "liberasurecode $version: liberasurecode_test" \
        served "$ours/libisal.so.2" their_test liberasurecode_test isa_l
    if [ -e "$ours/libJerasure.so.2" ]; then
        LD_LIBRARY_PATH=$ours timed "liberasurecode $version: liberasurecode_test, jerasure" \
            served "$ours/libJerasure.so.2" their_test liberasurecode_test jerasure
    fi
    # These programs have no backend of ISA-L.  They show that everything else works as before.
    for program in test_alg_sig libec_slap; do
        LD_LIBRARY_PATH=$ours timed "liberasurecode $version: $program" "$work/$program"
    done
    check "liberasurecode_test fails with fault 1" their_test_fails liberasurecode_test 1
}

test_debian_pyeclib() {
    if ! once pyeclib-debian sdist pyeclib-debian "$here/pyeclib-debian-tests.txt"; then
        skip "PyECLib's tests on Debian's" "not to be had: $(why pyeclib-debian)"
        return
    fi
    LD_LIBRARY_PATH=$ours timed "Debian: PyECLib $(cat "$root"/pyeclib-debian/PKG-INFO |
        sed -n 's/^Version: //p'), its own tests" \
        served "$ours/libisal.so.2" in_suite "$root/pyeclib-debian" /usr/bin/python3
    if [ -e "$ours/libJerasure.so.2" ]; then
        check "Debian: PyECLib's own tests ran on jerasure" \
            grep -q "calling init: $ours/libJerasure.so.2" "$work"/linker.*
    fi
}

# The backends with the words that PyECLib chooses, which have 16 bits and 4 bits, and the
# backends with the other words that exist.
test_jerasure() {
    if [ ! -e "$ours/libJerasure.so.2" ] || [ "$(installed libjerasure2)" -eq 0 ]; then
        skip "exchange with jerasure" "needs the library of this build, and libjerasure2"
        return
    fi
    timed "Debian: exchange with $(dpkg-query -W -f '${Package} ${Version}' libjerasure2)" \
        exchanged "$codec" "$multiarch/libJerasure.so.2" "$ours/libJerasure.so.2" \
        jerasure_rs_vand jerasure_rs_vand_8 jerasure_rs_vand_32 jerasure_rs_cauchy \
        jerasure_rs_cauchy_8
}

test_wheel() {
    if ! once wheel venv wheel "$here/pyeclib.txt"; then
        skip "PyECLib's wheel" "not to be had: $(why wheel)"
        return
    fi
    check "wheel: ours in place of its ISA-L" wheel_folders
    timed "wheel: exchange with its ISA-L" exchanged \
        "$libraries/liberasurecode-pyeclib.so.1" "$root/wheel-theirs/libisal-pyeclib.so.2" \
        "$libraries/libisal-pyeclib.so.2" \
        isa_l_rs_vand isa_l_rs_cauchy isa_l_rs_vand_inv isa_l_rs_lrc
    timed "wheel: faults" faults_answered \
        "$libraries/liberasurecode-pyeclib.so.1" "$root/wheel-theirs/libisal-pyeclib.so.2" \
        "$libraries/libisal-pyeclib.so.2" \
        isa_l_rs_vand isa_l_rs_cauchy isa_l_rs_vand_inv isa_l_rs_lrc
    timed "wheel: PyECLib's errors, ours in LD_LIBRARY_PATH" wheel_finds_link
    check "wheel: no library" wheel_without_isal
    if ! once pyeclib-tests sdist pyeclib-tests "$here/pyeclib-tests.txt"; then
        skip "PyECLib's tests on the wheel" "not to be had: $(why pyeclib-tests)"
        return
    fi
    # The tests that are left out expect a version number, but a wheel says `1.8.0 (bundled)`.
    timed "wheel: PyECLib's own tests" served "$libraries/libisal-pyeclib.so.2" \
        in_suite "$root/pyeclib-tests" "$root/wheel/bin/python" \
        TestVersion.test_opt TestVersion.test_subcommand
}

installed() {
    dpkg-query -W -f '${Status}\n' "$@" 2> /dev/null | grep -c ' installed$'
}

if [ ! -e "$ours/libisal.so.2" ]; then
    skip liberasurecode "no shared library was built"
    finish
fi
if [ "$(installed liberasurecode1 liberasurecode-dev libisal2 python3-pyeclib)" -eq 4 ]; then
    multiarch=$(dpkg-query -L liberasurecode1 | sed -n 's|/liberasurecode.so.1$||p')
    codec=$multiarch/liberasurecode.so.1
    theirs=$multiarch/libisal.so.2
    test_debian
    test_jerasure
    test_their_programs
    test_debian_pyeclib
    test_wheel
else
    skip "liberasurecode" "needs what tools/setup.sh --plugins installs"
fi
finish
