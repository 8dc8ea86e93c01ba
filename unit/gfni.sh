#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The tests of the kernel sets with GFNI: natively where the CPU has it, and in
# the emulator of unit/gfni_emulator.h on any CPU, in a build where each GFNI
# instruction traps and the library is made to see GFNI.
#
# Emulated instructions cost some microseconds each: PXR_EFFORT (5) is the share
# of the repetitions that the emulated run does.
#
# From the environment: what sub_build.sh needs, and the test programs whose
# results depend on the kernels in $each.

: "${each:?}" "${PXR_EFFORT:=5}"
. "$top_srcdir/unit/sub_build.sh"
. "$top_srcdir/unit/suite.sh"

# ------------------------------------------------------------ the builds ----

trap_flags="-include $sub_root/source/unit/gfni_trap.h"
gfni_function='#include <immintrin.h>
__m256i f(__m256i a, __m256i b) { return _mm256_gf2p8affine_epi64_epi8(a, b, 0); }'

# bare OBJECT...: GFNI instructions in front of which there is no ud2.
bare() {
    LC_ALL=C objdump -d --no-show-raw-insn "$@" | awk -F '\t' '
        $2 ~ /gf2p8/ { seen++; if (before !~ /^ud2/) { bare++; print } }
        NF > 1 { before = $2 }
        END { if (!seen) print "none at all"; exit seen && !bare }'
}

# Whether the compiler, given $trap_flags, writes what traps; clang does when it
# leaves assembling to the system assembler.
try_trap_flags() {
    echo "$gfni_function" > "$sub_root/try.c" &&
        $CC -O2 -mavx2 -mgfni $trap_flags -c -o "$sub_root/try.o" "$sub_root/try.c" \
            > "$sub_root/try.log" 2>&1 &&
        ! bare "$sub_root/try.o" > "$sub_root/try.log" 2>&1
}

find_trap_flags() {
    try_trap_flags && return
    trap_flags="-fno-integrated-as $trap_flags"
    try_trap_flags
}
