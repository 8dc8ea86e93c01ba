#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The suite on other processors, emulated by qemu-user, in cross builds of the
# same sources with warnings as errors; and files that one architecture encodes,
# another repairs and a third decodes.  PARTS="x86 i386 arm64 ppc64le riscv64 s390x
# loongarch64 files" chooses; the files are those of this build and of the parts
# before.  What each processor had and did ends up in emulated.txt.
#
# From the environment: what sub_build.sh needs, CC and host_cpu, the test
# programs in $once and $each, and the command permxor in $command if it is
# built.

: "${once:?}" "${each:?}" "${PARTS:=x86 i386 arm64 ppc64le riscv64 s390x loongarch64 files}"
. "$top_srcdir/unit/sub_build.sh"
. "$top_srcdir/unit/suite.sh"

# `choice` is the kernel set that the processor is to choose by itself.  Of the
# suite, `kernels` is what depends on the instructions: test_kernels,
# test_kernel_scans, and with each set ISA-L's interface, RAID and the scans.  `all` is
# everything; other programs with the chosen set alone, since what they test is the same
# with any.  A processor or two of an architecture run `all`, the
# last of them also the command, for the files: it has the architecture's best set.
# `effort` is PXR_EFFORT: the whole is to take a quarter of an hour on one core.  A row without a
# processor of qemu's runs on this one.
processors() {
    cat << 'END'
x86          Opteron_G2  base         kernels   10  Opteron_G2
x86          Conroe      ssse3        kernels   10  Conroe
x86          Nehalem     ssse3        kernels   10  Nehalem
x86          Haswell     avx2         all       10  Haswell-noTSX,-pcid,-x2apic,-tsc-deadline,-invpcid
i386         this        base         all       25
arm64        cortex-a72  neon         all       10  cortex-a72
arm64        SVE-128     neon_sha3    kernels   10  max,sve128=on,sve-default-vector-length=16
arm64        SVE-256     sve2         all       10  max,sve256=on,sve-default-vector-length=32
arm64        SVE-512     sve2         kernels   10  max,sve512=on,sve-default-vector-length=64
arm64        SVE-2048    sve2         kernels   10  max,sve2048=on,sve-default-vector-length=256
ppc64le      POWER8      vsx          all       10  power8
ppc64le      POWER9      vsx_power9   kernels   10  power9
ppc64le      POWER10     vsx_power10  all       10  power10
riscv64      no-vectors  base         kernels   10  rv64,v=false
riscv64      RVV-128     rvv          kernels   10  rv64,v=true,vlen=128,elen=64,vext_spec=v1.0
riscv64      RVV-256     rvv          all       10  rv64,v=true,vlen=256,elen=64,vext_spec=v1.0
riscv64      RVV-1024    rvv          kernels   10  rv64,v=true,vlen=1024,elen=64,vext_spec=v1.0
s390x        no-vectors  base         kernels   10  max,vx=off,vxeh=off,vxeh2=off
s390x        z-vectors   vx           all       10  max
loongarch64  LSX         lsx          kernels   10  la464,lasx=off
loongarch64  LASX        lasx         all       10  la464
END
}

every_set="unit/test_isal_api unit/test_isal_raid unit/test_raid unit/test_raid_check
unit/test_raid_recover unit/test_scan"

# Emulating in an emulator: qemu 7.2 does not let a signal handler write the
# registers of AVX.
# A child that is forked while other threads run can hang in qemu's user mode.
forking="unit/test_first_call unit/test_fork unit/test_lockfree"
# shellcheck disable=SC2086 # lists of programs
once=$(echo "$once" | without unit/test_gfni_emulator $forking)
for program in $forking; do
    skip "emulated ${program#unit/}" "children of threads hang in qemu"
done

# ------------------------------------------------------------- compilers ----

# find_program NAME...: the first one that there is.
find_program() {
    for program; do
        command -v "$program" && return
    done
    return 1
}

# Can $compiler with the flags make a program for $emulator?
makes_programs() {
    try=$sub_root/try-$part
    printf '%s\n' "$1" > "$try.c"
    shift
    $compiler "$@" -o "$try" "$try.c" > "$try.log" 2>&1 && $emulator "$try" >> "$try.log" 2>&1
}

any_program='int main(void) { return 0; }'
# gcc has the intrinsics of RVV 1.0 since 14, clang since 17.
rvv_program='#include <riscv_vector.h>
int main(void) { return __riscv_vsetvlmax_e8m1() == 0; }'

find_rvv_compiler() {
    for version in '' -21 -20 -19 -18 -17; do
        compiler="clang$version --target=$triplet"
        linker=-fuse-ld=lld
        makes_programs "$rvv_program" -march=rv64gcv $linker && return
    done
    compiler=$triplet-gcc
    linker=
    makes_programs "$rvv_program" -march=rv64gcv
}

