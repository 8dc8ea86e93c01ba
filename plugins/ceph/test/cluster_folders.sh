# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by cluster_test.sh: folders of plugins in $cluster, each with all that Ceph loads.
#
#   $original  the originals, and permxor
#   $ours      permxor in the place of isa and jerasure, which it finds beside it; and as
#              stranger one that does not know this Ceph
#   $alone     permxor in their place, without them
#   $strange   as $ours, but the stranger in their place

original=$cluster/original
ours=$cluster/ours
alone=$cluster/alone
strange=$cluster/strange

new_folder() {
    mkdir "$1" && ln -s "$ORIGINALS"/libec_*.so "$1" && cp "$PLUGIN" "$1/libec_permxor.so"
}

# take_over FOLDER PLUGIN: a copy, which finds its name by its file, in the place of both.
take_over() {
    for name in isa jerasure; do
        rm "$1/libec_$name.so" && cp "$2" "$1/libec_$name.so" || return 1
    done
}

keep_originals() {
    for name in isa jerasure; do
        ln -s "$ORIGINALS/libec_$name.so" "$1/libec_${name}_original.so" || return 1
    done
}

make_folders() {
    release=$(ceph-osd --version | sed 's/ceph version \([0-9]*\)\.\([0-9]*\).*/\1 \2/')
    new_folder "$original" && new_folder "$ours" && new_folder "$alone" &&
        new_folder "$strange" || return 1
    # shellcheck disable=SC2086
    "$python" "$here/stranger.py" "$PLUGIN" "$ours/libec_stranger.so" $release || return 1
    take_over "$ours" "$PLUGIN" && keep_originals "$ours" && take_over "$alone" "$PLUGIN" &&
        take_over "$strange" "$ours/libec_stranger.so" && keep_originals "$strange"
}

# loaded FOLDER PLUGIN...: every OSD that runs has them from there.
loaded() {
    folder=$1
    shift
    for daemon in $(names | grep osd); do
        for plugin; do
            grep -q " $folder/libec_$plugin.so$" "/proc/$(cat "$cluster/$daemon.pid")/maps" || {
                echo "$daemon has no $plugin of $folder"
                return 1
            }
        done
    done
}
