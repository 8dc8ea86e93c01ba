# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034,SC2154
#
# Sourced by the tests of the Ceph plugin: folders of plugins in $work, each with all that
# Ceph's own has.  That is $ORIGINALS, which is only read.
#
#   $original     the originals, and ours as permxor
#   $ours         ours in the place of isa and jerasure, too, with the originals beside
#   $alone        the same without the originals
#   $standing_in  as $ours, with stand_in.so for the originals
#   $strange      as $ours, but ours does not know this Ceph (stranger.py)
#   $stranded     the same without the originals

: "${PLUGIN:?}" "${ORIGINALS:?}" "${work:?}"
original=$work/original
ours=$work/ours
alone=$work/alone
standing_in=$work/standing_in
strange=$work/strange
stranded=$work/stranded

# put FILE COPY: not a link, since a plugin finds its name by its file; nor through one.
put() {
    rm -f "$2" && cp "$1" "$2"
}

# new_folder FOLDER PLUGIN: PLUGIN is permxor there.
new_folder() {
    mkdir "$1" && ln -s "$ORIGINALS"/libec_*.so "$1" && put "$2" "$1/libec_permxor.so"
}

# take_over FOLDER PLUGIN: it has the place of isa and jerasure as well.
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

# make_standing_in STAND_IN
make_standing_in() {
    take_over "$standing_in" "$PLUGIN" && put "$1" "$standing_in/libec_isa_original.so" &&
        put "$1" "$standing_in/libec_jerasure_original.so"
}

# make_strange PYTHON: what it does not know is the Ceph of this machine.
make_strange() {
    release=$(ceph-osd --version | sed 's/ceph version \([0-9]*\)\.\([0-9]*\).*/\1 \2/')
    # shellcheck disable=SC2086 # two numbers
    "$1" "$top_srcdir/plugins/ceph/test/stranger.py" "$PLUGIN" "$work/stranger.so" $release &&
        take_over "$strange" "$work/stranger.so" && keep_originals "$strange" &&
        take_over "$stranded" "$work/stranger.so"
}
