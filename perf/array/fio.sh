#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Measures an array that nbdkit serves, with fio over NBD.  The members are files in FOLDER, or in
# memory.  The column `memory` is nbdkit's own plugin of that name: what NBD and fio cost without
# an array.
#
#   fio.sh [-k K] [-m M] [-s MIB] [-t SECONDS] [-d DEPTH] [-i IO] [-w FOLDER] [-o CSV] PLUGIN COMMAND
#
# PLUGIN is nbdkit-permxor-plugin.so, COMMAND is permxor, MIB is the size of a member, and IO is the
# plugin's setting of that name.

set -eu

k=4 m=2 size=256 seconds=5 depth=32 io=auto folder=/dev/shm csv=/dev/null
while getopts k:m:s:t:d:i:w:o: option; do
    case $option in
    k) k=$OPTARG ;;
    m) m=$OPTARG ;;
    s) size=$OPTARG ;;
    t) seconds=$OPTARG ;;
    d) depth=$OPTARG ;;
    i) io=$OPTARG ;;
    w) folder=$OPTARG ;;
    o) csv=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 2 ] || { echo "usage: fio.sh [options] PLUGIN COMMAND" >&2; exit 2; }
plugin=$1
command=$2
for program in nbdkit fio; do
    command -v "$program" > /dev/null || { echo "fio.sh: needs $program" >&2; exit 2; }
done

work=$(mktemp -d "$folder/permxor-fio.XXXXXX")
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

stop() {
    [ ! -e "$work/pid" ] || kill "$(cat "$work/pid")" 2> /dev/null || true
    while [ -e "$work/pid" ] && kill -0 "$(cat "$work/pid")" 2> /dev/null; do sleep 0.1; done
    rm -f "$work/pid" "$work/nbd"
}

serve() {
    stop
    nbdkit -U "$work/nbd" -P "$work/pid" "$@"
    while [ ! -e "$work/pid" ]; do sleep 0.05; done
}

# measure MODE SIZE READS: operations in a second, and microseconds of which 95 % take less.
measure() {
    fio --name=x --ioengine=nbd --uri="nbd+unix:///?socket=$work/nbd" --rw="$1" --bs="$2" \
        --rwmixread="$3" --iodepth="$depth" --size="$((size * k * 9 / 10))m" --norandommap \
        --time_based --runtime="$seconds" --output-format=json --percentile_list=95 |
        python3 -c '
import json, sys
text = sys.stdin.read()
job = json.loads(text[text.index("{"):])["jobs"][0]
both = [job[way] for way in ("read", "write") if job[way]["total_ios"]]
rate = sum(way["iops"] for way in both)
late = max(way["clat_ns"]["percentile"]["95.000000"] for way in both)
print(f"{rate:.0f} {late / 1000:.0f}")'
}

mixes="write-4k:randwrite:4k:0 database-8k:randrw:8k:75 mixed-4k:randrw:4k:70 oltp-16k:randrw:16k:60
partial-8k:randwrite:8k:0 read-4k:randread:4k:100"

# fill: writes everything once, because the first writes take another way than later ones.
fill() {
    fio --name=fill --ioengine=nbd --uri="nbd+unix:///?socket=$work/nbd" --rw=write --bs=1m \
        --iodepth=4 --size="$((size * k * 9 / 10))m" > "$work/fill" || { cat "$work/fill" >&2; exit 1; }
}

# results: a line for each mix.  A measurement that fails ends the script.
results() {
    for mix in $mixes; do
        echo "$mix" | {
            IFS=: read -r name mode bytes reads
            measured=$(measure "$mode" "$bytes" "$reads")
            echo "$name $measured"
        }
    done
}

serve memory "$((size * k))M"
fill
results > "$work/memory"
members=
for i in $(seq $((k + m))); do
    truncate -s "${size}M" "$work/$i"
    members="$members $work/$i"
done
# shellcheck disable=SC2086 # a list
"$command" array create -m "$m" $members > /dev/null
# shellcheck disable=SC2086 # a list
serve "$plugin" write=true "io=$io" $members
fill
results > "$work/array"
echo "workload,depth,array_iops,array_p95_us,memory_iops,memory_p95_us" > "$csv"
echo "$k + $m members in $folder, $depth operations under way, io=$io"
printf '%-12s %10s %10s %10s %10s\n' workload "op/s" "95 % us" "memory" "95 % us"
paste -d ' ' "$work/array" "$work/memory" | while read -r name rate late _ bare bare_late; do
    printf '%-12s %10s %10s %10s %10s\n' "$name" "$rate" "$late" "$bare" "$bare_late"
    echo "$name,$depth,$rate,$late,$bare,$bare_late" >> "$csv"
done
