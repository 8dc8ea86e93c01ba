# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# bundle_test.sh sources this file.  It compiles ISA-L's own programs from a copy of ISA-L's
# sources.  Those that only code are linked with our archive alone.  Those that use crc or igzip
# are linked with our archive before ISA-L's.
#
# bundle_test.sh sets $work and $ours.

# ISA-L's programs, by their sources.
coding_programs="erasure_code/gf_vect_mul_test erasure_code/erasure_code_test
    erasure_code/gf_inverse_test erasure_code/erasure_code_update_test
    erasure_code/gf_vect_mul_base_test erasure_code/gf_vect_dot_prod_base_test
    erasure_code/gf_vect_dot_prod_test erasure_code/gf_vect_mad_test
    erasure_code/erasure_code_base_test raid/xor_gen_test raid/pq_gen_test raid/xor_check_test
    raid/pq_check_test mem/mem_zero_detect_test misc/version_test raid/xor_example
    examples/ec/ec_simple_example examples/ec/ec_piggyback_example"
other_programs="crc/crc16_t10dif_test crc/crc16_t10dif_copy_test crc/crc64_funcs_test
    crc/crc32_funcs_test crc/crc_simple_test crc/crc64_example igzip/igzip_rand_test
    igzip/igzip_wrapper_hdr_test igzip/checksum32_funcs_test"

# copy_isal SOURCES: copies a folder, or what a git repository has committed.
copy_isal() {
    mkdir -p "$theirs"
    if [ -e "$1/Makefile.unx" ]; then
        cp -R "$1/." "$theirs"
    else
        git -C "$1" archive HEAD | tar -x -C "$theirs"
    fi
}

# build_isal: position independent, for shared libraries.  (ISA-L's makefile takes such options
# in CFLAGS_.)
build_isal() {
    "$MAKE" -s -j2 -C "$theirs" -f Makefile.unx CC="${CC%% *}" CFLAGS_="-fPIC -w" lib &&
        "$MAKE" -s -C "$theirs" -f Makefile.unx isa-l.h && ln -sfn include "$theirs/isa-l"
}

# link_with PROGRAM SOURCE ARCHIVE...: compiles one of ISA-L's programs.
link_with() {
    program=$1
    source=$2
    shift 2
    # shellcheck disable=SC2086 # CC may be several words
    $CC -w -O2 -pthread -DHAVE_THREADS -D"$host_cpu" -DVERSION='"test"' \
        -DISAL_DEPRECATED_INTERNAL -I "$theirs" -I "$theirs/include" \
        -I "$(dirname "$source")" "$source" "$@" -o "$program" -Wl,-Map="$program.map"
}

# Succeeds if the link has taken no part of ISA-L that codes.
took_our_coding() {
    grep -o "$theirs/bin/isa-l.a([^)]*)" "$program.map" | sort -u > "$program.taken"
    ! grep -e '(ec_' -e '(gf_' -e '([0-9]*xor_' -e '(pq_' -e '(raid_' -e '(mem_' "$program.taken"
}

# alone NAME: with our archive alone.
alone() {
    link_with "$work/alone" "$theirs/$1.c" "$ours/bin/isa-l.a" && (cd "$work" && ./alone)
}

# beside NAME: with our archive before ISA-L's.
beside() {
    link_with "$work/beside" "$theirs/$1.c" "$ours/bin/isa-l.a" "$theirs/bin/isa-l.a" &&
        took_our_coding && (cd "$work" && ./beside)
}

