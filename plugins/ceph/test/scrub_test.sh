#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests permxor-ceph-scrub in a cluster on one machine (cluster.sh) with Ceph's own plugins:
# pools of each technique are hashed OSD by OSD while the cluster goes on, also while objects
# change, and after a shard of one object in each pool was damaged.  It prints what was read and
# what was moved, and the same of Ceph's deep scrub and of reading all objects.
#
# From the environment: the same as cluster_test.sh, and SCRUB, our permxor-ceph-scrub.

: "${PLUGIN:?}" "${SCRUB:?}" "${top_srcdir:?}" "${top_builddir:?}"
suite=ceph_scrub
. "$top_srcdir/plugins/ceph/test/originals.sh"
. "$top_srcdir/plugins/ceph/test/cluster.sh"
find_programs
enter_folder

# ----------------------------------------------------------------- pools ----

whole="isa_van jer_van jer_r6 jer_orig jer_lib jer_blaum jer_liber8 new_van"
over="isa_over jer_good"
left_out="jer_words lrc"

make_pools() {
    do_ make_pool isa_van whole plugin=isa technique=reed_sol_van k=4 m=2 &&
        do_ make_pool isa_over overwrites plugin=isa technique=cauchy k=4 m=2 &&
        do_ make_pool jer_van whole plugin=jerasure technique=reed_sol_van k=4 m=2 &&
        do_ make_pool jer_r6 whole plugin=jerasure technique=reed_sol_r6_op k=4 m=2 &&
        do_ make_pool jer_good overwrites plugin=jerasure technique=cauchy_good k=4 m=2 &&
        do_ make_pool jer_orig whole plugin=jerasure technique=cauchy_orig k=4 m=2 w=4 \
            packetsize=1024 &&
        do_ make_pool jer_lib whole plugin=jerasure technique=liberation k=4 m=2 &&
        do_ make_pool jer_blaum whole plugin=jerasure technique=blaum_roth k=4 m=2 w=6 &&
        do_ make_pool jer_liber8 whole plugin=jerasure technique=liber8tion k=4 m=2 &&
        do_ make_pool new_van whole plugin=permxor technique=reed_sol_van k=4 m=2 &&
        do_ make_pool jer_words whole plugin=jerasure technique=reed_sol_van k=4 m=2 w=16 &&
        do_ make_pool lrc whole plugin=lrc k=2 m=2 l=2
}

# ------------------------------------------------------------------ scrub ----

write_map() {
    ceph osd dump --format json > "$work/map"
}

# left_out_in_words: the program says which pools it cannot scrub, and why.
left_out_in_words() {
    "$SCRUB" pools --map "$work/map" > "$work/pools" &&
        grep 'jer_words: left out: w=16: words' "$work/pools" &&
        grep 'lrc: left out: plugin lrc' "$work/pools" &&
        [ "$(grep -c 'left out' "$work/pools")" -eq 2 ]
}

# hash_osd FOLDER ID [OPTION...]: hashes an OSD that is stopped.
hash_osd() {
    reports=$1
    hashed=$2
    shift 2
    mkdir -p "$reports" &&
        "$SCRUB" hash --map "$work/map" --data-path "$cluster/osd.$hashed" --key "$work/key" \
            "$@" > "$reports/osd.$hashed"
}

# refused_while_running: an OSD that runs cannot be hashed, and its report lacks its end.
refused_while_running() {
    ! hash_osd "$work/refused" 0 2> "$work/words" && cat "$work/words" &&
        grep 'ceph-objectstore-tool failed' "$work/words" &&
        ! "$SCRUB" check --map "$work/map" "$work/refused/osd.0" 2> "$work/words" &&
        grep 'the report of osd.0 is cut off' "$work/words"
}

# one_after_the_other REPORTS BETWEEN [OPTION...]: hashes all OSDs while the others go on.
# BETWEEN is a command that runs after each visit.
one_after_the_other() {
    folder=$1
    between=$2
    shift 2
    for id in $(seq 0 $((osds - 1))); do
        stop TERM "osd.$id" && hash_osd "$folder" "$id" "$@" && start "$original" "osd.$id" &&
            do_ wait_up "$osds" && do_ wait_clean && $between || return 1
    done
}

# checked REPORTS STATUS RESULT [OPTION...]: checks that the program ends with this status.
checked() {
    folder=$1
    expected=$2
    result=$3
    shift 3
    "$SCRUB" check --map "$work/map" "$@" "$folder"/osd.* > "$result" 2> "$work/words"
    status=$?
    cat "$result"
    [ "$status" -eq "$expected" ]
}

change_objects() {
    do_ overwrite "between$id" 2 isa_over
}

# ----------------------------------------------------------------- damage ----

