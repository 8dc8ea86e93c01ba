# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests of repair in place, and of its journal.

inodes() { # DIRECTORY
    stat -c '%n %i' "$1"/*
}

# -------------------------------------------------------------- repair in place --

test_heal_in_place() {
    small_set
    ln s/f.001.pxr other
    chmod 640 s/f.001.pxr
    inodes s >before
    flip s/f.001.pxr "$(cell 3)"
    flip s/f.004.pxr "$(cell 3)"
    expect 0 "$PERMXOR" repair s
    says out "shard 001: $(pwd -P)/s/f.001.pxr: 1 corrupt cells, healed in place"
    says out "shard 004: $(pwd -P)/s/f.004.pxr: 1 corrupt cells, healed in place"
    same_files s o
    inodes s | cmp - before
    cmp other o/f.001.pxr
    [ "$(stat -c %a s/f.001.pxr)" = 640 ]
    tidy
}

test_heal_ends_in_place() {
    small_set
    cp s/f.000.pxr s/keep
    inodes s >before
    flip s/f.000.pxr 3
    flip s/f.001.pxr $(($(size s/f.001.pxr) - 1))
    truncate -s -100 s/f.002.pxr
    flip s/f.003.pxr 20
    flip s/f.003.pxr $(($(size s/f.003.pxr) - 400))
    flip s/f.003.pxr "$(cell 6)"
    echo junk >>s/f.004.pxr
    truncate -s -513 s/f.005.pxr
    expect 0 "$PERMXOR" repair s
    says out "f.000.pxr: damaged header, healed in place"
    says out "f.001.pxr: damaged trailer, healed in place"
    says out "f.002.pxr: damaged trailer, cut short, healed in place"
    says out "f.003.pxr: damaged header, damaged trailer, 1 corrupt cells, healed in place"
    says out "f.004.pxr: damaged trailer, bytes after the end, healed in place"
    says out "f.005.pxr: damaged trailer, cut short, 1 corrupt cells, healed in place"
    inodes s | cmp - before
    rm s/keep
    same_files s o
    tidy
}

# If more than an eighth of the cells are bad, the shard is written anew.  The command finds the
# bad cells while it reads the shard, or it finds at once that the shard is too short.
test_heal_whole() {
    small_set
    inodes s >before
    flip s/f.001.pxr "$(cell 2)"
    flip s/f.001.pxr "$(cell 6)"
    truncate -s 800 s/f.004.pxr
    expect 0 "$PERMXOR" repair s
    says out "f.001.pxr: 2 corrupt cells, healed"
    says out "f.004.pxr: damaged trailer, cut short, 5 corrupt cells, healed"
    [ "$(grep -c "in place" out)" = 0 ]
    same_files s o
    [ "$(inodes s | diff - before | grep -c '^<')" = 2 ]
    tidy
}

# If only the owner may write a shard, another user heals it as a whole, in a folder that all
# users may write.
test_heal_read_only_shard() {
    unprivileged "$PERMXOR" --version || cannot "no unprivileged user can run the command"
    small_set
    chmod 777 . s
    chmod 444 s/*
    flip o/f.001.pxr "$(cell 2)"
    cp -f o/f.001.pxr s/f.001.pxr # only root could write into it
    flip o/f.001.pxr "$(cell 2)"
    chmod 444 s/f.001.pxr
    expect 0 unprivileged "$PERMXOR" repair s
    says out "f.001.pxr: 1 corrupt cells, healed"
    [ "$(grep -c "in place" out)" = 0 ]
    same_files s o
    tidy
}

# Cells that cannot be healed stay as they are, while another cell of the shard is healed.
test_heal_in_place_what_can_be() {
    small_set
    for shard in 0 1 4; do
        flip s/f.00$shard.pxr "$(cell 5)"
    done
    cp -rp s damaged
    flip s/f.001.pxr "$(cell 6)"
    inodes s >before
    expect 4 "$PERMXOR" repair s
    says out "f.001.pxr: 2 corrupt cells, healed in place except 1 cells"
    same_files s damaged
    inodes s | cmp - before
    tidy
}

# Repair in place works on a disk that has no room for another shard.
test_heal_on_full_disk() {
    unshare -m true 2>/dev/null || cannot "no mount namespace for a small file system"
    data 3000000 f
    mkdir s
    # shellcheck disable=SC2016
    expect 0 unshare -m sh -c '
        mount -t tmpfs -o size=5m none s || { echo "no right to mount"; exit; }
        set -e
        spoil() { printf spoilt | dd of=s/f.001.pxr bs=1 seek=$1 conv=notrunc; }
        "$0" encode -k 2 -m 1 --cell 64K -o s f
        spoil 700000
        "$0" repair s
        "$0" verify s
        spoil 70000
        spoil 700000
        spoil 1000000
        status=0
        "$0" repair s || status=$?
        echo "three cells: status $status"' "$PERMXOR"
    grep -q "no right to mount" out && cannot "no right to mount"
    says out "f.001.pxr: 1 corrupt cells, healed in place"
    says out "no damage"
    says out "three cells: status 3"
    says err "No space left on device"
}

# What is on a disk that is full or read-only stays as it is.  Shards on other disks are healed.
test_heal_beside_a_bad_disk() {
    unshare -m true 2>/dev/null || cannot "no mount namespace for a small file system"
    data 3000000 f
    mkdir a b bad
    # shellcheck disable=SC2016
    expect 0 unshare -m sh -c '
        mount -t tmpfs -o size=3m none bad || { echo "no right to mount"; exit; }
        set -e
        spoil() { printf spoilt | dd of=$1 bs=1 seek=$2 conv=notrunc; }
        try() {
            rm a/f.000.pxr
            spoil b/f.001.pxr 700000
            status=0
            "$0" repair a b bad || status=$?
            echo "$1: status $status"
            cmp a/f.000.pxr before/f.000.pxr
            cmp b/f.001.pxr before/f.001.pxr
        }
        "$0" encode -k 2 -m 4 --cell 64K -o a -o b -o bad f
        mkdir before
        cp a/f.000.pxr b/f.001.pxr before
        spoil bad/f.002.pxr 700000
        rm bad/f.005.pxr
        head -c 3m /dev/zero >bad/full || true
        try full
        mount -o remount,ro bad
        try read-only' "$PERMXOR"
    grep -q "no right to mount" out && cannot "no right to mount"
    says out "full: status 3"
    says out "read-only: status 3"
    says err "bad/f.005.pxr: cannot write: No space left on device"
    says err "bad/f.005.pxr: cannot create: Read-only file system"
    says err "bad/f.002.pxr: left as it is (1 corrupt cells): the system does not let it be"
}

# The shards are in the lower layer of an overlay, as those in the image of a container are.
test_heal_in_an_overlay() {
    unshare -m true 2>/dev/null || cannot "no mount namespace for an overlay"
    small_set
    flip s/f.001.pxr "$(cell 2)"
    cp -rp s damaged
    mkdir top all
    # shellcheck disable=SC2016
    expect 0 unshare -m sh -c '
        mount -t tmpfs none top && mkdir top/upper top/work &&
            mount -t overlay -o lowerdir=s,upperdir=top/upper,workdir=top/work none all ||
            { echo "no right to mount"; exit; }
        set -e
        "$0" repair all
        diff -r all o' "$PERMXOR"
    grep -q "no right to mount" out && cannot "no right to mount"
    says out "f.001.pxr: 1 corrupt cells, healed in place"
    same_files s damaged
}

# ------------------------------------------------------------------ interrupted --

# Makes a set of 4+2 shards in ./s with 10 stripes and cells of 1024 bytes.
block_set() {
    data 40000 f
    mkdir s
    "$PERMXOR" encode -k 4 -m 2 --cell 1024 -o s f
    cp -rp s o
}

spoil_file() { # FILE STRIPE: damages a cell of such a set
    flip "$1" $((512 + $2 * 1040 + 500))
}

spoil() { # SHARD STRIPE
    spoil_file "s/f.00$1.pxr" "$2"
}

# killed_repair PART: repairs ./s, but the repair is killed when it syncs a file whose path
# contains PART.
killed_repair() {
    need_shim
    expect 137 with_fault die-fsync "$1" "$PERMXOR" repair s
}

the_journal() {
    find s -name '.permxor-*.journal'
}

test_interrupted_repair() {
    block_set
    spoil 1 3
    killed_repair f.001.pxr
    [ -n "$(the_journal)" ]
    [ "$(stat -c %a "$(the_journal)")" = 600 ]
    for command in verify info "decode -o -"; do
        # shellcheck disable=SC2086
        "$PERMXOR" $command s >out 2>err
        says err "s/f.001.pxr: a repair was interrupted; use 'permxor repair' to complete it"
    done
    cmp out f
    spoil 1 3
    expect 0 "$PERMXOR" repair s
    says out "shard 001: s/f.001.pxr: completed an interrupted repair"
    same_files s o
    tidy
    expect 0 "$PERMXOR" repair s
    says out "no damage"
}

# The journal's shard was replaced by a shard of another set with the same name.
test_journal_of_a_replaced_set() {
    block_set
    spoil 1 3
    killed_repair f.001.pxr
    data 39000 g
    expect 0 "$PERMXOR" encode -f -k 4 -m 2 --cell 1024 --name f -o s g
    [ -z "$(the_journal)" ]
    flip s/f.001.pxr 20
    flip s/f.001.pxr $(($(size s/f.001.pxr) - 400))
    expect 0 "$PERMXOR" repair s
    expect 0 "$PERMXOR" decode -o h s
    cmp g h
}

# encode --force replaces the set while a repair waits for the lock of the folder.
test_journal_of_a_set_replaced_meanwhile() {
    command -v flock >/dev/null || cannot "no flock"
    [ -r /proc/locks ] || cannot "no /proc/locks"
    block_set
    spoil 1 3
    killed_repair f.001.pxr
    data 39000 g
    mkdir new
    "$PERMXOR" encode -k 4 -m 2 --cell 1024 --name f -o new g
    exec 9<s
    flock -n 9
    "$PERMXOR" repair s >out 2>err 9>&- &
    pid=$!
    tries=0
    while ! grep -q -e "-> FLOCK .* WRITE $pid " /proc/locks && [ $tries -lt 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    rm "$(the_journal)"
    cp new/* .
    mv f.*.pxr s
    exec 9<&-
    wait $pid
    same_files s new
}

# The new set has no shard 5.
test_journal_of_a_removed_shard() {
    block_set
    spoil 5 3
    killed_repair f.005.pxr
    [ -n "$(the_journal)" ]
    expect 0 "$PERMXOR" encode -f -k 2 -m 1 -o s f
    absent s/f.005.pxr
    tidy
}

# If one disk cannot be written, the other shards are healed.
test_interrupted_repair_on_a_bad_disk() {
    block_set
    spoil 1 3
    killed_repair f.001.pxr
    spoil 1 3
    rm s/f.004.pxr
    expect 0 with_fault write f.001.pxr "$PERMXOR" repair s
    says err "s/f.001.pxr: cannot complete the interrupted repair"
    same_files s o
    tidy
}

# The journals have the only copies of two cells.  In the meantime the shards became read-only.
test_interrupted_repair_of_a_read_only_shard() {
    unprivileged "$PERMXOR" --version || cannot "no unprivileged user can run the command"
    need_shim
    block_set
    chmod 777 . s
    chown -R 65534 s 2>/dev/null || true
    spoil 1 3
    spoil 4 3
    expect 137 with_fault die-fsync f.001.pxr unprivileged "$PERMXOR" repair s
    spoil 0 3
    spoil 5 3
    chmod 444 s/*.pxr
    expect 0 unprivileged "$PERMXOR" repair s
    says out "shard 001: s/f.001.pxr: completed an interrupted repair"
    same_files s o
    tidy
}

# The shard of the journal is lost.  The new one gets what the journal has.
test_interrupted_repair_of_a_lost_shard() {
    block_set
    spoil 1 3
    spoil 4 3
    killed_repair f.001.pxr
    rm s/f.001.pxr
    spoil 0 3
    spoil 5 3
    expect 4 "$PERMXOR" repair s
    says out "s/f.001.pxr: was missing, written except 1 cells"
    says err "s/f.001.pxr: a repair was interrupted; use 'permxor repair' again to complete it"
    expect 0 "$PERMXOR" repair s
    says out "shard 001: s/f.001.pxr: completed an interrupted repair"
    same_files s o
    tidy
}

# A repair of one set leaves the interrupted repair of another one alone.
test_interrupted_repair_of_another_set() {
    block_set
    data 40000 g
    "$PERMXOR" encode -k 4 -m 2 --cell 1024 -o s g
    id=$("$PERMXOR" info s/g.000.pxr | sed -n 's/^  set  *//p')
    spoil 1 3
    need_shim
    expect 137 with_fault die-fsync f.001.pxr "$PERMXOR" repair s/f.*
    rm s/g.005.pxr
    expect 0 with_fault fsync f.001.pxr "$PERMXOR" repair --set "$id" s
    says out "shard 005: s/g.005.pxr: was missing, written"
    silent err "may not be on the disk yet"
    [ -n "$(the_journal)" ]
    rm s/g.*
    expect 0 "$PERMXOR" repair s
    says out "shard 001: s/f.001.pxr: completed an interrupted repair"
    same_files s o
    tidy
}

