#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Does the main job on a real file, from a fresh checkout.  It installs the packages
# that permxor needs, builds permxor, encodes the file as 10+4 shards onto seven disks,
# damages every shard, removes two disks, puts new disks in their places, repairs the
# shards, removes two other disks, and gets the file back.
#
#   tools/main-job.sh [FILE]
#
# Without FILE it works on 1 GiB of this system's own files.  BUILD and WORK
# name the folders for the build (build/) and the shards (build/main-job/).
# DISKS names seven empty folders to use as disks, with blanks between them;
# without it they are folders in WORK, on one real disk.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD:-$top/build}
work=${WORK:-$build/main-job}
k=10
m=4
count=7

# Makes 1 GiB of tar archives of /usr, as many archives as are needed.
system_files() {
    while tar -C / -cf - --ignore-failed-read usr 2> /dev/null; do :; done | head -c $((1 << 30))
}

say() { printf '\n== %s\n' "$*"; }

fail() { # STATUS TEXT
    echo "$2" >&2
    exit "$1"
}

# Sets disks[] to the folders, and outputs[] to one --output option for each folder.
make_disks() {
    local disk i
    if [ -n "${DISKS:-}" ]; then
        read -ra disks <<< "$DISKS"
    else
        for ((i = 0; i < count; i++)); do disks[i]=$work/disk$i; done
        rm -rf "${disks[@]}"
        mkdir "${disks[@]}"
    fi
    [ ${#disks[@]} -eq $count ] || fail 2 "DISKS: $count folders are needed"
    for disk in "${disks[@]}"; do
        [ -d "$disk" ] && [ -z "$(ls -A "$disk")" ] || fail 2 "$disk: is to be an empty folder"
        outputs+=(-o "$disk")
    done
}

shard() { printf '%s/%s.%03d.pxr' "${disks[$1 % count]}" "$name" "$1"; }

# Ruins 64 bytes of a shard.  The offset is given in 1/1000 of the shard's size.
ruin() {
    local target size
    target=$(shard "$1")
    size=$(stat -c %s "$target")
    dd if=/dev/urandom of="$target" bs=1 count=64 conv=notrunc status=none \
        seek=$((size / 1000 * $2))
}

# Replaces a lost disk: the new disk has the same path and is empty.
lose_disks() {
    local i
    for i in "$@"; do rm "${disks[$i]}"/*; done
}

# Checks that damage is found (status 1), is repaired, and is gone then.
heal() {
    local status=0
    "$permxor" verify --quiet "${disks[@]}" || status=$?
    [ $status -eq 1 ] || fail 1 "verify: status $status, not 1"
    time "$permxor" repair --quiet "${disks[@]}"
    "$permxor" verify --quiet "${disks[@]}"
}

# A wrong file is refused before the build.  In a file of less than 16 MiB, too many shards would
# be damaged in the same stripe.
file=${1:-}
[ -z "$file" ] || [ -f "$file" ] || fail 2 "$file: there is no such file"
[ -z "$file" ] || [ "$(stat -L -c %s "$file")" -ge $((16 << 20)) ] ||
    fail 2 "$file: give a file of 16 MiB or more, or none"

"$top/tools/setup.sh"
"$top/tools/build.sh" "$build"
permxor=$build/permxor

mkdir -p "$work"
if [ -z "$file" ]; then
    file=$work/files.tar
    say "1 GiB of this system's files into $file"
    system_files > "$file"
fi
file=$(realpath "$file")
name=$(basename "$file")
disks=()
outputs=()
make_disks
rm -f "$work/copy"
ls -l "$file"

say "encode $k+$m onto $count disks"
time "$permxor" encode -k $k -m $m "${outputs[@]}" "$file"
for ((i = 0; i < k + m; i++)); do shard $i; echo; done | xargs -d '\n' sha256sum > "$work/before"

say "every shard damaged, each in another place"
for ((i = 0; i < k + m; i++)); do
    ruin $i $((50 + 60 * i))
done
heal

say "two disks lost, and replaced by empty ones"
lose_disks 2 5
heal

say "every shard is what it was, and where it was"
sha256sum --quiet -c "$work/before" && echo yes

say "two other disks lost: the file from what is left"
lose_disks 0 6
time "$permxor" decode --quiet -o "$work/copy" "${disks[@]}"
cmp "$file" "$work/copy" && echo "the copy equals the file"