# find_tools TRIPLET QEMU: sets $compiler, $linker and $emulator for $part.
find_tools() {
    triplet=$1
    linker=
    emulator=$(find_program "qemu-$2-static" "qemu-$2") ||
        { skip "$part" "needs qemu-$2"; return 1; }
    emulator="$emulator -L /usr/$triplet"
    if [ "$part" = riscv64 ]; then
        emulator="$emulator -cpu rv64,v=true,vext_spec=v1.0"
        find_rvv_compiler ||
            { skip "$part" "needs clang 17 or gcc 14, lld and a libc for $triplet"; return 1; }
        emulator=${emulator% -cpu *}
        makes_programs "$any_program" $linker # for processors without vectors
    else
        compiler=$triplet-gcc
        makes_programs "$any_program" ||
            { skip "$part" "needs $compiler and a libc for $triplet"; return 1; }
    fi
}

# ----------------------------------------------------------------- build ----

# The header alone is all of xxHash, where it is asked to be.
xxhash_header() {
    header=$(pkg-config --variable=includedir libxxhash)/xxhash.h
    mkdir -p "$sub_root/xxhash" && cp "$header" "$sub_root/xxhash/"
}

# cross_build: for $part, with the tools that were found; all kernel sets, whichever of its own
# this build was asked for.
cross_build() {
    [ -z "$command" ] || xxhash_header || return 1
    sub_build "$part" "all unit-programs" --host="$triplet" \
        --enable-werror --enable-kernel-sets CC="$compiler" CFLAGS="-O2 -g1" \
        LDFLAGS="$linker" XXHASH_CFLAGS="-isystem $sub_root/xxhash -DXXH_INLINE_ALL" \
        XXHASH_LIBS=" " CRYPTO_CFLAGS="-isystem $top_srcdir/unit/standin" CRYPTO_LIBS=" "
}

# keep_command NAME SET RUNNER: this folder's command under its emulator as a
# program, and the set that it is to choose, for cross_files.sh.
keep_command() {
    mkdir -p "$sub_root/commands"
    printf '#!/bin/sh\nexec %s %s/permxor "$@"\n' "$3" "$PWD" > "$sub_root/commands/$1"
    chmod +x "$sub_root/commands/$1"
    echo "$2" > "$sub_root/commands/$1.set"
}

# On the last processor of $part that runs `all`.
keep_part_command() {
    [ -n "$command" ] || return
    # shellcheck disable=SC2046 # name, set, options of qemu
    set -- $(processors | awk -v part="$part" '
        $1 == part && $4 == "all" { row = $2 " " $3 " " $6 }
        END { print row }')
    if $emulator ${3:+-cpu "$3"} "$try" > /dev/null 2>&1; then
        keep_command "$part" "$2" "$emulator${3:+ -cpu $3}"
    else
        skip "files on $part" "$1 is not known to this qemu"
    fi
}

# This build's own command takes part as it is.
keep_native_command() {
    cd "$top_builddir" || return
    chosen=$(unit/kernel_sets 2> /dev/null | sed -n 's/^chosen //p')
    if [ -n "$chosen" ]; then
        keep_command native "$chosen" env
    else
        skip "files of this build" "its programs do not run here"
    fi
}

# find_oracle ARCHITECTURE: Debian's library of that architecture, which need
# not be installed for test_oracle to compare with it.
find_oracle() {
    folder=$sub_root/debian-$1
    if sh "$top_srcdir/tools/unpack_deb.sh" "$1" "$folder" libisal2 > "$folder.log" 2>&1; then
        PXR_ORACLE=$(find "$folder/usr/lib" -name libisal.so.2)
        [ -z "$PXR_ORACLE" ] || { export PXR_ORACLE; return; }
        skip "test_oracle, test_oracle_raid on $part" "libisal2:$1 has no libisal.so.2"
    else
        skip "test_oracle, test_oracle_raid on $part" "libisal2:$1 cannot be downloaded"
    fi
    part_each=$(echo "$part_each" | without unit/test_oracle unit/test_oracle_raid)
}

# ------------------------------------------------------------ processors ----

words() {
    tr '\n' ' ' | sed 's/ $//'
}

# Which set is chosen by itself, and in place of one that cannot be had.
check_choice() {
    chosen=$(sed -n 's/^chosen //p' "$sets")
    if [ "$chosen" = "$choice" ]; then
        pass
    else
        fail "$part $processor chose ${chosen:-nothing}, not $choice"
    fi
    lacking=$(sed -n 's/^unusable \([^ ]*\) .*/\1/p' "$sets" | tail -n 1)
    : "${lacking:=none_of_that_name}"
    if PERMXOR_KERNELS=$lacking $wrapper unit/kernel_sets 2>&1 > "$refused" |
        grep -q "^permxor: PERMXOR_KERNELS=$lacking: .* is used ($chosen)\$" &&
        grep -q "^chosen $chosen\$" "$refused"; then
        pass
    else
        fail "$part $processor with PERMXOR_KERNELS=$lacking"
    fi
}

run_programs() {
    # shellcheck disable=SC2086 # a list of programs
    others=$(echo "$part_each" | without $every_set)
    TEST_WRAPPER=$wrapper
    PXR_EFFORT=$effort
    export TEST_WRAPPER PXR_EFFORT
    # shellcheck disable=SC2086 # lists of programs
    case $suite in
    all)
        run_suite "$part $processor" --sets "$chosen" once $once each $others \
            --sets "$usable" each $every_set
        ;;
    kernels)
        run_suite "$part $processor" --sets "$usable" \
            once unit/test_kernels unit/test_kernel_scans unit/test_packet_kernels \
            unit/test_dispatch \
            each $every_set
        ;;
    esac
    unset TEST_WRAPPER PXR_EFFORT
}

