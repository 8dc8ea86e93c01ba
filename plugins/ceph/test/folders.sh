# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034,SC2154
#
# Sourced by the tests of the Ceph plugin.  Makes folders of plugins in $work.  Each has all
# plugins of Ceph's own folder, $ORIGINALS, which is only read.
#
#   $original     the originals, and ours as permxor
#   $ours         ours also in the place of isa and jerasure, with the originals beside
#   $alone        the same without the originals
#   $standing_in  as $ours, with stand_in.so for the originals
#   $misplaced    as $ours, with ours for the originals
#   $strange      as $ours, but ours does not know this Ceph (variant.sh)
#   $stranded     the same without the originals

: "${PLUGIN:?}" "${ORIGINALS:?}" "${work:?}"
original=$work/original
ours=$work/ours
alone=$work/alone
standing_in=$work/standing_in
misplaced=$work/misplaced
strange=$work/strange
stranded=$work/stranded

# put FILE COPY: copies a file.  A link will not do, because a plugin finds its name by its
# file.  An older COPY is removed first, so that cp does not write through a link.
put() {
    rm -f "$2" && cp "$1" "$2"
}

# new_folder FOLDER PLUGIN: makes a folder in which PLUGIN is permxor.
new_folder() {
    mkdir "$1" && ln -s "$ORIGINALS"/libec_*.so "$1" && put "$2" "$1/libec_permxor.so"
}

# take_over FOLDER PLUGIN: makes a folder in which PLUGIN also has the place of isa and
# jerasure.
take_over() {
    new_folder "$1" "$2" &&
        put "$2" "$1/libec_isa.so" && put "$2" "$1/libec_jerasure.so"
}

keep_originals() {
    for name in isa jerasure; do
        ln -s "$ORIGINALS/libec_$name.so" "$1/libec_${name}_original.so" || return 1
    done
}

make_folders() {
    new_folder "$original" "$PLUGIN" && take_over "$alone" "$PLUGIN" &&
        take_over "$ours" "$PLUGIN" && keep_originals "$ours"
}

# stand_before FOLDER FILE: makes a folder with ours, and with FILE for the originals.
stand_before() {
    take_over "$1" "$PLUGIN" && put "$2" "$1/libec_isa_original.so" &&
        put "$2" "$1/libec_jerasure_original.so"
}

# Makes the folders of a plugin that does not know the Ceph of this machine.  Where there is no
# compiler, STRANGE is that plugin.
make_strange() {
    stranger=${STRANGE:-$work/stranger.so}
    release=$(ceph-osd --version | sed 's/ceph version \([0-9]*\)\.\([0-9]*\).*/\1 \2/')
    # shellcheck disable=SC2086 # two numbers
    [ "${STRANGE:-}" ] ||
        sh "$top_srcdir/plugins/ceph/test/variant.sh" strange "$stranger" $release || return
    take_over "$strange" "$stranger" && keep_originals "$strange" &&
        take_over "$stranded" "$stranger"
}

# Exports the folders for the programs of host.h.
export_folders() {
    PXR_CEPH_TAKEN=$ours
    PXR_CEPH_ALONE=$alone
    PXR_CEPH_STANDING_IN=$standing_in
    PXR_CEPH_MISPLACED=$misplaced
    export PXR_CEPH_TAKEN PXR_CEPH_ALONE PXR_CEPH_STANDING_IN PXR_CEPH_MISPLACED
}
