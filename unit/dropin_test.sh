#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the installed libraries from outside: which files an installation has, which symbols the
# libraries export, whether programs that were made for the real ISA-L run on them, and whether
# pkg-config and CMake find them.
#
# It runs in the build directory.  The environment sets top_srcdir, libdir, includedir and
# bindir (as configured), CC, CXX, NM, MAKE and host_cpu.

: "${top_srcdir:?}" "${libdir:?}" "${includedir:?}" "${bindir:?}"
: "${CC:=cc}" "${CXX:=c++}" "${NM:=nm}" "${MAKE:=make}"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-dropin.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
stage=$work/stage
ours=$stage$libdir/permxor
unset LD_LIBRARY_PATH LD_PRELOAD PERMXOR_KERNELS MAKEFLAGS MFLAGS MAKELEVEL

suite=dropin_test
. "$top_srcdir/unit/checks.sh"
. "$top_srcdir/unit/elf_checks.sh"
. "$top_srcdir/unit/package_checks.sh"

# --------------------------------------------------------------- install ----

installed_as_documented() {
    for file in "$libdir/libpermxor.so.0" "$libdir/pkgconfig/permxor.pc" \
        "$libdir/permxor/libisal.so.2" "$libdir/permxor/libisal.so" \
        "$libdir/permxor/libpermxor-preload.so" \
        "$libdir/permxor/pkgconfig/libisal.pc" "$includedir/permxor.h" \
        "$libdir/cmake/permxor/permxor-config.cmake" \
        "$libdir/cmake/permxor/permxor-config-version.cmake" \
        "$libdir/permxor/cmake/isal/isal-config.cmake" \
        "$libdir/permxor/cmake/isal/isal-config-version.cmake" \
        "$includedir/permxor/isa-l.h" "$includedir/permxor/isa-l/erasure_code.h" \
        "$includedir/permxor/isa-l/gf_vect_mul.h" "$includedir/permxor/isa-l/raid.h" \
        "$includedir/permxor/isa-l/mem_routines.h" "$includedir/permxor/isa-l/igzip_lib.h" \
        "$includedir/permxor/isa-l/isal_api.h" "$includedir/permxor/isa-l/types.h" \
        "$includedir/permxor_hash.h" "$includedir/permxor_raid.h" \
        "$libdir/libpermxor_array.so.0" "$libdir/pkgconfig/permxor_array.pc" \
        "$includedir/permxor_array.h" "$includedir/permxor_array_md.h"; do
        [ -e "$stage$file" ] || { echo "$file is missing"; return 1; }
    done
    # No file may be where it would hide or overwrite a file of the real ISA-L.
    for file in "$libdir"/libisal* "$libdir/pkgconfig/libisal.pc" "$libdir"/cmake/[Ii]* \
        "$includedir"/isa-l*; do
        [ ! -e "$stage$file" ] || { echo "$file is a path of the real ISA-L"; return 1; }
    done
}

uninstalls_everything() {
    $MAKE uninstall DESTDIR="$1" || return 1
    left=$(find "$1" ! -type d)
    [ -z "$left" ] || { echo "not removed: $left"; return 1; }
}

# hook USER STATUS FOLDER VARIABLES...: runs the last step of `make install`, as the user with
# the id USER.  An ldconfig of ours says that the loader looks into FOLDER, and ends with
# STATUS.
hook() {
    user=$1
    cat > "$work/bin/ldconfig" << END
#!/bin/sh
case \$* in
"-N -v") echo "$3: (from a test)" ;;
"") echo renewed && exit $2 ;;
esac
END
    shift 3
    printf '#!/bin/sh\necho %s\n' "$user" > "$work/bin/id"
    PATH=$work/bin:$PATH $MAKE -s install-exec-hook build=same host=same "$@" > "$work/hook"
}

