#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs the suite on other processors, which qemu-user emulates.  Each architecture has a cross
# build of the same sources, with warnings as errors.  The part `files` lets one architecture
# encode a file, another one repair the shards, and a third one decode them.  It uses the
# command of this build and those of the parts that ran before it.
#
# PARTS="x86 i386 arm64 ppc64le riscv64 s390x loongarch64 files" chooses parts.  BRIEF=yes, which
# tools/test.sh sets, runs fewer programs on fewer processors.  emulated.txt gets a table of the
# processors with their kernel sets and results.
#
# The environment sets what sub_build.sh needs, CC and host_cpu, the test programs in $once and
# $each, those of $once that need no kernel in $portable, and $command, which is the command
# permxor or is empty if the command is not built.

: "${once:?}" "${each:?}" "${portable:?}"
: "${PARTS:=x86 i386 arm64 ppc64le riscv64 s390x loongarch64 files}" "${BRIEF:=}"
. "$top_srcdir/unit/sub_build.sh"
. "$top_srcdir/unit/suite.sh"

# Each row has these columns: architecture, name, choice, suite, brief, effort, and qemu's
# processor.
#
# - `choice` is the kernel set that the processor has to choose.
# - `suite` says which tests run.  `kernels` are those that depend on the instructions:
#   test_kernels, test_kernel_scans, and with each set ISA-L's interface, RAID and the scans.
#   `codes` are all tests but those in $portable.  The programs that test the same with every
#   set then run with the chosen set only.  `all` are all tests.  One processor of each
#   architecture runs `codes` or `all`, but none of x86, whose sets the native suite runs.  That
#   processor has the architecture's best set, so it also runs the command for the part `files`.
#   One architecture of 32 bits and one that is big-endian run `all`.
# - `brief` is the suite with BRIEF=yes.  Then POWER and RISC-V run `kernels` only, and processors
#   whose set others choose as well are left out.
# - `effort` is PXR_EFFORT.  All parts together take about half an hour on one core.
# - A row without qemu's processor runs on this machine's processor.
processors() {
    cat << 'END'
x86          Opteron_G2  base         kernels  kernels  10  Opteron_G2
x86          Conroe      ssse3        kernels  none     10  Conroe
x86          Nehalem     ssse3        kernels  kernels  10  Nehalem
x86          Haswell     avx2         kernels  kernels  10  Haswell-noTSX,-pcid,-x2apic,-tsc-deadline,-invpcid
i386         this        base         all      all      10
arm64        cortex-a72  neon         kernels  kernels  10  cortex-a72
arm64        SVE-128     neon_sha3    kernels  kernels  10  max,sve128=on,sve-default-vector-length=16
arm64        SVE-256     sve2         codes    codes    10  max,sve256=on,sve-default-vector-length=32
arm64        SVE-512     sve2         kernels  none     10  max,sve512=on,sve-default-vector-length=64
arm64        SVE-2048    sve2         kernels  kernels  10  max,sve2048=on,sve-default-vector-length=256
ppc64le      POWER8      vsx          kernels  kernels  10  power8
ppc64le      POWER9      vsx_power9   kernels  none     10  power9
ppc64le      POWER10     vsx_power10  codes    kernels  10  power10
riscv64      no-vectors  base         kernels  kernels  10  rv64,v=false
riscv64      RVV-128     rvv          kernels  kernels  10  rv64,v=true,vlen=128,elen=64,vext_spec=v1.0
riscv64      RVV-256     rvv          codes    kernels  10  rv64,v=true,vlen=256,elen=64,vext_spec=v1.0
riscv64      RVV-1024    rvv          kernels  none     10  rv64,v=true,vlen=1024,elen=64,vext_spec=v1.0
s390x        no-vectors  base         kernels  kernels  10  max,vx=off,vxeh=off,vxeh2=off
s390x        z-vectors   vx           all      all      10  max
loongarch64  LSX         lsx          kernels  kernels  10  la464,lasx=off
loongarch64  LASX        lasx         codes    codes    10  la464
END
}

every_set="unit/test_isal_api unit/test_isal_raid unit/test_raid unit/test_raid_check
unit/test_raid_recover unit/test_scan"

# The emulator of GFNI does not work under qemu: in qemu 7.2 a signal handler cannot write the
# registers of AVX.  A child that is forked while other threads run can hang in qemu's user
# mode.
forking="unit/test_first_call unit/test_fork unit/test_lockfree"
# shellcheck disable=SC2086 # lists of programs
once=$(echo "$once" | without unit/test_gfni_emulator $forking)
for program in $forking; do
    skip "emulated ${program#unit/}" "children of threads hang in qemu"
done

# ------------------------------------------------------------- compilers ----

# find_program NAME...: prints the path of the first of these programs that is installed.
find_program() {
    for program; do
        command -v "$program" && return
    done
    return 1
}

# makes_programs SOURCE FLAG...: succeeds if $compiler compiles the source to a program that
# runs under $emulator.
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

# find_tools TRIPLET QEMU: sets $compiler, $linker and $emulator for $part, or skips the part.
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