# igzip: ISA-L's command packs and unpacks a file.
igzip_works() {
    link_with "$work/igzip" "$theirs/programs/igzip_cli.c" "$ours/bin/isa-l.a" \
        "$theirs/bin/isa-l.a" && took_our_coding &&
        cat "$theirs"/igzip/*.c > "$work/text" && "$work/igzip" -k -f "$work/text" &&
        gzip -dc "$work/text.gz" | cmp - "$work/text" &&
        "$work/igzip" -d -c "$work/text.gz" | cmp - "$work/text"
}

# mixed PROGRAM LINK-ARGUMENT...: a program that codes, computes crcs and packs, written for
# ISA-L's headers.
mixed() {
    mixed_program=$1
    shift
    # shellcheck disable=SC2086
    $CC -w -O2 -D_GNU_SOURCE -DWITH_CRC -DWITH_VERSION -I "$theirs" -c \
        "$top_srcdir/unit/dropin_client.c" -o "$work/app.o" &&
        rm -f "$work/libapp.a" && ar cr "$work/libapp.a" "$work/app.o" &&
        $CC -pthread -Wl,-z,relro,-z,now -Wl,-z,noexecstack "$@" -ldl -o "$mixed_program" \
            -Wl,-Map="$mixed_program.map" &&
        "$mixed_program" > "$mixed_program.out"
}

# As SPDK and DPDK link: their archives as a whole, then the system's libraries, among them ISA-L's.
app="-Wl,--whole-archive -L$work -lapp -Wl,--no-whole-archive"

# agrees PROGRAM LINK-ARGUMENT...: prints what the program prints that has ISA-L's library alone,
# but for functions with which ISA-L's own tables do not agree on this CPU.
agrees() {
    # shellcheck disable=SC2086 # words
    mixed "$work/theirs-alone" $app "$theirs/bin/isa-l.a" && mixed "$@" || return 1
    "$work/theirs-alone" --wrong > "$work/wrong" || return 1
    comparable "$work/theirs-alone.out" > "$work/theirs-alone.part"
    program=$1
    [ -s "$work/theirs-alone.part" ] &&
        comparable "$program.out" | diff "$work/theirs-alone.part" - && took_our_coding
}

# shared_agrees: the same in a shared library with its symbols resolved.
shared_agrees() {
    # shellcheck disable=SC2086
    $CC -shared -fPIC -o "$work/libshared.so" -Wl,--whole-archive "$ours/bin/isa-l.a" \
        -Wl,--no-whole-archive "$theirs/bin/isa-l.a" -Wl,-z,defs -Wl,-u,crc32_ieee &&
        ! readelf -d "$work/libshared.so" | grep TEXTREL &&
        $NM -D --defined-only "$work/libshared.so" | grep -w crc32_ieee &&
        $NM -D --defined-only "$work/libshared.so" | grep -w ec_encode_data
}

# in_place: puts both archives where a project that bundles ISA-L looks for them.
in_place() {
    mkdir -p "$work/spdk/isa-l/.libs" "$work/spdk/permxor" &&
        cp "$theirs/bin/isa-l.a" "$work/spdk/isa-l/.libs/libisal.a" &&
        cp "$ours/bin/isa-l.a" "$work/spdk/permxor/libpermxor-isal.a"
}

test_beside_isal() {
    theirs=$work/theirs
    check "copy of ISA-L's sources" copy_isal "$1"
    check "ISA-L's library" build_isal
    [ -e "$theirs/bin/isa-l.a" ] || return
    for name in $coding_programs; do
        check "alone: $name" alone "$name"
    done
    for name in $coding_programs $other_programs; do
        check "before ISA-L: $name" beside "$name"
    done
    check "before ISA-L: igzip" igzip_works
    # shellcheck disable=SC2086
    check "a program that codes and packs" agrees "$work/both" $app "$ours/bin/isa-l.a" \
        "$theirs/bin/isa-l.a"
    check "folders as in SPDK" in_place
    # shellcheck disable=SC2086
    check "SPDK: -lisal behind our archive" agrees "$work/spdk-libs" $app \
        -L"$work/spdk/permxor" -lpermxor-isal -L"$work/spdk/isa-l/.libs" -lisal
    # shellcheck disable=SC2086
    check "SPDK: our archive as a whole in LDFLAGS" agrees "$work/spdk-ldflags" \
        -Wl,--whole-archive "$ours/bin/isa-l.a" -Wl,--no-whole-archive $app \
        -L"$work/spdk/isa-l/.libs" -lisal
    check "a shared library with both" shared_agrees
}
