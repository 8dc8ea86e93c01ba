#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Measures klauspost/reedsolomon against permxor by Go's own benchmarks, in one process, by
# turns and in one goroutine.  It reports the best of COUNT runs of each, of TIME each.  MB/s
# are of data.
#
# GOMAXPROCS is at least 2.  If it is 1, Go takes the only processor from a goroutine that has
# been in C for 20 us, although no other goroutine waits for it, and gives it back when the call
# returns.
#
# From the environment: top_srcdir, top_builddir; COUNT (5), TIME (50ms), BENCH (the part of
# bench_test.go to run), GOMAXPROCS (2), and GFNI: 0 keeps both packages from using it.

suite=bench-go
. "$top_srcdir/plugins/go/test/go_env.sh"

if [ "${GFNI-}" = 0 ]; then
    export PXR_BENCH_GFNI=0 PERMXOR_KERNELS="${PERMXOR_KERNELS:-avx512}"
fi

# Turns lines of BenchmarkStores/TASK/K+M/SIZE/WHO into a table, in the order of the first run.
table() {
    awk '
        $1 !~ /^BenchmarkStores\// { next }
        {
            split($1, part, "/")
            row = sprintf("%-13s %5s %8d", part[2], part[3], part[4])
            if (!(row in seen)) {
                seen[row] = ++rows
                name[rows] = row
                bytes[rows] = part[4]
            }
            who = part[5]
            sub(/-[0-9]+$/, "", who)
            i = seen[row]
            if (!((i, who) in best) || $3 < best[i, who]) {
                best[i, who] = $3
                rate[i, who] = $5
                allocations[i, who] = $9
            }
        }
        END {
            printf "%-13s %5s %8s %10s %10s %8s %8s %7s %7s\n", "task", "code", "bytes",
                "theirs ns", "ours ns", "MB/s", "MB/s", "allocs", "ratio"
            for (i = 1; i <= rows; i++)
                printf "%s %10.0f %10.0f %8.0f %8.0f %3d/%-3d %7.2f\n", name[i],
                    best[i, "theirs"], best[i, "ours"], rate[i, "theirs"], rate[i, "ours"],
                    allocations[i, "theirs"], allocations[i, "ours"],
                    best[i, "theirs"] / best[i, "ours"]
        }'
}

cd "$plugin/test" || exit
go version
grep -m 1 '^model name' /proc/cpuinfo
echo "GFNI: ${GFNI:-as the CPU has it}; PERMXOR_KERNELS: ${PERMXOR_KERNELS:-by the CPU}"
# Makes one run of all benchmarks after the other.  If each benchmark did all its runs at once,
# other work on the machine could disturb all runs of the same benchmark.
go test -c -o "$work/bench" . || exit
run=0
while [ $run -lt "${COUNT:-5}" ]; do
    GOMAXPROCS="${GOMAXPROCS:-2}" "$work/bench" -test.run '^$' -test.bench "${BENCH:-Stores}" \
        -test.benchtime "${TIME:-50ms}" >> "$work/bench.log" || {
        cat "$work/bench.log"
        exit 1
    }
    run=$((run + 1))
done
table < "$work/bench.log"
