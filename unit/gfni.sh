#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the kernel sets with GFNI.  PARTS="native emulated" chooses parts:
#
#   native    on this CPU, if it has GFNI
#   emulated  on any CPU, in the emulator of unit/gfni_emulator.h.  In its build each GFNI
#             instruction traps, and the library believes that the CPU has GFNI
#
# SETS="avx512_gfni ssse3_gfni" chooses the sets of the emulated part.  All are in it otherwise.
#
# An emulated instruction takes some microseconds.  So the emulated run does PXR_EFFORT (5) per
# cent of the repetitions, and programs that test the same with every set run with the best set
# only.  If the CPU has GFNI, they run in the native part only, and with BRIEF=yes, they do not run
# in the emulator either.
#
# The environment sets what sub_build.sh needs, and the test programs in $once and $each.  Those
# in $portable are of $once, too, and need no kernel.

: "${once:?}" "${each:?}" "${portable:?}" "${host_cpu:?}" "${PARTS:=native emulated}" "${BRIEF:=}"
effort=${PXR_EFFORT:-5}
unset PXR_EFFORT
. "$top_srcdir/unit/sub_build.sh"
. "$top_srcdir/unit/suite.sh"

# These programs do not run with each set.  They choose a kernel set themselves or need none, do
# nothing with less effort, measure what signals need as well, or have large matrices.
unforced="$portable unit/test_dispatch unit/test_field unit/test_gfni_emulator unit/test_scan
unit/test_raid_stream unit/test_fork unit/test_lockfree unit/test_stack unit/test_machine
unit/test_first_call unit/test_code_cache unit/test_gf_aborts unit/test_wide_code"
# shellcheck disable=SC2086 # lists of programs
each=$(echo "$once $each" | without $unforced)
# These programs depend on the instructions, so they run with every set in the emulator.
every_set="unit/test_kernels unit/test_kernel_scans unit/test_registers unit/test_isal_api
unit/test_isal_raid unit/test_code unit/test_raid unit/test_raid_check unit/test_raid_recover"

# sets usable: prints the usable sets with GFNI of the build in the current folder, one a line.
# sets unusable: prints the unusable sets and what each of them needs, one a line.
sets() {
    unit/kernel_sets | sed -n "s/^$1 \(.*gfni.*\)/\1/p"
}

# Prints the sets to emulate: those in $SETS, or all sets with GFNI of the top build, usable or
# not.
gfni_sets() {
    [ -z "${SETS:-}" ] || { echo "$SETS"; return; }
    "$top_builddir/unit/kernel_sets" |
        sed -n 's/^\(un\)\?usable \([^ ]*gfni\).*/\2/p' | tr '\n' ' '
}

# ------------------------------------------------------- the trapping build --

# bare OBJECT...: prints the GFNI instructions that have no ud2 before them, or a message if
# there is no GFNI instruction.  It prints nothing if all GFNI instructions trap.
bare() {
    LC_ALL=C objdump -d --no-show-raw-insn "$@" | awk -F '\t' '
        $2 ~ /gf2p8/ { seen = 1; if (before !~ /^ud2/) print }
        NF > 1 { before = $2 }
        END { if (!seen) print "no GFNI instruction" }'
}

# traps_with FLAGS: succeeds if the macros of gfni_trap.h work with the compiler and these
# flags.
traps_with() {
    # shellcheck disable=SC2086 # flags
    $CC -O2 -mavx2 -mgfni $1 -c -o "$sub_root/try.o" "$sub_root/try.c" 2> /dev/null &&
        [ -z "$(bare "$sub_root/try.o")" ]
}

# Sets trap_flags.  clang calls the system's assembler only with -fno-integrated-as.
find_trap_flags() {
    printf '#include <immintrin.h>\n%s\n' \
        '__m256i f(__m256i a) { return _mm256_gf2p8affine_epi64_epi8(a, a, 0); }' \
        > "$sub_root/try.c"
    include="-include $sub_root/source/unit/gfni_trap.h"
    for trap_flags in "$include" "-fno-integrated-as $include"; do
        traps_with "$trap_flags" && return
    done
    return 1
}

build_trapping() {
    command -v objdump > /dev/null || { skip emulated "needs objdump"; return 1; }
    find_trap_flags || { skip emulated "needs a compiler that calls GNU as"; return 1; }
    sub_build gfni unit-programs --disable-tools --enable-kernel-sets="$(gfni_sets)" \
        CFLAGS="-O2 -g1 $trap_flags" LDFLAGS=-Wl,--wrap=pxr_cpu_detect ||
        { fail "build gfni"; return 1; }
    not_trapping=$(bare arch/x86_64/*gfni*.o)
    [ -z "$not_trapping" ] && return
    echo "$not_trapping"
    fail "GFNI instructions that do not trap"
    return 1
}

# ----------------------------------------------------------------- parts ----

part_native() {
    cd "$top_builddir" || return
    # shellcheck disable=SC2005,SC2046 # words on one line
    usable=$(echo $(sets usable))
    [ -n "$usable" ] || skip native "needs a CPU with GFNI"
    # shellcheck disable=SC2086 # lists of programs
    run_suite "native: $usable" --sets "$usable" once unit/test_gfni_emulator \
        ${usable:+each $each}
}

# Fails if a program ran with a set and emulated no instruction.
check_counts() {
    for set in $usable; do
        programs=$every_set
        [ "$set" != "$best" ] || programs="$every_set $best_set"
        for program in $programs; do
            count=$(awk -v name="${program##*/}" -v set="$set" \
                '$1 == name && $2 == set { n += $3 } END { print n + 0 }' "$PXR_GFNI_LOG")
            [ "$count" -gt 0 ] || fail "${program##*/} [$set] emulated no instruction"
        done
        awk -v set="$set" '$2 == set { n += $3 }
            END { print set ": " n + 0 " instructions emulated" }' "$PXR_GFNI_LOG"
    done
}

part_emulated() {
    copy_sources || { fail "the sources cannot be copied"; return; }
    build_trapping || return
    # shellcheck disable=SC2005,SC2046 # words on one line
    usable=$(echo $(sets usable))
    best=${usable%% *}
    unusable=$(sets unusable)
    # The first word is the set.  The others say what it needs and this CPU lacks.
    [ -z "$unusable" ] || while read -r set needs; do
        skip "emulated $set" "$needs"
    done <<END
$unusable
END
    [ -n "$usable" ] || return
    # shellcheck disable=SC2086 # lists of programs
    best_set=$([ -n "$BRIEF" ] || grep -qw gfni /proc/cpuinfo || echo "$each" | without $every_set)
    PXR_GFNI_LOG=$PWD/emulated.log
    PXR_EFFORT=$effort
    export PXR_GFNI_LOG PXR_EFFORT
    : > "$PXR_GFNI_LOG"
    # shellcheck disable=SC2086 # lists of programs
    run_suite "emulated: $usable" --sets "$usable" once unit/test_dispatch each $every_set \
        --sets "$best" each $best_set
    check_counts
}

# ------------------------------------------------------------------ main ----

case $host_cpu in
x86_64 | amd64) run_parts ;;
*) skip gfni "needs x86-64" ;;
esac
finish