# The shard has all bytes that had to be written, but they may not be on the disk.  So the
# repair fails, and only another repair ends with success.
test_interrupted_repair_not_synced() {
    block_set
    spoil 1 3
    killed_repair f.001.pxr
    expect 3 with_fault fsync f.001.pxr "$PERMXOR" repair s
    says err "s/f.001.pxr: cannot complete the interrupted repair"
    says err "shard 001: reads correctly, but may not be on the disk yet"
    expect 0 "$PERMXOR" repair s
    says out "shard 001: s/f.001.pxr: completed an interrupted repair"
    same_files s o
    tidy
}

# The blocks that were being written are destroyed.  They also had good cells, of a stripe that
# cannot lose another cell.
test_torn_neighbours() {
    block_set
    spoil 1 3
    spoil 4 3
    spoil 2 2
    spoil 5 2
    killed_repair f.001.pxr
    head -c 8192 /dev/urandom | dd of=s/f.001.pxr conv=notrunc 2>/dev/null
    expect 4 "$PERMXOR" verify s
    says err "a repair was interrupted"
    expect 4 "$PERMXOR" decode -o g s
    expect 0 "$PERMXOR" repair s
    says out "shard 001: s/f.001.pxr: completed an interrupted repair"
    same_files s o
    tidy
}