# The loader finds a new library only after ldconfig has renewed the loader's cache.  `make
# install` runs ldconfig if root installs without DESTDIR and the loader looks into the folder.
renews_the_cache() {
    mkdir -p "$work/bin" && printf '#!/bin/sh\n' > "$work/bin/ldconfig" &&
        cp "$work/bin/ldconfig" "$work/bin/id" && chmod +x "$work/bin/ldconfig" "$work/bin/id"
    hook 0 0 "$libdir" && grep -q '^renewed$' "$work/hook" && ! grep -q 'as root' "$work/hook" ||
        { echo "root's cache is not renewed"; return 1; }
    hook 0 1 "$libdir" && grep -q 'Run ldconfig as root' "$work/hook" ||
        { echo "ldconfig fails, and make install prints no hint"; return 1; }
    hook 1000 0 "$libdir" && [ "$(grep -c . "$work/hook")" -eq 1 ] &&
        grep -q 'Run ldconfig as root' "$work/hook" ||
        { echo "a user who is not root gets another hint"; return 1; }
    hook 0 0 /elsewhere && [ ! -s "$work/hook" ] ||
        { echo "make install prints something although the loader ignores $libdir"; return 1; }
    hook 0 0 "$libdir" DESTDIR="$work/again" && [ ! -s "$work/hook" ] ||
        { echo "an installation with DESTDIR renews the cache"; return 1; }
}

# --------------------------------------------------------------- symbols ----

# Prints the names that libisal exports on this architecture.
isal_names() {
    cat "$top_srcdir/erasure_code/isal.sym"
    case $host_cpu in
    x86_64 | amd64 | i?86) cat "$top_srcdir/arch/x86_64/isal_names.sym" ;;
    esac
}

# defines_ours_alone ARCHIVE: an archive has no list of exported names, so all names that it
# defines have to be ours.  Compilers add names of their own on 32-bit x86, for functions that
# find the address of the code.
defines_ours_alone() {
    $NM -g --defined-only "$1" | awk 'NF == 3 { print $3 }' > "$work/defined" &&
        [ -s "$work/defined" ] || return 1
    others=$(grep -v '^pxr_\|^__x86\.get_pc_thunk' "$work/defined")
    [ -z "$others" ] || { echo "defines $others"; return 1; }
}

# exports_all_declared LIBRARY: succeeds if the library exports every function that the real
# ISA-L's headers for erasure codes and RAID declare.
exports_all_declared() {
    $CC -E "$work/declarations.c" |
        grep -o '\b\(ec\|gf\|pq\|xor\|isal\)_[a-z0-9_]*[[:space:]]*(' | tr -d ' (\t' |
        sort -u > "$work/declared"
    [ "$(wc -l < "$work/declared")" -gt 60 ] || return 1
    missing=$(exported "$1" | comm -13 - "$work/declared")
    [ -z "$missing" ] || { echo "not exported: $missing"; return 1; }
}

# reloads LIBRARY: loads and unloads the library again and again.  glibc keeps some freed memory
# for each thread, and how much varies.  These settings make it keep none.
reloads() {
    GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1 unit/dropin_reload "$1"
}

# --------------------------------------------------------------- clients ----

# compile OUTPUT LANGUAGE FLAGS...: LANGUAGE is c or c++.
compile() {
    output=$1
    language=$2
    shift 2
    compiler=$CC
    [ "$language" = c ] || compiler=$CXX
    # shellcheck disable=SC2086 # CC may be several words
    $compiler -x "$language" -Wall -Wextra -Werror -O1 "$top_srcdir/unit/dropin_client.c" \
        -o "$work/$output" "$@" -ldl
}

# same_output EXPECTED CLIENT VARIABLES...: runs the client with these environment variables,
# and compares its output with the file EXPECTED.
same_output() {
    expected=$1
    client=$2
    shift 2
    env "$@" "$work/$client" > "$work/$client.out" || { echo "status $?"; return 1; }
    comparable "$work/$expected" > "$work/expected.part"
    comparable "$work/$client.out" | diff "$work/expected.part" -
}

