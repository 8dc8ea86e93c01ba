#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests whether ec_perf measures what it says.  `make perf-self-test` runs it in a build folder.
#
#   self_test.sh EC_PERF LIBRARY SLOWED
#
# - LIBRARY is measured under two names.  The ratio has to be 1.00 to within 1 %, and its
#   interval has to be narrow.
# - SLOWED does 5 % more work than LIBRARY.  The interval of the ratio has to be above 1.  The
#   test also tries 2 % more work, and reports the result.  SLOWED does the additional work in a
#   separate call.  With short shards this call costs more than its share, so the shards are
#   long here.
# - A machine that this test loads has to be reported as noisy, and a quiet machine as quiet.
#
# This script judges times, so `make check` does not run it.  If other programs load the
# machine, the tests that need a quiet machine are skipped by name.

perf=$1
library=$2
PERF_SLOWED_LIBRARY=$library
export PERF_SLOWED_LIBRARY
slowed=$3
passed=0
failed=0
skipped=0
started=
folder=$(mktemp -d) || exit 2
out=$folder/out
csv=$folder/csv
rows=$folder/rows

stop_load() {
    for process in $started; do
        kill "$process" 2> /dev/null
        wait "$process" 2> /dev/null
    done
    started=
}

trap 'stop_load; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

pass() { passed=$((passed + 1)) && echo "passed: $1"; }
fail() { failed=$((failed + 1)) && echo "FAILED: $1"; }
skip() { skipped=$((skipped + 1)) && echo "skipped: $1 ($2)"; }

# measure OPTION...: runs ec_perf.  The output goes to $out, and the figures go to $csv.
measure() {
    if ! "$perf" --cpu "$core" --csv "$csv" "$@" > "$out" 2>&1; then
        cat "$out"
        echo "self_test.sh: $perf failed"
        exit 2
    fi
}

# rows_of SUBJECT: writes the subject's rows to $rows: op, code, mode, len, ratio, low, high,
# noisy.
rows_of() {
    awk -F , -v name="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["subject"] == name {
            printf "%s %s+%s %s %s %s %s %s %s\n", $at["operation"], $at["k"], $at["m"],
                $at["mode"], $at["len"], $at["ratio"], $at["ratio_low"], $at["ratio_high"],
                $at["noisy"]
        }' "$csv" > "$rows"
    if [ ! -s "$rows" ]; then
        cat "$out"
        echo "self_test.sh: $1 was not measured"
        exit 2
    fi
}

verdict() {
    grep '^machine: [qN]' "$out" || echo "no verdict"
}

# ------------------------------------------------------------- machine --

# Prints the cores on which this process may run, one a line.
cores() {
    sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr , '\n' |
        awk -F - '{ for (i = $1; i <= $NF; i++) print i }'
}

# Prints how many ticks all cores have worked, by the system's count.  noise.c counts the same
# kinds of work.
busy_ticks() {
    awk '$1 == "cpu" { printf "%.0f\n", $2 + $3 + $4 + $7 + $8 }' /proc/stat
}

# Prints how many hundredths of a core other programs use, measured over two seconds.
others_now() {
    before=$(busy_ticks)
    sleep 2
    echo $((($(busy_ticks) - before) * 50 / $(getconf CLK_TCK)))
}

# ------------------------------------------------------------- judging --

# The limit is 1 %, because the coding tables of the two are at different addresses.  That alone
# made a difference of 0.6 % with a stripe that just exceeds L1 (4+2 of 16 KiB, with one file
# and with a copy of it).  A wide interval can contain 1 by chance, and noisy rows tell nothing.
judge_same() {
    exactly=0
    while read -r op code mode len ratio low high noisy; do
        line="same library: $op $code $mode $len: $ratio [$low, $high], noisy $noisy"
        same=$(echo "$ratio $low $high" | awk '{
            print ($1 > 0.99 && $1 < 1.01 && $3 - $2 <= 0.02) }')
        case $same.$noisy in
        *.1) skip "$line" "too noisy to tell" ;;
        1.*) pass "$line" ;;
        *) fail "$line" ;;
        esac
        exactly=$((exactly + $(echo "$low $high" | awk '{ print ($1 <= 1 && $2 >= 1) }')))
    done
    echo "same library: $exactly of these intervals contain 1 itself (aim 96 %)"
}

# judge_slowed PERCENT: the interval of `slowed` has to be above 1 for 5 %, except in noisy
# rows.
judge_slowed() {
    while read -r op code mode len ratio low high noisy; do
        line="slowed by $1 %: $op $code $mode $len: $ratio [$low, $high], noisy $noisy"
        found=$(echo "$low" | awk '{ print ($1 > 1) }')
        case $1.$found.$noisy in
        5.1.*) pass "$line" ;;
        5.0.0) fail "$line" ;;
        5.0.*) skip "$line" "too noisy to tell" ;;
        *.1.*) echo "detected: $line" ;;
        *) echo "not detected: $line" ;;
        esac
    done
}

# judge_verdict WHAT PATTERN: passes if the verdict of the last measurement matches.
judge_verdict() {
    if verdict | grep -q "$2"; then
        pass "$1: $(verdict)"
    else
        fail "$1: $(verdict)"
    fi
}

# --------------------------------------------------------------- tests --

test_same() {
    for code in "10 4" "4 2"; do
        measure -k "${code% *}" -m "${code#* }" --len 1K,16K,64K --op encode,update \
            "one=$library" "two=$library"
        rows_of two
        judge_same < "$rows"
    done
}

test_slowed() {
    for percent in 5 2; do
        PERF_SLOWED_PERCENT=$percent
        export PERF_SLOWED_PERCENT
        measure --len 64K,256K,1M "one=$library" "slowed=$slowed"
        rows_of slowed
        judge_slowed $percent < "$rows"
    done
}

measure_a_few() {
    measure --len 4K,16K,64K,256K "one=$library" "two=$library"
}

test_quiet() {
    others=$(others_now)
    if [ "$others" -gt 30 ]; then
        skip "quiet machine" "other programs use $others hundredths of a core"
        return
    fi
    measure_a_few
    judge_verdict "quiet machine" '^machine: quiet'
}

test_shared_core() {
    taskset -c "$core" sh -c 'while :; do :; done' &
    started=$!
    measure_a_few
    stop_load
    judge_verdict "spinner on the same core" '^machine: NOISY.* preempted'
}

# Runs a process on every other core, which goes through 64 MiB again and again.
test_neighbours() {
    others=$(cores | grep -vx "$core")
    if [ -z "$others" ]; then
        skip "memory walkers on the other cores" "there is only one core"
        return
    fi
    for other in $others; do
        taskset -c "$other" dd if=/dev/zero of=/dev/null bs=64M 2> /dev/null &
        started="$started $!"
    done
    measure_a_few
    stop_load
    judge_verdict "memory walkers on the other cores" '^machine: NOISY.* busy neighbours'
}

core=$(cores | tail -n 1)
grep -m 1 'model name' /proc/cpuinfo
echo "core $core; load average $(cat /proc/loadavg)"
test_same
test_slowed
test_quiet
if command -v taskset > /dev/null; then
    test_shared_core
    test_neighbours
else
    skip "a loaded machine" "needs taskset"
fi
echo "self_test: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
