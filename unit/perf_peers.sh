#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The adapters of perf/peers that can be built without the network give the same bytes
# as this library: ec_perf compares them before it times, and says how many shapes it
# could time.  Speed is not judged.
#
# From the environment: top_srcdir, CC; it runs in the build directory.

: "${top_srcdir:?}" "${CC:=cc}"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-peers.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ours=.libs/libisal.so.2
passed=0
failed=0
skipped=0

skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1 ($2)"
}

# Every shape of the matrix: 3 operations of 4 lengths each, all of them timed.
same_bytes() {
    perf/ec_perf -k 5 -m 3 --matrix "$2" --op encode,decode,update --len 1,63,64,4K \
        --time 0.001 "$ours" "$work/$1.so" > "$work/perf.log" 2>&1 &&
        ! grep 'not timed:' "$work/perf.log" &&
        grep -q '^12 shapes timed' "$work/perf.log"
}

check_peer() {
    "$top_srcdir/perf/peers/build.sh" "$work" "$work" "$1" > "$work/build.log" 2>&1
    if [ ! -e "$work/$1.so" ]; then
        if grep -q '^skipped: ' "$work/build.log"; then
            skipped=$((skipped + 1))
        else
            failed=$((failed + 1))
        fi
        cat "$work/build.log"
        return
    fi
    for matrix in vand cauchy; do
        if same_bytes "$1" "$matrix"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED: $1, $matrix"
            sed 's/^/    /' "$work/perf.log"
        fi
    done
}

if [ ! -e "$ours" ]; then
    skip jerasure "no shared library was built"
elif ! perf/ec_perf --help > /dev/null 2>&1; then
    skip jerasure "perf/ec_perf does not run here"
else
    check_peer jerasure
fi
echo "perf_peers: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