# The command finds the journal if only the shards are given, and also through a link.
test_interrupted_repair_of_a_file() {
    block_set
    mkdir t
    mv s/f.001.pxr t/g
    ln -s ../t/g s/f.001.pxr
    spoil 1 3
    killed_repair t/g
    expect 0 "$PERMXOR" repair s/*
    says out "shard 001: s/f.001.pxr: completed an interrupted repair"
    cmp t/g o/f.001.pxr
    tidy
}

# The shard has no header, no trailer and not its usual name.  The command recognises it by its
# cells.
test_interrupted_repair_without_header() {
    block_set
    mv s/f.001.pxr s/g.pxr
    spoil_file s/g.pxr 3
    killed_repair s/g.pxr
    head -c 4096 /dev/zero | dd of=s/g.pxr conv=notrunc 2>/dev/null
    head -c 512 /dev/zero | dd of=s/g.pxr seek=$(($(size s/g.pxr) - 512)) bs=1 conv=notrunc
    expect 0 "$PERMXOR" repair s
    says out "shard 001: s/g.pxr: completed an interrupted repair"
    cmp s/g.pxr o/f.001.pxr
    tidy
}

# A repair was killed before the journal had any content.  The next repair removes the journal
# and starts again.
test_void_journal() {
    block_set
    spoil 1 3
    cp -rp s before
    killed_repair .journal
    cmp s/f.001.pxr before/f.001.pxr
    [ -n "$(the_journal)" ]
    expect 1 "$PERMXOR" verify s
    [ ! -s err ]
    expect 0 "$PERMXOR" repair s
    same_files s o
    tidy
}

# If a journal is older than the shard beside it, it changes no good cell.
test_stale_journal() {
    block_set
    spoil 1 3
    spoil 4 4
    spoil 4 5
    killed_repair f.001.pxr
    cp o/f.00[14].pxr s
    expect 0 "$PERMXOR" repair s
    same_files s o
    tidy
}

# If a journal is damaged or belongs to another shard, the command names it and leaves it alone.
# Then it heals the shard as a whole.
test_foreign_journal() {
    block_set
    spoil 1 3
    killed_repair f.001.pxr
    journal=$(the_journal)
    cp "$journal" kept
    cp o/f.001.pxr s
    for offset in 9 20 100 545 560 600 3000; do
        echo "offset $offset"
        cp kept "$journal"
        flip "$journal" $offset
        spoil 1 3
        "$PERMXOR" verify s >out 2>err || [ $? = 1 ]
        expect 0 "$PERMXOR" repair s
        says err "not used: this journal is damaged, or does not belong to $(pwd -P)/s/f.001.pxr"
        says out "f.001.pxr: 1 corrupt cells, healed"
        [ "$(grep -c "in place" out)" = 0 ]
        absent "$journal"
        cp o/f.001.pxr s
    done
    cp kept "$journal"
    cp o/f.002.pxr s/f.001.pxr
    mv s/f.002.pxr s/x.pxr
    cp o/f.001.pxr s/f.002.pxr
    rm s/x.pxr
    expect 0 "$PERMXOR" verify s
    [ ! -s err ]
    expect 0 "$PERMXOR" repair s
    says err "not used: this journal"
    cmp s/f.001.pxr o/f.002.pxr
    cmp "$journal" kept
}

# While the repair that made a journal is running, another repair ends, and commands that only
# read do not mention the journal.
test_repair_at_work() {
    command -v flock >/dev/null || cannot "no flock"
    block_set
    spoil 1 3
    killed_repair f.001.pxr
    spoil 1 3
    cp -rp s before
    exec 9<>"$(the_journal)"
    flock -n 9
    expect 3 "$PERMXOR" repair s 9>&-
    says err "s/f.001.pxr: another 'permxor repair' is working on this shard"
    same_files s before
    expect 1 "$PERMXOR" verify s 9>&-
    [ ! -s err ]
    exec 9>&-
    expect 0 "$PERMXOR" repair s
    same_files s o
}

# After a signal there is no journal, and no shard has changed.  On a busy machine the signal may
# come when the journal is complete and the shard is being written.  Then the journal stays, and
# the next repair goes on with it.
test_signal_in_repair_in_place() {
    env --default-signal=TERM true || cannot "env cannot reset signals"
    data 8000000 f
    mkdir s
    "$PERMXOR" encode -k 4 -m 2 --cell 64 --no-sync -o s f
    cp s/f.001.pxr whole
    flip s/f.001.pxr "$(cell 2)"
    cp s/f.001.pxr before
    "$PERMXOR" repair -j 1 s >repaired 2>repair.err &
    pid=$!
    tries=0
    while [ -z "$(the_journal)" ] && [ $tries -lt 2000 ]; do
        tries=$((tries + 1))
    done
    kill -TERM $pid
    status=0
    wait $pid || status=$?
    [ $status = 143 ] || cannot "repair was too fast for the signal"
    if [ -z "$(the_journal)" ]; then
        cmp s/f.001.pxr before
    else
        expect 0 "$PERMXOR" repair s
        cmp s/f.001.pxr whole
    fi
    tidy
}
