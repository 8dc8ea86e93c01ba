#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs the tests under AddressSanitizer with UndefinedBehaviorSanitizer, under ThreadSanitizer
# and under valgrind.  Then it runs each fuzzer for FUZZ_SECONDS (30).  PARTS="asan tsan
# valgrind fuzz" chooses parts.
#
# The environment sets what sub_build.sh needs, host_cpu, the test programs in $once and $each,
# those of $each that depend on the instructions in $kernels, more programs for ThreadSanitizer in
# $threaded, test scripts in $scripts, and in $command the programs that these scripts need.

: "${once:?}" "${each:?}" "${kernels:?}" "${PARTS:=asan tsan valgrind fuzz}" "${FUZZ_SECONDS:=30}"
. "$top_srcdir/unit/sub_build.sh"
. "$top_srcdir/unit/suite.sh"

# runs_with COMPILER FLAGS SOURCE: succeeds if the compiler, with these flags, makes a program
# that runs here.
runs_with() {
    try=$sub_root/try
    printf '#include <stdint.h>\n#include <stddef.h>\n%s\n' "$3" > "$try.c" &&
        $1 $2 -o "$try" "$try.c" > /dev/null 2>&1 && "$try" -runs=0 > /dev/null 2>&1
}

empty_program='int main(void) { return 0; }'
empty_target='int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { return n > 9 && d[0] == 1; }'

# test_registers checks code without a sanitizer's instructions.  test_gfni_emulator needs more
# room in a signal frame than valgrind's frames have.
once=$(echo "$once" | without unit/test_registers unit/test_gfni_emulator)
# Under valgrind, comparisons with other libraries and statistics are slow, and have the same
# results, and so have simulated histories.  valgrind takes the marks of test_stack for
# uninitialised memory, and the original jerasure leaks memory.  While a thread waits for io_uring, valgrind runs no other thread.
valgrind_once=$(echo "$once" | without unit/test_code_matrix unit/test_gf_oracle \
    unit/test_hash_chance unit/test_jerasure_exchange unit/test_array_file unit/test_array_host \
    unit/test_array_sim)
valgrind_each=$(echo "$each" | without unit/test_oracle unit/test_oracle_packets \
    unit/test_oracle_raid unit/test_stack unit/test_jerasure_coding unit/test_jerasure_oracle)

# ----------------------------------------------------------------- parts ----

# Prints the sets to build with AddressSanitizer, since such a build takes long: on x86-64 those of
# the three that run here.  The other sets have the same verbs as these, with a few instructions
# more or fewer.  Guard pages detect accesses outside the buffers with all sets.
watched_sets() {
    case $host_cpu in
    x86_64)
        "$top_builddir/unit/kernel_sets" | awk '
            $1 == "usable" && $2 ~ /^(base|avx2|avx512_gfni)$/ { print $2 }' | tr '\n' ' '
        ;;
    *) echo yes ;;
    esac
}

# The effort is 25 %, which omits most misalignments from the sweeps.  Guard pages test these
# without a sanitizer.  Programs that test the same with every set run with two_sets() only.
part_asan() {
    flags="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
    runs_with "$CC" "$flags" "$empty_program" || { skip asan "needs $CC $flags"; return; }
    sub_build asan unit-programs CFLAGS="-O1 -g1 $flags" \
        --enable-kernel-sets="$(watched_sets)" || { fail "build asan"; return; }
    export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
    export UBSAN_OPTIONS=print_stacktrace=1
    # shellcheck disable=SC2086 # lists of programs
    others=$(echo "$each" | without $kernels)
    # shellcheck disable=SC2086 # lists of programs
    PXR_EFFORT=25 run_suite "AddressSanitizer, UndefinedBehaviorSanitizer" \
        once $once each $kernels --sets "$(two_sets)" each $others once $scripts
}

# Runs the programs that use threads, and those tests of the command in which threads share work.
# No kernel starts a thread, so one set is enough, the one that takes the least time to build.
part_tsan() {
    programs="unit/test_dispatch unit/test_machine unit/test_code_cache unit/test_plan
        unit/test_fork unit/test_cauchy_tables ${threaded-}"
    flags="-fsanitize=thread"
    runs_with "$CC" "$flags" "$empty_program" || { skip tsan "needs $CC $flags"; return; }
    sub_build tsan "unit/kernel_sets $programs $command" CFLAGS="-O1 -g1 $flags" \
        --enable-kernel-sets=base || { fail "build tsan"; return; }
    # Address randomisation can put memory where ThreadSanitizer has no shadow memory for it.
    setarch -R true 2> /dev/null && under="setarch -R"
    # shellcheck disable=SC2086 # lists of programs
    CLI_PARTS="damage direct disks salvage" \
        run_suite "ThreadSanitizer" once $programs $scripts
    under=
}

# The set is the portable one.  test_kernels also runs the sets that valgrind's CPU has, which
# is AVX2 but not AVX-512.  The effort is 10 %, which omits most misalignments from the sweeps.
# Guard pages test these without valgrind.
part_valgrind() {
    command -v valgrind > /dev/null || { skip valgrind "needs valgrind"; return; }
    cd "$top_builddir" || return
    leaks="--leak-check=full --errors-for-leak-kinds=definite"
    # shellcheck disable=SC2086 # lists of programs
    TEST_WRAPPER="valgrind -q --error-exitcode=9 $leaks" PXR_EFFORT=10 \
        run_suite "valgrind" --sets base once $valgrind_once each $valgrind_each
}

find_fuzzing_compiler() {
    for compiler in clang clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do
        runs_with $compiler -fsanitize=fuzzer,address,undefined "$empty_target" && return
    done
    return 1
}

# fuzz PROGRAM: runs the fuzzer for FUZZ_SECONDS.
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
    programs="unit/fuzz_array unit/fuzz_code unit/fuzz_raid"
    case " $once $each " in
        *test_array_core*) programs="$programs unit/fuzz_array_core" ;;
    esac
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

copy_sources || { fail "the sources cannot be copied"; PARTS=; }
run_parts
finish
