# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034,SC2154
#
# Sourced by the tests of the Ceph plugin: folders of plugins in $work, of $PLUGIN and the
# originals in $originals.
#
#   $ours         ours under its three names, the originals beside, and Ceph's other plugins
#   $alone        ours without any original
#   $standing_in  ours with stand_in.so, where that was built, for the originals

originals=${ORIGINALS:-$(dirname "$(find /usr/lib* -name libec_isa.so 2> /dev/null |
    head -n 1)")}
ours=$work/taken
alone=$work/alone
standing_in=$work/standing_in

# Copies: each finds its own name by its file.
three_names() {
    mkdir "$1"
    for name in permxor isa jerasure; do
        cp "$PLUGIN" "$1/libec_$name.so"
    done
}

# make_folders [STAND_IN]
make_folders() {
    three_names "$ours"
    three_names "$alone"
    three_names "$standing_in"
    for file in "$originals"/libec_*.so; do
        name=$(basename "$file")
        case $name in
        libec_isa.so | libec_jerasure.so)
            ln -s "$file" "$ours/${name%.so}_original.so"
            [ -z "$1" ] || cp "$1" "$standing_in/${name%.so}_original.so"
            ;;
        *) ln -s "$file" "$ours/$name" ;;
        esac
    done
}

# The same, for host.h's programs.
export_folders() {
    PXR_CEPH_ORIGINALS=$originals
    PXR_CEPH_TAKEN=$ours
    PXR_CEPH_ALONE=$alone
    PXR_CEPH_STANDING_IN=$standing_in
    export PXR_CEPH_ORIGINALS PXR_CEPH_TAKEN PXR_CEPH_ALONE PXR_CEPH_STANDING_IN
}
