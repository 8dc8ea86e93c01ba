#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Compares the plugin with the originals, file for file, through ceph-erasure-code-tool.  It
# uses two folders of plugins: one with the originals, and one that ours took over.
#   tool_test.sh [TEXT]    runs the cases whose line contains TEXT
#
# From the environment: top_srcdir; PLUGIN, our libec_permxor.so; ORIGINALS, the folder of
# Ceph's own plugins; PXR_SEED; JOBS.

: "${top_srcdir:?}" "${PLUGIN:?}"
here=$top_srcdir/plugins/ceph/test
jobs=${JOBS:-$(nproc)}
seed=${PXR_SEED:-$(date +%s)}

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-ceph-tool.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

suite=tool_test
. "$top_srcdir/unit/checks.sh"
. "$here/folders.sh"
. "$here/tool_lib.sh"
. "$here/tool_cases.sh"

if [ ! -e "$ORIGINALS/libec_isa.so" ] || ! command -v ceph-erasure-code-tool > /dev/null; then
    skip "bytes against the original plugins" "needs Ceph's plugins and ceph-erasure-code-tool"
    finish
fi

source=$work/source
top=$work
make_folders || exit 1
awk -v seed="$seed" 'BEGIN {
    srand(seed)
    for (i = 0; i < 20000; i++)
        printf "%d,", rand() * 2 ^ 31
}' > "$source"

# worker NUMBER: runs every jobs-th case, in a folder of its own, and prints the sums at the
# end.
worker() {
    work=$top/worker$1
    mkdir "$work"
    cd "$work" || exit 1
    awk -v jobs="$jobs" -v turn="$1" 'NR % jobs == turn' "$top/cases" > cases
    while read -r line <&3; do
        # shellcheck disable=SC2086 # words
        set -- $line
        "$@"
    done 3< cases
    echo "$passed $failed" > sums
}

echo "PXR_SEED=$seed"
all_cases | grep -F -e "${1:-}" > "$work/cases"
turn=0
while [ $turn -lt "$jobs" ]; do
    worker $turn &
    turn=$((turn + 1))
done
wait
while [ $turn -gt 0 ]; do
    turn=$((turn - 1))
    if read -r worker_passed worker_failed < "$work/worker$turn/sums"; then
        passed=$((passed + worker_passed))
        failed=$((failed + worker_failed))
    else
        failed=$((failed + 1))
        echo "FAILED: worker $turn gave no sums"
    fi
done
finish