# One row of the table, in the build in the current folder.
test_processor() {
    wrapper="$emulator${cpu:+ -cpu $cpu}"
    before="$passed $failed $skipped"
    began=$(date +%s)
    $wrapper "$try" > "$try.log" 2>&1 ||
        { skip "$part $processor" "not known to this qemu"; return; }
    $wrapper unit/kernel_sets > "$sets" 2>&1 ||
        { cat "$sets"; fail "$part $processor: kernel_sets"; return; }
    usable=$(sed -n 's/^usable //p' "$sets" | words)
    check_choice
    run_programs
    # shellcheck disable=SC2086 # three numbers
    set -- $before
    echo "| $part | $processor | $usable | $chosen | $effort % | $((passed - $1)) |" \
        "$((failed - $2)) | $((skipped - $3)) | $(($(date +%s) - began)) |" >> "$table"
}

# Every processor of $part.  Programs of the loop keep off its input.
test_processors() {
    while read -r row_part processor choice suite effort cpu <&3; do
        [ "$row_part" != "$part" ] || test_processor < /dev/null
    done 3<< END
$(processors)
END
}

# ----------------------------------------------------------------- parts ----

# cross_part TRIPLET QEMU DEBIAN-ARCHITECTURE
cross_part() {
    find_tools "$1" "$2" || return
    cross_build || { fail "build $part"; return; }
    keep_part_command
    part_each=$each
    [ "$3" = - ] || find_oracle "$3"
    test_processors
    unset PXR_ORACLE
}

part_arm64() {
    cross_part aarch64-linux-gnu aarch64 arm64
}

part_ppc64le() {
    cross_part powerpc64le-linux-gnu ppc64le ppc64el
}

# Debian 12 has no libisal2 for it.
part_riscv64() {
    cross_part riscv64-linux-gnu riscv64 -
}

part_s390x() {
    cross_part s390x-linux-gnu s390x s390x
}

# LSX needs gcc 14 and qemu 8.1, which Debian 13 has.
part_loongarch64() {
    cross_part loongarch64-linux-gnu loongarch64 -
}

# This build, on processors of its own architecture that lack things.
part_x86() {
    [ "$host_cpu" = x86_64 ] || { skip x86 "this build is for $host_cpu"; return; }
    emulator=$(find_program qemu-x86_64-static qemu-x86_64) ||
        { skip x86 "needs qemu-x86_64"; return; }
    compiler=$CC
    makes_programs "$any_program" || { skip x86 "needs $CC"; return; }
    cd "$top_builddir" || return
    part_each=$each
    test_processors
}

# 32 bits, where ISA-L's names with an instruction set in them run base.  An x86-64 kernel
# runs it, which qemu 7.2 does not: threads hang there.  Debian has no libisal2 for it.
part_i386() {
    triplet=i686-linux-gnu
    compiler=$triplet-gcc
    linker=
    emulator="/usr/$triplet/lib/ld-linux.so.2 --library-path /usr/$triplet/lib"
    makes_programs "$any_program" || {
        skip i386 "needs $compiler, a libc for it and a kernel that runs its programs"
        return
    }
    cross_build || { fail "build i386"; return; }
    keep_part_command
    part_each=$each
    test_processors
}

part_files() {
    [ -n "$command" ] || { skip files "needs the command permxor"; return; }
    keep_native_command
    # In this order no two neighbours agree in more than the byte order.
    commands=
    for name in native s390x i386 arm64 ppc64le riscv64 loongarch64; do
        kept=$sub_root/commands/$name
        [ ! -x "$kept" ] || commands="$commands $kept=$(cat "$kept.set")"
    done
    echo "== files across architectures"
    # shellcheck disable=SC2086 # a list of programs
    sh "$top_srcdir/unit/cross_files.sh" $commands > "$sub_root/files.log" 2>&1
    add_sum files "$sub_root/files.log" $?
}

# ------------------------------------------------------------------ main ----

sets=$sub_root/sets.log
refused=$sub_root/refused.log
table=$top_builddir/emulated.txt
cat > "$table" << 'END'
| architecture | processor | usable sets | chosen | effort | passed | failed | skipped | s |
|---|---|---|---|---|---|---|---|---|
END
copy_sources || { fail "copy of the sources"; PARTS=; }
rm -rf "$sub_root/commands"
run_parts
cat "$table"
finish