# nothing_wrong CLIENT: succeeds if our library's tables fit all functions of our library.
nothing_wrong() {
    LD_LIBRARY_PATH=$ours "$work/$1" --wrong > "$work/ours.wrong" &&
        [ ! -s "$work/ours.wrong" ] || { cat "$work/ours.wrong"; return 1; }
}

# served_by CLIENT FILE VARIABLES...: succeeds if the client gets ec_encode_data from FILE.
served_by() {
    client=$1
    file=$2
    shift 2
    found=$(env "$@" "$work/$client" --where) || return 1
    [ "$(readlink -f "$found")" = "$(readlink -f "$file")" ] || {
        echo "served by $found"
        return 1
    }
}

# Succeeds if each header compiles alone, as strict C and C++.
headers_stand_alone() {
    for header in permxor.h permxor_hash.h permxor_raid.h permxor_array.h \
        permxor_array_md.h isa-l.h isa-l/erasure_code.h \
        isa-l/gf_vect_mul.h isa-l/raid.h isa-l/mem_routines.h isa-l/igzip_lib.h isa-l/isal_api.h; do
        echo "#include <$header>" > "$work/header.c"
        $CC -std=c99 -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -fsyntax-only \
            -I"$stage$includedir" -I"$stage$includedir/permxor" "$work/header.c" || return 1
        [ -z "$cxx" ] || $CXX -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only \
            -I"$stage$includedir" -I"$stage$includedir/permxor" "$work/header.c" || return 1
    done
}

# Succeeds if each of these headers of ISA-L defines ISA-L's version, and the attribute that
# marks deprecated names.
headers_bring_the_version() {
    for header in isa-l/erasure_code.h isa-l/gf_vect_mul.h isa-l/raid.h; do
        {
            echo "#include <$header>"
            echo '#if ISAL_VERSION < ISAL_MAKE_VERSION(2, 32, 1)'
            echo '#error an old version'
            echo '#endif'
            echo 'ISAL_LIB_DEPRECATED("for a test") void old(void);'
        } > "$work/header.c"
        $CC -Wall -Wextra -Werror -fsyntax-only -I"$stage$includedir/permxor" \
            "$work/header.c" || return 1
    done
}

# Succeeds if the compiler warns of the deprecated names, and does not warn if a macro turns the
# warnings off.
deprecates() {
    {
        echo '#include <isa-l.h>'
        echo 'int f(void *a);'
        echo 'int f(void *a) { return gf_vect_mul_sse(32, a, a, a) + xor_gen_avx(3, 1, a); }'
    } > "$work/old.c"
    set -- -Wall -Wextra -Werror -fsyntax-only -I"$stage$includedir/permxor" "$work/old.c"
    ! $CC "$@" 2> "$work/old.log" || { echo "no warning"; return 1; }
    for call in gf_vect_mul xor_gen; do
        grep -q "call $call()" "$work/old.log" || { cat "$work/old.log"; return 1; }
    done
    $CC -DISAL_DEPRECATED_INTERNAL "$@" && $CC -DISAL_UNIT_TEST "$@"
}

# Succeeds if the library, its headers and its pkg-config file have the same version.
same_version() {
    packaged=$(staged_pkg_config --modversion libisal) || return 1
    said=$(LD_LIBRARY_PATH=$ours "$work/ours_c" --version) && [ "$said" = "$packaged" ] ||
        { echo "$said, but libisal.pc says $packaged"; return 1; }
}

# opened_by_name FILE VARIABLES...: succeeds if a program that opens libisal.so.2 by its name
# gets FILE.  liberasurecode and libhadoop open the library in this way.
opened_by_name() {
    file=$1
    shift
    found=$(env "$@" "$work/opener") || { echo "$found"; return 1; }
    [ "$(readlink -f "$found")" = "$(readlink -f "$file")" ] || {
        echo "it gets $found"
        return 1
    }
}

# ------------------------------------------------------------------ main ----

