# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154,SC2086,SC2046
# Part of unit/cli_test.sh: tests of a set in several folders, where each folder stands for a
# disk.

seven="A B C D E F G"

outputs() { # DIRECTORY...: prints an --output option for each
    printf -- ' -o %s' "$@"
}

# Makes a file ./f, its 14 shards in 7 folders, and copies of the folders in ./was.
seven_disks() {
    data 20000 f
    mkdir $seven was
    "$PERMXOR" encode -q --cell 64 $(outputs $seven) f 2>/dev/null
    cp -r $seven was
}

# as_they_were DIRECTORY...: succeeds if the folders have their original shards, and no other
# files.
as_they_were() {
    for folder in "$@"; do
        same_files $folder was/$folder
    done
    tidy
}

disks_field() { # SHARD
    od -An -tu4 -j 324 -N 4 "$1" | tr -d ' '
}

# ------------------------------------------------------------------- encode --

test_shards_are_dealt_out() {
    data 20000 f
    mkdir $seven s
    expect 0 "$PERMXOR" encode --cell 64 $(outputs $seven) f
    [ "$(cat out)" = "14 shards in 7 folders: the file survives the loss of any 2 folders" ]
    says err "A, B and 5 more are on the same file system: if this is one disk, its failure loses them all"
    [ "$(echo A/* B/*)" = "A/f.000.pxr A/f.007.pxr B/f.001.pxr B/f.008.pxr" ]
    [ "$(echo G/*)" = "G/f.006.pxr G/f.013.pxr" ]
    [ "$(disks_field G/f.013.pxr)" = 7 ]
    expect 0 "$PERMXOR" decode -o g $seven
    cmp f g
    # Two folders are lost.
    expect 0 "$PERMXOR" decode -f -o g A B D E G
    cmp f g
    # If there is one folder, encode prints nothing.
    expect 0 "$PERMXOR" encode -o s f
    [ ! -s out ] && [ ! -s err ]
    [ "$(disks_field s/f.000.pxr)" = 1 ]
}

