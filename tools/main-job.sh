#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The main job on a real file, from a fresh checkout: install what is needed,
# build, then encode the file as 10+4 shards, damage them in three ways,
# repair each time, and get the file back.
#
#   tools/main-job.sh [FILE]
#
# Without FILE it works on 1 GiB of this system's own files.  BUILD and WORK
# name the folders for the build (build/) and the shards (build/main-job/).
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD:-$top/build}
work=${WORK:-$build/main-job}
k=10
m=4

# 1 GiB of tar archives of /usr, as many as it takes.
system_files() {
    while tar -C / -cf - --ignore-failed-read usr 2> /dev/null; do :; done | head -c $((1 << 30))
}

say() { printf '\n== %s\n' "$*"; }

"$top/tools/setup.sh"
"$top/tools/build.sh" "$build"
permxor=$build/permxor

mkdir -p "$work"
file=${1:-}
if [ -z "$file" ]; then
    file=$work/files.tar
    say "1 GiB of this system's files into $file"
    system_files > "$file"
fi
file=$(realpath "$file")
[ "$(stat -c %s "$file")" -ge $((1 << 20)) ] || {
    echo "$file: give a file of 1 MiB or more, or none" >&2
    exit 2
}
name=$(basename "$file")
rm -rf "$work/shards" "$work/copy" "$work/before"
mkdir "$work/shards"
ls -l "$file"

shard() { printf '%s/%s.%03d.pxr' "$work/shards" "$name" "$1"; }

# Ruin 64 bytes at an offset of a shard, given in 1/1000 of its size.
ruin() {
    local target size
    target=$(shard "$1")
    size=$(stat -c %s "$target")
    dd if=/dev/urandom of="$target" bs=1 count=64 conv=notrunc status=none \
        seek=$((size / 1000 * $2))
}

# Damage is to be seen (status 1), repaired, and gone.
heal() {
    local status=0
    "$permxor" verify --quiet "$work/shards" || status=$?
    [ $status -eq 1 ] || { echo "verify: status $status, not 1"; exit 1; }
    time "$permxor" repair --quiet "$work/shards"
    "$permxor" verify --quiet "$work/shards"
}

say "encode $k+$m"
time "$permxor" encode --quiet -k $k -m $m -o "$work/shards" "$file"
sha256sum "$work"/shards/*.pxr > "$work/before"

say "every shard damaged, each in another place"
for ((i = 0; i < k + m; i++)); do
    ruin $i $((50 + 60 * i))
done
heal

say "two shards lost, and two more damaged in the same places"
rm "$(shard 0)" "$(shard 12)"
for place in 100 500 900; do
    ruin 3 $place
    ruin 13 $place
done
heal

say "$m shards lost"
rm "$(shard 1)" "$(shard 4)" "$(shard 7)" "$(shard 11)"
heal

say "the shards are what they were"
sha256sum --quiet -c "$work/before" && echo yes

say "decode, without shards 2, 5, 8 and 10"
for i in 2 5 8 10; do
    rm "$(shard $i)"
done
time "$permxor" decode --quiet -o "$work/copy" "$work/shards"
cmp "$file" "$work/copy" && echo "the copy equals the file"