check "make install" "$MAKE" install DESTDIR="$stage"
check "installed files" installed_as_documented
$MAKE install DESTDIR="$work/again" > /dev/null 2>&1
check "make uninstall" uninstalls_everything "$work/again"
check "the loader's cache" renews_the_cache
[ "$failed" -eq 0 ] || finish

isal_names > "$work/isal.list"
sed 's/$/@@PERMXOR_0/' "$top_srcdir/erasure_code/permxor.sym" > "$work/permxor.list"
preload=$ours/libpermxor-preload.so
check "symbols of libisal" exports_exactly "$ours/libisal.so.2" "$work/isal.list"
check "symbols of libpermxor" exports_exactly "$stage$libdir/libpermxor.so.0" "$work/permxor.list"
sed 's/$/@@PERMXOR_ARRAY_0/' "$top_srcdir/array/permxor_array.sym" > "$work/array.list"
check "symbols of libpermxor_array" exports_exactly "$stage$libdir/libpermxor_array.so.0" \
    "$work/array.list"
if [ -e "$stage$libdir/libpermxor.a" ]; then
    check "symbols of the static libpermxor" defines_ours_alone "$stage$libdir/libpermxor.a"
else
    skip "symbols of the static libpermxor" "built with --disable-static"
fi
check "symbols of libpermxor-preload" exports_exactly "$preload" "$work/isal.list"
check "libisal is well formed" is_well_formed "$ours/libisal.so.2" libisal.so.2
check "libpermxor is well formed" is_well_formed "$stage$libdir/libpermxor.so.0" libpermxor.so.0
check "libpermxor-preload is well formed" is_well_formed "$preload" libpermxor-preload.so
check "libisal imports no lock" imports_no_lock "$ours/libisal.so.2"
check "libpermxor imports no lock" imports_no_lock "$stage$libdir/libpermxor.so.0"
check "load and unload libisal" reloads "$ours/libisal.so.2"
check "load and unload libpermxor" reloads "$stage$libdir/libpermxor.so.0"
check "load and unload libpermxor-preload" reloads "$preload"

cxx=
# shellcheck disable=SC2086 # CXX may be several words
if echo 'int main() { return 0; }' > "$work/try.cc" &&
    $CXX -o "$work/try" "$work/try.cc" > /dev/null 2>&1; then
    cxx=yes
fi
check "headers alone" headers_stand_alone
check "headers bring the version" headers_bring_the_version
case $host_cpu in
x86_64 | amd64 | i?86) check "deprecated names" deprecates ;;
*) skip "deprecated names" "only x86 has these names" ;;
esac

# shellcheck disable=SC2086 # CC may be several words
check "compile a program that opens libisal.so.2" \
    $CC -Wall -Wextra -Werror -o "$work/opener" "$top_srcdir/unit/dropin_opener.c" -ldl
check "libisal.so.2 opened by name, LD_LIBRARY_PATH" \
    opened_by_name "$ours/libisal.so.2" LD_LIBRARY_PATH="$ours"
# shellcheck disable=SC2086 # CC may be several words
if echo '#include <features.h>' | $CC -x c -E -dM - | grep -q __GLIBC__; then
    check "libisal.so.2 opened by name, libisal.so.2 preloaded" \
        opened_by_name "$ours/libisal.so.2" LD_PRELOAD="$ours/libisal.so.2"
else
    skip "libisal.so.2 opened by name, libisal.so.2 preloaded" \
        "needs glibc, which finds a loaded library by its soname"
fi

# Programs that are compiled with the real ISA-L.  Ours has to make them print what the real one
# makes them print.
{
    echo '#include <isa-l/erasure_code.h>'
    echo '#include <isa-l/gf_vect_mul.h>'
    echo '#include <isa-l/mem_routines.h>'
    echo '#include <isa-l/raid.h>'
} > "$work/declarations.c"
real=
: > "$work/wrong"
# Can this compiler use the real ISA-L?  If it can, a client that does not compile is a failure.
# shellcheck disable=SC2086 # CC may be several words
printf '#include <isa-l.h>\nint main(void) { return 0; }\n' |
    $CC -x c - -o "$work/probe" -lisal > /dev/null 2>&1 && real=yes