# damage_all: damages one shard of one object in each pool, on another OSD each time, and writes
# what is to be found.
damage_all() {
    : > "$work/expected"
    while read -r osd pgshard pool object; do
        store="ceph-objectstore-tool --no-mon-config --data-path $cluster/osd.$osd"
        # shellcheck disable=SC2086 # several words
        rm -f "$work/shard" && $store --pgid "$pgshard" "$object" get-bytes "$work/shard" &&
            printf 'rot' | dd of="$work/shard" bs=1 seek=1000 conv=notrunc &&
            $store --pgid "$pgshard" "$object" set-bytes "$work/shard" || return 1
        echo "WRONG: $pool ${pgshard%s*} //$object@head: shard ${pgshard##*s} on" \
            "osd.$osd is wrong" >> "$work/expected"
    done < "$work/damages"
    echo "$(grep -c . "$work/expected") shards are damaged"
}

# remove_damaged: removes the damaged shards, so that Ceph misses them.
remove_damaged() {
    while read -r osd pgshard pool object; do
        ceph-objectstore-tool --no-mon-config --data-path "$cluster/osd.$osd" \
            --pgid "$pgshard" "$object" remove || return 1
    done < "$work/damages"
    echo "$(grep -c . "$work/damages") damaged shards removed"
}

choose_damages() {
    osd=0
    for pool in $whole $over; do
        object=$(do_ largest "$pool") && pgshard=$(do_ shard "$pool" "$object" $osd) ||
            return 1
        echo "$osd $pgshard $pool $object"
        osd=$(((osd + 1) % osds))
    done > "$work/damages"
}

# hash_all REPORTS [OPTION...]: hashes all OSDs at once.
hash_all() {
    folder=$1
    shift
    hashing=
    for id in $(seq 0 $((osds - 1))); do
        hash_osd "$folder" "$id" "$@" &
        hashing="$hashing $!"
    done
    for pid in $hashing; do
        wait "$pid" || return 1
    done
}

exactly_the_damage() {
    checked "$work/damaged" 1 "$work/found" || return 1
    grep ^WRONG "$work/found" | sort > "$work/found.sorted"
    sort "$work/expected" | diff - "$work/found.sorted" &&
        echo "$(grep -c . "$work/found.sorted") wrong shards named, and no other"
}

# ------------------------------------------------------------------ costs ----

# what_it_took: the sums of the check.
what_it_took() {
    grep -E '^(osd|all pools)' "$work/result"
    awk '/^osd/ { hashed += $4; report += $8; shards += $2 }
        END { print "from hashes: " hashed " bytes read where they are, " report \
            " bytes moved for " shards " shards" }' "$work/result"
}

# shellcheck disable=SC2046,SC2086
filled() {
    need "cluster made" make_cluster "$original"
    need "pools" make_pools
    need "written" do_ write original $whole $left_out
    need "overwritten" do_ overwrite original 20 $over
    need "clean" do_ wait_clean
    need "the map" write_map
    need "a key" sh -c "od -An -tx1 -N8 /dev/urandom | tr -d ' ' > '$work/key'"
    need "left out" left_out_in_words
    need "an OSD that runs" refused_while_running
}

# shellcheck disable=SC2086
others() {
    need "deep scrub" do_ cost_of_scrubbing $whole $over
    need "reading" do_ cost_of_reading $whole $over
}

# shellcheck disable=SC2086
going_on() {
    need "hashed while objects change" one_after_the_other "$work/changing" change_objects \
        --pool isa_over --pool isa_van
    need "nothing is wrong" checked "$work/changing" 3 "$work/result" \
        --pool isa_over --pool isa_van
    need "objects written meanwhile" grep -c '^written meanwhile: isa_over' "$work/result"
}

start_all() {
    # shellcheck disable=SC2046
    start "$original" $(osd_names 0 5) && do_ wait_up $osds && do_ wait_clean
}

# shellcheck disable=SC2046,SC2086
damaged() {
    need "what to damage" choose_damages
    need "OSDs stopped" stop TERM $(osd_names 0 5)
    need "hashed" hash_all "$work/reports"
    need "all is fine" checked "$work/reports" 0 "$work/result"
    what_it_took
    need "shards are damaged" damage_all
    need "hashed again" hash_all "$work/damaged"
    need "the damage is found" exactly_the_damage
    cat "$work/found.sorted"
    need "OSDs are back" start_all
    need "deep scrub" do_ found_by_scrub $whole $over
}

# shellcheck disable=SC2046,SC2086
repaired() {
    need "OSDs stopped" stop TERM $(osd_names 0 5)
    need "damage removed" remove_damaged
    need "OSDs are back" start_all
    need "repaired" do_ repair_all $whole $over
    need "objects are right" do_ compare 0 $whole $over
    need "OSDs stopped" stop TERM $(osd_names 0 5)
    need "hashed" hash_all "$work/repaired" --pool isa_over --pool isa_van --pool jer_good
    need "groups of other pools are missing" checked "$work/repaired" 3 "$work/result"
    need "all is fine" checked "$work/repaired" 0 "$work/result" \
        --pool isa_over --pool isa_van --pool jer_good
    need "OSDs are back" start_all
}

filled
going_on
others
damaged
repaired
need "all daemons run" running
finish
