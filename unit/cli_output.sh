# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests of how output files get their names, also on file systems that
# fail.  unit/cli_shim.c simulates these.

# -------------------------------------------------------------------- writing --

# A write that transfers no byte is an error.
test_write_of_nothing() {
    need_shim
    data 5000 f
    mkdir s
    expect 3 with_fault write-0 none "$PERMXOR" encode -o s f
    says err "cannot write: Input/output error"
    empty s
    "$PERMXOR" encode -o s f
    expect 3 with_fault write-0 none "$PERMXOR" decode -o g s
    says err "g: cannot write: Input/output error"
    absent g
}

# ---------------------------------------------------------- errors at the end --

# Without a sync, an error may be reported only when a file is closed.  Then no output file
# appears.
test_error_at_close() {
    need_shim
    small_set
    mkdir d
    expect 3 with_fault close .permxor- "$PERMXOR" encode --no-sync -o d f
    says err "cannot write: Input/output error"
    empty d
    expect 3 with_fault close .permxor- "$PERMXOR" decode --no-sync -o d/g s
    says err "d/g: cannot write: Input/output error"
    empty d
}

# If standard output is a file on a disk, the data are on the disk when the command ends.
test_error_at_sync_of_stream() {
    need_shim
    small_set
    status=0
    with_fault fsync /target "$PERMXOR" decode -o - s >target 2>err || status=$?
    [ "$status" = 3 ]
    says err "standard output: cannot write: Input/output error"
    with_fault fsync /target "$PERMXOR" decode --no-sync -o - s >target
    cmp f target
    "$PERMXOR" decode -o - s | cmp f -
}

# If the new names cannot be synced to the disk, they are removed, and the old files stay.
test_error_at_sync_of_folder() {
    need_shim
    small_set
    mkdir empty
    expect 3 with_fault fsync-dir none "$PERMXOR" encode -o empty f
    empty empty
    data 3000 f
    expect 3 with_fault fsync-dir none "$PERMXOR" encode -f -k 4 -m 2 -o s f
    says err "cannot write: Input/output error"
    same_files s o
    expect 0 with_fault fsync-dir none "$PERMXOR" encode -f --no-sync -k 4 -m 2 -o s f
}

# --------------------------------------------------------------------- modes --

# While a file is being written, other users cannot read it, with any umask.
test_private_while_written() {
    umask 000
    start_encoding "$PERMXOR" encode
    modes=$(find d -type f -exec stat -c %a {} + | sort -u)
    exec 3>&-
    wait $pid
    echo "$modes"
    [ "$modes" = 600 ]
    [ "$(stat -c %a d/*.pxr | sort -u)" = 666 ]
}