languages=c
if [ -n "$cxx" ]; then languages="c c++"; else skip "C++ clients" "needs a C++ compiler"; fi

if [ -n "$real" ]; then
    for language in $languages; do
        check "compile real_$language" compile "real_$language" "$language" -lisal
    done
    "$work/real_c" > "$work/expected"
    # The real ISA-L has such functions since 2.31, on a CPU with GFNI.
    "$work/real_c" --wrong > "$work/wrong"
    while read -r name; do
        skip "$name as the real one's" \
            "the real library's tables do not fit this function, or are no nibble tables"
    done < "$work/wrong"
    check "declared functions" exports_all_declared "$ours/libisal.so.2"
    check "compile with crc" compile crc_c c -DWITH_CRC -lisal
    for language in $languages; do
        client=real_$language
        check "$client on the real one" same_output expected "$client"
        check "$client, LD_LIBRARY_PATH" same_output expected "$client" LD_LIBRARY_PATH="$ours"
        check "$client, LD_LIBRARY_PATH serves" \
            served_by "$client" "$ours/libisal.so.2" LD_LIBRARY_PATH="$ours"
        check "$client, LD_PRELOAD" same_output expected "$client" LD_PRELOAD="$ours/libisal.so.2"
        check "$client, LD_PRELOAD serves" \
            served_by "$client" "$ours/libisal.so.2" LD_PRELOAD="$ours/libisal.so.2"
    done
    # A preloaded libisal.so.2 replaces the whole real library, because the two have the same
    # soname.  libpermxor-preload is loaded beside the real library, so crc and igzip still come
    # from the real one.
    "$work/crc_c" > "$work/expected_crc"
    check "beside the real one" same_output expected_crc crc_c LD_PRELOAD="$preload"
    check "beside the real one serves" served_by crc_c "$preload" LD_PRELOAD="$preload"
    check "a program that opens libisal.so.2 by name is not served by libpermxor-preload" \
        opened_by_name "$("$work/opener")" LD_PRELOAD="$preload"
    # A program that links both libraries: libpermxor replaces none of ISA-L's functions.
    real_file=$("$work/crc_c" --where)
    for language in $languages; do
        for order in "-lpermxor -lisal" "-lisal -lpermxor"; do
            client=both_$language
            # shellcheck disable=SC2086 # several words
            check "compile with $order ($language)" compile "$client" "$language" -DWITH_CRC \
                -DWITH_PERMXOR -idirafter "$stage$includedir" -L"$stage$libdir" $order
            check "$order ($language)" same_output expected_crc "$client" \
                LD_LIBRARY_PATH="$stage$libdir"
            check "$order ($language) is served by the real one" served_by "$client" \
                "$real_file" LD_LIBRARY_PATH="$stage$libdir"
        done
    done
else
    skip "programs made for the real ISA-L" "needs libisal-dev"
fi

# shellcheck source=unit/example_checks.sh
. "$top_srcdir/unit/example_checks.sh"
check_examples

# Programs that are compiled with our headers, by our pkg-config file.
if staged_pkg_config --exists libisal 2> /dev/null; then
    for language in $languages; do
        client=ours_$language
        # shellcheck disable=SC2046 # flags are words
        check "compile $client" compile "$client" "$language" -DWITH_VERSION \
            $(staged_pkg_config --cflags --libs libisal)
        [ -e "$work/expected" ] ||
            LD_LIBRARY_PATH=$ours "$work/$client" > "$work/expected"
        check "$client" same_output expected "$client" LD_LIBRARY_PATH="$ours"
        check "$client is served" served_by "$client" "$ours/libisal.so.2" LD_LIBRARY_PATH="$ours"
    done
    check "our tables suit our functions" nothing_wrong ours_c
    check "one version" same_version
else
    skip "programs built by libisal.pc" "needs pkg-config"
fi

check_static_clients
check_cmake_clients
finish
