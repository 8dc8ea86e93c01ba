# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# md_array.sh sources this file.  It compares what unit/array_cat reads from members that md made
# with the checksums that md's own array had in the guest.

layout_members=5
layout_bytes=$((8 << 20))

# cut_members NUMBER: writes the members of an array to layout0, layout1 and so on.
cut_members() {
    for member in $(seq 0 $((layout_members - 1))); do
        dd if=layouts of="layout$member" bs=$layout_bytes count=1 \
            skip=$(($1 * layout_members + member)) 2> /dev/null || return 1
    done
}

# is_read NUMBER FILE...: succeeds if the contents are md's.
is_read() {
    sum=$(reported "contents$1")
    shift
    is "$sum" "$("$programs/array_cat" "$@" | sha256sum | cut -d ' ' -f 1)"
}

# every_loss NUMBER LEVEL: reads the array without each member, and without each pair for RAID-6.
every_loss() {
    is_read "$1" layout4 layout3 layout2 layout1 layout0 || return 1
    for a in $(seq 0 4); do
        for b in $(if [ "$2" -eq 6 ]; then seq "$a" 4; else echo "$a"; fi); do
            files=
            for member in $(seq 0 4); do
                [ "$member" = "$a" ] || [ "$member" = "$b" ] || files="$files layout$member"
            done
            # shellcheck disable=SC2086 # a list of files
            is_read "$1" $files || { echo "without $a and $b"; return 1; }
        done
    done
}

# listed_layouts: prints how many arrays the guest is to make: the lines of its all_layouts().
listed_layouts() {
    sed -n "/^all_layouts()/,/^END\$/s/^[01]\.[0-9]* [456] .*/&/p" "$top_srcdir/unit/md_guest.sh" |
        wc -l
}

test_layouts() {
    echo "== layouts"
    members=
    for member in $(seq 0 $((layout_members - 1))); do
        head -c $layout_bytes /dev/urandom > "layout$member"
        members="$members layout$member"
    done
    rm -f layouts
    truncate -s $((layout_bytes * layout_members * 32)) layouts
    members="$members layouts"
    guest_seconds=900
    check "md makes arrays of all layouts" guest_runs layouts || return
    sed -n 's/^array //p' report > arrays
    check "md made all arrays" is "$(wc -l < arrays)" "$(listed_layouts)"
    while read -r number metadata level layout chunk; do
        title="RAID-$level $layout, metadata $metadata, chunk $chunk KiB"
        check "$title: cut" cut_members "$number" < /dev/null
        check "$title: contents" every_loss "$number" "$level" < /dev/null
    done < arrays
    [ "$failed" -gt 0 ] || rm -f layout?
}
