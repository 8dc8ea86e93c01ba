#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Compares the plugin with the originals, file for file, through ceph-erasure-code-tool.  It
# uses two folders of plugins: one with the originals, and one that ours took over.
#   tool_test.sh [TEXT]    runs the cases whose line contains TEXT
#
# The tool of 20.2.4 writes data shards only, so what the plugins encode cannot be compared
# there.  It decodes shards that another release has written.  If SHARDS names an empty folder,
# a release with a whole tool leaves its shards there, and 20.2.4 finds them there.
#
# From the environment: top_srcdir; PLUGIN, our libec_permxor.so; ORIGINALS, the folder of
# Ceph's own plugins; PXR_SEED; JOBS; SHARDS.

: "${top_srcdir:?}" "${PLUGIN:?}" "${SHARDS:=}"
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

# what_the_tool_is: whole, if it writes parity, or a part.
what_the_tool_is() {
    cp "$source" "$work/probe"
    tool "$original" encode plugin=isa,k=2,m=1 4096 0,1,2 "$work/probe" || return
    if [ -e "$work/probe.2" ]; then echo whole; else echo a part; fi
}

# leave_out NAME WHY PATTERN: leaves out the cases whose lines match.
leave_out() {
    if grep -q -e "$3" "$work/cases"; then
        skip "$1" "$2"
        grep -v -e "$3" "$work/cases" > "$work/fewer"
        mv "$work/fewer" "$work/cases"
    fi
}

# decodable_cases: the cases that a tool can run which writes no parity.  It has whole pages
# decoded.  If they are not whole units of packets, ours returns an error, and the originals
# destroy the heap.
decodable_cases() {
    if [ -z "$(ls "$SHARDS" 2> /dev/null)" ]; then
        leave_out "bytes" "this tool writes data shards only, and there are no shards" "^bytes "
        return
    fi
    leave_out "clay, lrc and shec" "Ceph's own plugins fail in this tool" \
        "^bytes plugin=\(clay\|lrc\|shec\)"
    leave_out "units of 7 and 6 short packets" "the originals crash in this tool" \
        "^bytes .*packetsize=32,w=[67],"
}

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
tool_is=$(what_the_tool_is) || { fail "the tool does not encode"; finish; }
all_cases | grep -F -e "${1:-}" > "$work/cases"
[ "$tool_is" = whole ] || decodable_cases
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