# The header of xxHash contains the whole library for programs that define XXH_INLINE_ALL.
xxhash_header() {
    header=$(pkg-config --variable=includedir libxxhash)/xxhash.h
    mkdir -p "$sub_root/xxhash" && cp "$header" "$sub_root/xxhash/"
}

# Builds for $part with the tools that were found.  The build has all kernel sets, even if this
# build was configured with only some.
cross_build() {
    [ -z "$command" ] || xxhash_header || return 1
    sub_build "$part" suite-programs --host="$triplet" \
        --enable-werror --enable-kernel-sets CC="$compiler" CFLAGS="-O2 -g1" \
        LDFLAGS="$linker" XXHASH_CFLAGS="-isystem $sub_root/xxhash -DXXH_INLINE_ALL" \
        XXHASH_LIBS=" " CRYPTO_CFLAGS="-isystem $top_srcdir/unit/standin" CRYPTO_LIBS=" "
}

# keep_command NAME SET RUNNER: writes a script that runs this folder's command under its
# emulator, and the name of the set that it has to choose.  cross_files.sh uses both.
keep_command() {
    mkdir -p "$sub_root/commands"
    printf '#!/bin/sh\nexec %s %s/permxor "$@"\n' "$3" "$PWD" > "$sub_root/commands/$1"
    chmod +x "$sub_root/commands/$1"
    echo "$2" > "$sub_root/commands/$1.set"
}

# The command compares the times of an open file with those of its path, to see whether another
# program changed the file.  For s390x, fstat gives whole seconds in qemu 10.0, but lstat does not.
times_program='#include <stdio.h>
#include <sys/stat.h>
int main(int argc, char **argv)
{
    struct stat open, path;
    FILE *file = fopen(argv[0], "r");
    (void)argc;
    if (file != NULL && fstat(fileno(file), &open) == 0 && lstat(argv[0], &path) == 0 &&
        open.st_ctim.tv_nsec == path.st_ctim.tv_nsec)
        puts("the same times");
    return 0;
}'

# shellcheck disable=SC2086 # flags
gives_times() {
    makes_programs "$times_program" $linker && grep -q '^the same times$' "$try.log"
}

# Keeps the command for the processor of $part that runs more than `kernels`.
keep_part_command() {
    [ -n "$command" ] || return
    gives_times ||
        { skip "files on $part" "this qemu's fstat and lstat give other times"; return; }
    # shellcheck disable=SC2046 # name, set, options of qemu
    set -- $(processors | awk -v part="$part" '
        $1 == part && $4 != "kernels" { print $2, $3, $7 }')
    if $emulator ${3:+-cpu "$3"} "$try" > /dev/null 2>&1; then
        keep_command "$part" "$2" "$emulator${3:+ -cpu $3}"
    else
        skip "files on $part" "this qemu does not have the processor $1"
    fi
}

# Keeps the command of this build, which runs without an emulator.
keep_native_command() {
    cd "$top_builddir" || return
    chosen=$(unit/kernel_sets 2> /dev/null | sed -n 's/^chosen //p')
    if [ -n "$chosen" ]; then
        keep_command native "$chosen" env
    else
        skip "files of this build" "its programs do not run here"
    fi
}

# find_oracle ARCHITECTURE: unpacks Debian's ISA-L for that architecture, without installing it.
# test_oracle and test_oracle_raid compare with it.
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

# Checks which set is chosen, and that the same set is used if PERMXOR_KERNELS names a set that
# this processor cannot run.
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
    part_once=$once
    # shellcheck disable=SC2086 # a list of programs
    [ "$suite" = all ] || part_once=$(echo "$once" | without $portable)
    TEST_WRAPPER=$wrapper
    PXR_EFFORT=$effort
    export TEST_WRAPPER PXR_EFFORT
    # shellcheck disable=SC2086 # lists of programs
    case $suite in
    all | codes)
        run_suite "$part $processor" --sets "$chosen" once $part_once each $others \
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

# Runs one row of the table with the build in the current folder.
test_processor() {
    wrapper="$emulator${cpu:+ -cpu $cpu}"
    before="$passed $failed $skipped"
    began=$(date +%s)
    $wrapper "$try" > "$try.log" 2>&1 ||
        { skip "$part $processor" "this qemu does not have this processor"; return; }
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

# Runs all rows of $part.  The rows come from descriptor 3, so the programs in the loop cannot
# read them.
test_processors() {
    while read -r row_part processor choice suite brief effort cpu <&3; do
        [ -z "$BRIEF" ] || suite=$brief
        [ "$row_part" != "$part" ] || [ "$suite" = none ] || test_processor < /dev/null
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

# Debian 12 has no libisal2 for riscv64.
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

# Runs this build on x86-64 processors that lack some instructions.
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

# 32-bit x86, where ISA-L's names with an instruction set in them run base.  This machine's
# x86-64 kernel runs the programs, because threads hang in qemu 7.2.  Debian has no libisal2 for
# i386.
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
    # In this order no two neighbours have more in common than the byte order.
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
copy_sources || { fail "the sources cannot be copied"; PARTS=; }
rm -rf "$sub_root/commands"
run_parts
cat "$table"
finish