# If another user repairs the shards, they do not get that user's group.
test_group_of_repairer() {
    [ "$(id -u)" = 0 ] || cannot "only root can give files away"
    unprivileged "$PERMXOR" --version || cannot "no unprivileged user can run the command"
    small_set
    chown 1:1 s/*
    chmod 777 . s
    chmod 644 s/*
    flip s/f.001.pxr "$(cell 3)"
    flip s/f.002.pxr "$(cell 4)"
    chmod 664 s/f.001.pxr
    expect 0 unprivileged "$PERMXOR" repair s
    [ "$(stat -c %u:%g:%a s/f.001.pxr)" = 65534:65534:644 ]
    flip s/f.003.pxr "$(cell 3)"
    flip s/f.003.pxr "$(cell 5)"
    chmod 660 s/f.003.pxr
    expect 0 setpriv --reuid=65534 --regid=65534 --groups=1 "$PERMXOR" repair s
    [ "$(stat -c %u:%g:%a s/f.003.pxr)" = 65534:1:660 ]
}

# ------------------------------------------------------- poor file systems --

# The file system has no flags of rename and no hard links.
test_no_rename_flags() {
    need_shim
    small_set
    mkdir d
    expect 0 with_fault no-flags none "$PERMXOR" encode -k 4 -m 2 --cell 64 -o d f
    expect 0 with_fault no-flags none "$PERMXOR" encode -f -k 4 -m 2 --cell 64 -o d f
    expect 0 "$PERMXOR" decode -o g d
    cmp f g
    flip s/f.001.pxr "$(cell 3)"
    expect 0 with_fault no-flags none "$PERMXOR" repair s
    same_files s o
    expect 3 with_fault no-flags none "$PERMXOR" encode -o d f
    tidy
}

# The file system renames instead of exchanging two files, so the old file is gone afterwards.
test_exchange_that_renames() {
    need_shim
    small_set
    expect 0 with_fault no-swap none "$PERMXOR" encode -f -k 4 -m 2 --cell 64 -o s f
    expect 0 "$PERMXOR" decode -o g s
    cmp f g
    tidy
}

# ------------------------------------------------------- commands at once --

# stop_repair: starts a repair of ./s, and stops it when there are temporary files.  The cells
# are many and small, so there is time to stop it.
stop_repair() {
    "$PERMXOR" repair -j 1 s >repaired 2>repair.err &
    pid=$!
    tries=0
    while [ -z "$(find s -name '.permxor-*')" ] && [ $tries -lt 2000 ]; do
        tries=$((tries + 1))
    done
    kill -STOP $pid
    [ -n "$(find s -name '.permxor-*')" ] && return
    kill -CONT $pid
    cannot "repair was too fast to be stopped"
}

resume_repair() {
    kill -CONT $pid
    status=0
    wait $pid || status=$?
    cat repair.err
    [ "$status" = "$1" ]
}

# If a set is replaced while it is repaired, the new set survives.
test_repair_of_a_set_replaced_meanwhile() {
    data 8000000 f
    mkdir s
    "$PERMXOR" encode -k 4 -m 2 --cell 64 --no-sync -o s f
    for shard in 1 4; do
        head -c 600 s/f.00$shard.pxr >"cut"
        cp cut s/f.00$shard.pxr
    done
    stop_repair
    data 5000 f
    expect 0 "$PERMXOR" encode -f -k 4 -m 2 -o s f
    resume_repair 3
    says repair.err "changed while the command ran"
    expect 0 "$PERMXOR" verify s
    expect 0 "$PERMXOR" decode -o g s
    cmp f g
    tidy
}

# If a shard that needs no repair changes during a repair, the repair fails and writes nothing.
test_repair_beside_a_changed_shard() {
    data 8000000 f
    mkdir s
    "$PERMXOR" encode -k 4 -m 2 --cell 64 --no-sync -o s f
    rm s/f.001.pxr
    stop_repair
    touch s/f.003.pxr
    resume_repair 3
    says repair.err "s/f.003.pxr: changed while the command ran"
    absent s/f.001.pxr
    tidy
}

# If two commands replace the same set, all shards are from one of the two.
test_two_sets_at_once() {
    data 3000 f
    mkdir s
    "$PERMXOR" encode -k 60 -m 40 --no-sync -o s f
    for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        "$PERMXOR" encode -f -k 60 -m 40 --no-sync -o s f 2>first.err &
        first=$!
        "$PERMXOR" encode -f -k 60 -m 40 --no-sync -o s f 2>second.err &
        second=$!
        won=0
        wait $first && won=1
        wait $second && won=1
        cat first.err second.err
        [ $won = 1 ] || { echo "round $round: neither command succeeded"; return 1; }
        expect 0 "$PERMXOR" verify s
        expect 0 "$PERMXOR" decode -f --no-sync -o g s
        cmp f g
        [ "$(ls s | wc -l)" = 100 ]
        tidy
    done
}

# ------------------------------------------------------ remains of older sets --

# If a set has fewer shards than the set that it replaces, no old shard is left.
test_fewer_shards() {
    data 3000 f
    mkdir s other
    "$PERMXOR" encode -k 10 -m 4 -o other f
    "$PERMXOR" encode -k 10 -m 4 -o s f
    "$PERMXOR" encode -k 10 -m 4 -o s --name g f
    cp other/f.012.pxr s
    data 4000 f
    expect 0 "$PERMXOR" encode -f -k 4 -m 2 -o s f
    [ "$(cd s && echo f.*)" = "$(cd s && echo f.00[0-5].pxr f.012.pxr)" ]
    cmp s/f.012.pxr other/f.012.pxr
    [ "$(find s -name 'g.*' | wc -l)" = 14 ]
    expect 0 "$PERMXOR" decode -o h s/f.00*
    cmp f h
}

# The shards of the old set are elsewhere, and the folder has links to them.
test_fewer_shards_than_links() {
    data 3000 f
    mkdir s elsewhere
    "$PERMXOR" encode -k 4 -m 2 -o elsewhere f
    for shard in 0 1 2 3 4 5; do
        ln -s ../elsewhere/f.00$shard.pxr s
    done
    cp -rp elsewhere before
    data 4000 f
    expect 0 "$PERMXOR" encode -f -k 2 -m 1 -o s f
    [ "$(cd s && echo f.*)" = "f.000.pxr f.001.pxr f.002.pxr" ]
    same_files elsewhere before
    expect 0 "$PERMXOR" decode -o - s
    cmp out f
}

id_of() { # SHARD
    "$PERMXOR" info "$1" | sed -n 's/.*set *\([0-9a-f]\{32\}\).*/\1/p'
}