test_how_many_folders_may_be_lost() {
    data 2000 f
    mkdir $seven
    set -- "4 2 A B|6 shards in 2 folders: the loss of one folder can lose the file" \
        "2 2 A B|4 shards in 2 folders: the file survives the loss of any 1 folder" \
        "4 2 A B C D|6 shards in 4 folders: the file survives the loss of any 1 folder" \
        "4 3 A B C D E F|7 shards in 6 folders: the file survives the loss of any 2 folders" \
        "1 1 A B|2 shards in 2 folders: the file survives the loss of any 1 folder"
    for row in "$@"; do
        case=${row%|*}
        folders=${case#* * }
        rest=${case#* }
        expect 0 "$PERMXOR" encode -f -k ${case%% *} -m ${rest%% *} $(outputs $folders) f
        [ "$(cat out)" = "${row#*|}" ] || says out "${row#*|}"
        expect 0 "$PERMXOR" verify $folders
        says out "${row#*|}"
        expect 0 "$PERMXOR" encode -f -q -k ${case%% *} -m ${rest%% *} $(outputs $folders) f
        [ ! -s out ]
        rm -r $seven
        mkdir $seven
    done
}

test_folders_on_two_file_systems() {
    other=$(mktemp -d /dev/shm/permxor-cli.XXXXXX) || cannot "no /dev/shm"
    trap 'rm -rf "$other"' EXIT
    [ "$(stat -c %d "$other")" != "$(stat -c %d .)" ] || cannot "/dev/shm is the same file system"
    data 20000 f
    mkdir A B C
    expect 0 "$PERMXOR" encode -k 1 -m 1 --cell 64 -o A -o "$other" f
    [ ! -s err ]
    says out "2 shards in 2 folders: the file survives the loss of any 1 folder"
    rm "$other"/*
    expect 0 "$PERMXOR" repair "$other" A
    [ "$(echo A/*)" = A/f.000.pxr ] && [ -e "$other/f.001.pxr" ]
    expect 0 "$PERMXOR" encode -f -k 2 -m 2 --cell 64 -o A -o "$other" -o B -o C f
    says err "A, B and 1 more are on the same file system"
    rm "$other"/*
    expect 0 "$PERMXOR" encode -f -k 2 -m 2 --cell 64 -o "$other" -o B -o C f
    says err "B and C are on the same file system: if this is one disk, its failure loses both"
}

test_folders_that_make_no_sense() {
    data 2000 f
    mkdir A B C
    ln -s A D
    for again in A ./A "$PWD/A" D; do
        expect 2 "$PERMXOR" encode -o A -o B -o $again f
        says err "--output: A and $again are the same folder"
    done
    expect 2 "$PERMXOR" encode -k 1 -m 1 -o A -o B -o C f
    says err "3 folders are too many for 2 shards"
    expect 3 "$PERMXOR" encode -o A -o nowhere f
    says err "nowhere/f.001.pxr: cannot create"
    expect 2 "$PERMXOR" decode -o A -o B C
    says err "decode: --output: give it only once"
    expect 2 "$PERMXOR" tune -o A -o B
    says err "tune: --output: give it only once"
    expect 2 "$PERMXOR" encode $(seq -f '-o d%g' 257) f
    says err "--output: given more than 256 times"
    for folder in A B C; do
        empty $folder
    done
}

# Without --force, encode writes no shard among the shards of another set.  With --force, it
# removes all shards of the other set.
test_folders_of_another_set() {
    data 3000 f
    mkdir A B C
    expect 0 "$PERMXOR" encode -o A -o B -o C f
    rm A/f.000.pxr A/f.003.pxr
    expect 3 "$PERMXOR" encode -o C -o A f
    says err "already exists; use --force to replace it"
    [ "$(echo A/*)" = "A/f.006.pxr A/f.009.pxr A/f.012.pxr" ]
    echo mine >B/f.100.pxr
    expect 0 "$PERMXOR" encode -f -k 4 -m 2 -o C -o B -o A f
    [ "$(echo A/* B/* C/*)" = "A/f.002.pxr A/f.005.pxr B/f.001.pxr B/f.004.pxr B/f.100.pxr \
C/f.000.pxr C/f.003.pxr" ]
    expect 0 "$PERMXOR" decode -o g A B C
    cmp f g
    tidy
}

# ------------------------------------------------------------------- repair --

# New disks have the paths of the old ones.  The order of the folders does not matter.
test_two_disks_replaced() {
    seven_disks
    for order in "$seven" "G F E D C B A" "D F A G C E B"; do
        for lost in "A B" "F G" "A G" "C D"; do
            echo "$lost lost of $order"
            for folder in $lost; do
                rm $folder/*
            done
            expect 1 "$PERMXOR" verify $order
            says out "10 shards in 5 folders: the loss of one folder can lose the file"
            says out "use 'permxor repair' to heal it"
            expect 0 "$PERMXOR" repair $order
            as_they_were $seven
            expect 0 "$PERMXOR" verify $order
            says out "14 shards in 7 folders: the file survives the loss of any 2 folders"
        done
    done
}

test_new_disks_for_lost_ones() {
    seven_disks
    rm -r F G
    expect 1 "$PERMXOR" verify $seven
    says out "shard 005: missing: no folder is given for its disk; use 'permxor repair --output=DIR'"
    says out "use 'permxor repair --output=DIR' to heal it"
    [ "$(grep -c 'no folder is given' out)" = 4 ]
    expect 3 "$PERMXOR" repair $seven
    as_they_were A B C D E
    mkdir F G
    expect 0 "$PERMXOR" repair E D C B A -o F -o G
    as_they_were $seven
}

# A deleted shard is restored on its own disk, beside the disk's other shard, and not on the new
# disk.
test_new_disk_and_a_deleted_shard() {
    seven_disks
    rm -r F C/f.002.pxr
    mkdir F
    expect 0 "$PERMXOR" repair A B C D E G -o F
    as_they_were $seven
    # The same, but the shards are named one by one.
    rm F/* C/f.009.pxr
    expect 0 "$PERMXOR" repair A/* B/* C/* D/* E/* G/* -o F
    as_they_were $seven
}

test_one_new_disk_for_two() {
    seven_disks
    rm -r B E
    mkdir new newer
    expect 3 "$PERMXOR" repair A C D F G -o new
    says err "shard 004: not written: no folder is given for its disk; use --output=DIR to give one"
    says err "shard 011: not written"
    same_files new was/B
    expect 1 "$PERMXOR" verify A C D F G new
    says out "12 shards in 6 folders: the file survives the loss of any 1 folder"
    expect 0 "$PERMXOR" repair A C D F G new -o newer
    same_files newer was/E
    as_they_were A C D F G
    expect 2 "$PERMXOR" repair $seven -o new -o ./new
    says err "repair: --output: new and ./new are the same folder"
}

# A shard in a wrong folder, or a copy of shards in another folder, does not confuse repair.
test_stray_shards() {
    seven_disks
    mkdir backup
    cp was/?/f.000.pxr was/?/f.00[12].pxr backup
    mv B/f.008.pxr A/stray.pxr
    rm F/* G/*
    expect 0 "$PERMXOR" repair $seven backup
    as_they_were C D E F G
    rm A/stray.pxr
    expect 0 "$PERMXOR" repair backup $seven
    as_they_were $seven
}

# If a set was moved into one folder, missing shards are restored there.
test_gathered_set() {
    seven_disks
    mkdir s t all
    cp [A-G]/*.pxr s
    cp [A-G]/*.pxr all
    rm s/f.003.pxr s/f.011.pxr
    expect 1 "$PERMXOR" verify s
    says out "use 'permxor repair' to heal it"
    [ "$(grep -c folder out)" = 0 ]
    expect 0 "$PERMXOR" repair s
    same_files s all
    rm s/f.003.pxr s/f.011.pxr
    expect 0 "$PERMXOR" repair -o t s
    [ "$(echo t/*)" = "t/f.003.pxr t/f.011.pxr" ]
}

# The set was encoded into one folder.  Then each shard was moved to a disk of its own.
test_disks_not_recorded() {
    data 5000 f
    mkdir s 0 1 2 3 4 5 new
    "$PERMXOR" encode -k 4 -m 2 -o s f
    for i in 0 1 2 3 4 5; do
        cp s/f.00$i.pxr $i
    done
    rm 1/* 4/*
    expect 1 "$PERMXOR" verify 0 1 2 3 4 5
    says out "4 shards in 4 folders: the loss of one folder can lose the file"
    expect 0 "$PERMXOR" repair 0 1 2 3 4 5
    for i in 0 1 2 3 4 5; do
        cmp s/f.00$i.pxr $i/f.00$i.pxr
    done
    # Two shards are on one disk.  The lost shard goes to the disk that has fewer shards.
    mv 5/f.005.pxr 4
    rm 3/f.003.pxr
    expect 0 "$PERMXOR" repair 0 1 2 4 3
    cmp s/f.003.pxr 3/f.003.pxr
    # With --output, all lost shards go there.
    rm 3/* 2/*
    expect 0 "$PERMXOR" repair 0 1 2 3 4 -o new
    [ "$(echo new/*)" = "new/f.002.pxr new/f.003.pxr" ]
}

# A shard that a killed command left in a folder under a temporary name stays in this folder.
test_hidden_shard_stays_on_its_disk() {
    seven_disks
    mv F/f.005.pxr F/.permxor-0000000000000000.tmp
    rm F/f.012.pxr G/*
    expect 0 "$PERMXOR" repair G F E D C B A
    as_they_were $seven
}

# If a file is in the place of a shard, the shard does not go to another disk.
test_in_the_way_on_its_disk() {
    seven_disks
    rm F/* G/*
    echo mine >F/f.005.pxr
    expect 1 "$PERMXOR" verify $seven
    says out "shard 005: missing: F/f.005.pxr is in its place; use 'permxor repair --force'"
    expect 3 "$PERMXOR" repair $seven
    says err "F/f.005.pxr: already exists; use --force to replace it"
    [ "$(cat F/f.005.pxr)" = mine ]
    as_they_were A B C D E G
    expect 0 "$PERMXOR" repair -f $seven
    as_they_were $seven
}

# ------------------------------------------------------------------- verify --

test_folders_that_may_be_lost_as_things_are() {
    seven_disks
    mkdir backup links
    # The worst stripe counts.  Two shards have a bad cell in the same stripe.
    flip A/f.000.pxr "$(cell 3)"
    flip B/f.001.pxr "$(cell 3)"
    expect 1 "$PERMXOR" verify -q $seven
    says out "14 shards in 7 folders: the file survives the loss of any 1 folder"
    flip C/f.002.pxr "$(cell 3)"
    expect 1 "$PERMXOR" verify $seven
    says out "14 shards in 7 folders: the loss of one folder can lose the file"
    expect 0 "$PERMXOR" repair $seven
    as_they_were $seven
    # If a shard has a copy elsewhere, it is not lost with one folder.
    cp ./[A-G]/*.pxr backup
    expect 0 "$PERMXOR" verify $seven backup
    says out "14 shards in 8 folders: the file survives the loss of any 1 folder"
    expect 0 "$PERMXOR" verify A B backup
    says out "14 shards in 3 folders: the loss of one folder can lose the file"
    # A damaged copy does not count.
    flip backup/f.000.pxr "$(cell 3)"
    mv B/f.001.pxr B/f.008.pxr C/*.pxr A
    expect 0 "$PERMXOR" verify $seven backup
    says out "14 shards in 6 folders: the file survives the loss of any 1 folder"
    for shard in 1 2 7 8 9; do
        flip backup/f.00$shard.pxr "$(cell 3)"
    done
    expect 0 "$PERMXOR" verify $seven backup
    says out "14 shards in 6 folders: the loss of one folder can lose the file"
    mv A/f.00[18].pxr B
    mv A/f.00[29].pxr C
    # A symbolic link is lost with its target.
    for shard in [A-G]/*.pxr; do
        ln -s ../$shard links
    done
    expect 0 "$PERMXOR" verify links
    says out "14 shards in 7 folders: the file survives the loss of any 2 folders"
}
