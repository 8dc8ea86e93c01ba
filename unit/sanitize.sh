#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The tests under AddressSanitizer with UndefinedBehaviorSanitizer, under
# ThreadSanitizer and under valgrind, and the fuzzers for FUZZ_SECONDS (30)
# each.  PARTS="asan tsan valgrind fuzz" chooses.
#
# From the environment: what sub_build.sh needs, host_cpu, and the test programs in
# $once and $each, scripts in $scripts, and what these need in $command.

: "${once:?}" "${each:?}" "${PARTS:=asan tsan valgrind fuzz}" "${FUZZ_SECONDS:=30}"
. "$top_srcdir/unit/sub_build.sh"
. "$top_srcdir/unit/suite.sh"

# Can COMPILER make a program that runs with FLAGS?
runs_with() {
    try=$sub_root/try
    printf '#include <stdint.h>\n#include <stddef.h>\n%s\n' "$3" > "$try.c" &&
        $1 $2 -o "$try" "$try.c" > /dev/null 2>&1 && "$try" -runs=0 > /dev/null 2>&1
}

empty_program='int main(void) { return 0; }'
empty_target='int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { return n > 9 && d[0] == 1; }'

# The registers are a matter of the code as it is compiled otherwise; and
# valgrind's signal frames have no room for an emulator's results.
once=$(echo "$once" | without unit/test_registers unit/test_gfni_emulator)
# Slow under valgrind: comparisons of results, which are the same there.  Paint on a stack is to
# valgrind what nobody has written, and the original jerasure loses memory.
valgrind_once=$(echo "$once" | without unit/test_code_matrix unit/test_jerasure_exchange)
valgrind_each=$(echo "$each" | without unit/test_oracle unit/test_oracle_raid unit/test_stack \
    unit/test_jerasure_coding unit/test_jerasure_oracle)

# ----------------------------------------------------------------- parts ----

# The sets that are built with AddressSanitizer, which takes long.  On x86-64 the others are the
# same verbs as these, with a few instructions more or fewer, and guard pages watch all of them.
watched_sets() {
    case $host_cpu in
    x86_64) echo base ssse3 avx2 avx512_gfni ;;
    *) echo yes ;;
    esac
}

# The sweeps of all misalignments are thinned out: their guard pages need no sanitizer.
part_asan() {
    flags="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
    runs_with "$CC" "$flags" "$empty_program" || { skip asan "needs $CC $flags"; return; }
    sub_build asan unit-programs CFLAGS="-O1 -g1 $flags" \
        --enable-kernel-sets="$(watched_sets)" || { fail "build asan"; return; }
    export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
    export UBSAN_OPTIONS=print_stacktrace=1
    # shellcheck disable=SC2086 # lists of programs
    PXR_EFFORT=25 run_suite "AddressSanitizer, UndefinedBehaviorSanitizer" \
        once $once each $each once $scripts
}

# The programs with threads in them.
part_tsan() {
    programs="unit/test_dispatch unit/test_machine unit/test_code_cache unit/test_plan
        unit/test_fork"
    flags="-fsanitize=thread"
    runs_with "$CC" "$flags" "$empty_program" || { skip tsan "needs $CC $flags"; return; }
    sub_build tsan "unit/kernel_sets $programs $command" CFLAGS="-O1 -g1 $flags" \
        --enable-kernel-sets="$(chosen_set)" || { fail "build tsan"; return; }
    # Its shadow memory has no room for all that address randomisation does.
    setarch -R true 2> /dev/null && under="setarch -R"
    # shellcheck disable=SC2086 # lists of programs
    run_suite "ThreadSanitizer" once $programs $scripts
    under=
}

# The portable set; test_kernels also runs what valgrind's own CPU has, which
# is AVX2 but not AVX-512.  Less than full effort thins out the sweeps of all
# misalignments, whose guard pages need no valgrind.
part_valgrind() {
    command -v valgrind > /dev/null || { skip valgrind "needs valgrind"; return; }
    cd "$top_builddir" || return
    leaks="--leak-check=full --errors-for-leak-kinds=definite"
    # shellcheck disable=SC2086 # lists of programs
    TEST_WRAPPER="valgrind -q --error-exitcode=9 $leaks" PXR_EFFORT=25 \
        run_suite "valgrind" --sets base once $valgrind_once each $valgrind_each
}

find_fuzzing_compiler() {
    for compiler in clang clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do
        runs_with $compiler -fsanitize=fuzzer,address,undefined "$empty_target" && return
    done
    return 1
}

# fuzz PROGRAM
fuzz() {
    name=$(basename "$1")
    mkdir -p "corpus-$name"
    if "$1" -max_total_time="$FUZZ_SECONDS" -timeout=20 -print_final_stats=1 \
        "corpus-$name" > "$name.log" 2>&1; then
        pass
        inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$name.log")
        echo "$name: $inputs inputs in $FUZZ_SECONDS s"
    else
        tail -n 60 "$name.log"
        fail "$name"
    fi
}

part_fuzz() {
    find_fuzzing_compiler || { skip fuzzers "needs clang with libFuzzer"; return; }
    programs="unit/fuzz_code unit/fuzz_raid"
    [ -z "$scripts" ] || programs="$programs unit/fuzz_shard unit/fuzz_journal"
    FUZZ_LDFLAGS=-fsanitize=fuzzer
    export FUZZ_LDFLAGS
    flags="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"
    sub_build fuzz "$programs" CC=$compiler CFLAGS="-O1 -g1 $flags" \
        --enable-kernel-sets="$(chosen_set)" || { fail "build fuzz"; return; }
    echo "== fuzzers"
    for program in $programs; do
        fuzz "$program"
    done
}

# ------------------------------------------------------------------ main ----

copy_sources || { fail "copy of the sources"; PARTS=; }
run_parts
finish