# The command was killed between two renames.  Both sets are there.
test_killed_while_replacing() {
    need_shim
    small_set
    cp f old
    data 3000 f
    expect 137 with_fault kill none "$PERMXOR" encode -f -k 4 -m 2 --cell 64 -o s f
    new=$(id_of s/f.000.pxr)
    first=$(id_of s/f.001.pxr)
    [ "$new" != "$first" ]
    expect 5 "$PERMXOR" decode -o g s
    says err "a command was interrupted: "
    expect 0 "$PERMXOR" decode --set "$first" -o g s
    cmp g old
    expect 0 "$PERMXOR" decode --set "$new" -o h s
    cmp h f
}

# The command was killed when the new shards had their names, and had not removed shards 3 to 5 of
# the old set yet.
test_killed_before_removing() {
    need_shim
    small_set
    expect 137 with_fault die-dir none "$PERMXOR" encode -f -k 2 -m 1 -o s f
    expect 5 "$PERMXOR" verify s
    expect 0 "$PERMXOR" encode -f -k 2 -m 1 -o s f
    [ "$(cd s && echo f.*)" = "f.000.pxr f.001.pxr f.002.pxr" ]
    expect 0 "$PERMXOR" decode -o - s
    cmp out f
}

# A disk fails while shards are replaced, so the first one cannot be put back.  The user gives up.
test_interrupted_on_a_failing_disk() {
    need_shim
    env --default-signal=INT true || cannot "env cannot reset signals"
    small_set
    expect 130 env --default-signal=INT CLI_FAULT=stuck LD_PRELOAD="$SHIM" \
        "$PERMXOR" encode -f -k 4 -m 2 --cell 64 -o s f
    old=$(id_of s/f.001.pxr)
    [ "$(id_of s/f.000.pxr)" != "$old" ]
    cmp s/.permxor-*.tmp o/f.000.pxr
}

# The command was killed before all shards had their names.  Repair completes the work.
test_killed_while_naming() {
    need_shim
    data 3000 f
    mkdir s
    expect 137 with_fault kill none "$PERMXOR" encode -k 4 -m 2 --cell 64 -o s f
    [ "$(ls s)" = f.000.pxr ]
    expect 0 "$PERMXOR" decode -o g s
    cmp f g
    expect 1 "$PERMXOR" verify s
    says out "still under a temporary name"
    expect 0 "$PERMXOR" repair s
    says out "f.003.pxr: was in s/.permxor-"
    [ "$(find s -name 'f.*' | wc -l)" = 6 ]
    tidy
    expect 0 "$PERMXOR" verify s
}

# A repair was killed before the new shard 4 had its name.  The new shard has the only copy of some
# cells, and it is under a temporary name, which users may remove.
test_killed_while_healing() {
    need_shim
    small_set
    for stripe in 1 2 3; do
        flip s/f.001.pxr "$(cell $stripe)"
        flip s/f.004.pxr "$(cell $stripe)"
    done
    expect 137 with_fault kill none "$PERMXOR" repair s
    expect 1 "$PERMXOR" verify s
    says out "shard 004: s/f.004.pxr: 3 corrupt cells"
    for stripe in 1 2 3; do
        flip s/f.002.pxr "$(cell $stripe)"
        flip s/f.005.pxr "$(cell $stripe)"
    done
    expect 0 "$PERMXOR" repair s
    says out "f.004.pxr: 3 corrupt cells, healed"
    find s -name '.permxor-*.tmp' -delete
    same_files s o
}

# Complete shards under temporary names do not disturb another set.  They are not used while
# their writer is running.
test_temporary_shards() {
    command -v flock || cannot "no flock(1)"
    small_set
    data 3000 other
    "$PERMXOR" encode -k 1 -m 1 --name x -o . other
    mv x.000.pxr s/.permxor-0000000000000000.tmp
    expect 0 "$PERMXOR" decode -o g s
    says err "it is of another set, and was left by an interrupted command"
    cmp f g
    mkdir t
    mv s/.permxor-0000000000000000.tmp t
    expect 5 flock t/.permxor-0000000000000000.tmp "$PERMXOR" decode -o - t
    expect 5 flock t "$PERMXOR" decode -o - t
    expect 0 "$PERMXOR" decode -o - t
    cmp out other
}

# A change of the file is detected even if the old time is restored.
test_file_changes_secretly() {
    change_meanwhile 16M sh -c '
        touch -r f time
        printf x | dd of=f conv=notrunc 2>/dev/null
        touch -r time f'
    says err "f: changed while it was read"
}
