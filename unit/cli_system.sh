# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests of existing files, full disks, permissions and signals.

# ----------------------------------------------------------------- overwriting --

test_nothing_overwritten() {
    data 1000 f
    echo old >f.003.pxr
    expect 3 "$PERMXOR" encode f
    says err "f.003.pxr: already exists"
    [ "$(ls)" = "$(printf 'err\nf\nf.003.pxr\nout')" ]
    [ "$(cat f.003.pxr)" = old ]
    tidy
    expect 0 "$PERMXOR" encode --force f
    cp f g
    expect 3 "$PERMXOR" decode f.*.pxr
    says err "f: already exists"
    cmp f g
    echo other >f
    expect 0 "$PERMXOR" decode -f f.*.pxr
    cmp f g
    tidy
}

test_directory_in_the_way() {
    data 1000 f
    mkdir f.003.pxr
    expect 3 "$PERMXOR" encode --force f
    says err "is a directory"
    absent f.000.pxr
    tidy
}

# All shards of an old set that has more shards are in the way, too.
test_old_shards_in_the_way() {
    data 1000 f
    expect 0 "$PERMXOR" encode -k 4 -m 2 f
    rm f.00[0-3].pxr
    expect 3 "$PERMXOR" encode -k 2 -m 1 f
    says err "f.004.pxr: already exists"
    absent f.000.pxr
}

# --force replaces neither the file that is encoded nor the shards that are decoded.
test_force_spares_what_is_read() {
    data 3000 f
    cp f a.000.pxr
    expect 2 "$PERMXOR" encode -f -k 2 -m 1 --name a a.000.pxr
    says err "a.000.pxr: is the file that is encoded"
    cmp f a.000.pxr
    rm a.000.pxr
    expect 0 "$PERMXOR" encode -k 4 -m 2 --name a f
    cp a.005.pxr g
    expect 2 "$PERMXOR" encode -f -k 2 -m 1 --name a a.005.pxr
    says err "a.005.pxr: is the file that is encoded, and belongs to the set"
    expect 2 "$PERMXOR" decode -f -o a.001.pxr a.*
    says err "a.001.pxr: is one of the shards"
    mkdir links
    ln -s ../a.001.pxr links
    expect 2 "$PERMXOR" decode -f -o links/a.001.pxr a.*
    says err "links/a.001.pxr: is one of the shards"
    [ -L links/a.001.pxr ]
    cmp g a.005.pxr
    expect 0 "$PERMXOR" decode -o - .
    cmp f out
    tidy
}

# A device keeps being one.  With these names, standard output is a stream also if it is a file.
test_devices_stay() {
    small_set
    mkfifo pipe
    expect 3 "$PERMXOR" tune -f -o pipe
    says err "pipe: cannot create: it is not a file"
    [ -p pipe ]
    for name in /dev/stdout /dev/fd/1; do
        expect 0 "$PERMXOR" decode -o $name s
        cmp out f
    done
}

test_hidden_file() {
    data 1000 .f
    mkdir s
    expect 0 "$PERMXOR" encode -k 2 -m 1 -o s .f
    rm s/.f.001.pxr
    expect 0 "$PERMXOR" repair s
    expect 0 "$PERMXOR" decode -o g s
    cmp g .f
}

test_missing_directory() {
    data 1000 f
    expect 3 "$PERMXOR" encode -o nowhere f
    says err "nowhere/f.000.pxr: cannot create: No such file or directory"
    expect 3 "$PERMXOR" encode nothing
    says err "nothing: cannot open: No such file or directory"
    mkdir d
    expect 3 "$PERMXOR" encode d
    says err "is a directory"
}

# --------------------------------------------------------------- full and shut --

test_file_size_limit() {
    data 3000000 f
    mkdir s
    expect 3 sh -c 'ulimit -f 100; exec "$@"' sh "$PERMXOR" encode -o s f
    says err "cannot write: File too large"
    empty s
    expect 3 sh -c 'ulimit -f 100; exec "$@"' sh "$PERMXOR" encode -o s --name f - <f
    says err "cannot write: File too large"
    empty s
}

test_full_disk() {
    unshare -m true 2>/dev/null || cannot "no mount namespace for a small file system"
    data 3000000 f
    mkdir s
    for input in "f" "--name f -"; do
        status=0
        unshare -m sh -c '
            mount -t tmpfs -o size=1m none s || exit 77
            "$0" encode -o s $1 <f || status=$?
            echo "left: $(ls -A s)"
            exit $status' "$PERMXOR" "$input" >out 2>err || status=$?
        cat out err
        [ "$status" != 77 ] || cannot "no right to mount"
        [ "$status" = 3 ]
        says err "cannot write: No space left on device"
        grep -qx 'left: ' out
    done
}

test_full_device() {
    [ -c /dev/full ] || cannot "no /dev/full"
    small_set
    expect 3 "$PERMXOR" decode -o /dev/full s
    says err "/dev/full: cannot write: No space left on device"
    "$PERMXOR" decode -o - s >/dev/full 2>err || status=$?
    [ "$status" = 3 ]
    says err "standard output: cannot write"
    "$PERMXOR" verify s >/dev/full 2>err || status=$?
    [ "$status" = 3 ]
    says err "standard output: cannot write"
}

# Runs a command as a user for whom permissions hold.
unprivileged() {
    if [ "$(id -u)" != 0 ]; then
        "$@"
    else
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    fi
}

test_no_permission() {
    unprivileged "$PERMXOR" --version || cannot "no unprivileged user can run the command"
    small_set
    chmod 000 f
    mkdir writable
    chmod 777 writable .
    expect 3 unprivileged "$PERMXOR" encode -o writable f
    says err "f: cannot open: Permission denied"
    empty writable
    chmod 644 f
    chmod 555 s
    expect 3 unprivileged "$PERMXOR" encode --name g -o s f
    says err "s/g.000.pxr: cannot create: Permission denied"
    chmod 000 s/f.001.pxr
    expect 0 unprivileged "$PERMXOR" decode -o writable/g s
    says err "s/f.001.pxr: not usable: Permission denied"
    cmp writable/g f
    chmod 644 s/f.001.pxr
    flip s/f.001.pxr "$(cell 0)"
    expect 3 unprivileged "$PERMXOR" repair s
    says err "cannot create: Permission denied"
    expect 3 unprivileged "$PERMXOR" decode -o s/out s
}

# Shards and decoded files have no more readers than the files that they are made from.
test_private() {
    umask 022
    data 1000 f
    chmod 600 f
    mkdir s
    expect 0 "$PERMXOR" encode -o s f
    [ "$(stat -c %a s/*.pxr | sort -u)" = 600 ]
    rm s/f.001.pxr
    expect 0 "$PERMXOR" repair s
    expect 0 "$PERMXOR" decode -o copy s
    [ "$(stat -c %a s/*.pxr copy | sort -u)" = 600 ]
}

# access_list FILE: lets user 1000 read the file, and the file's group do nothing.  The mode shows
# the list's mask in place of the group's rights.
access_list() {
    python3 -c '
import os, struct, sys
entries = [(1, 6, -1), (2, 4, 1000), (4, 0, -1), (16, 4, -1), (32, 0, -1)]
value = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
os.setxattr(sys.argv[1], "system.posix_acl_access", value)' "$1" 2>&1
}

the_list() { # FILE
    python3 -c 'import os, sys
print(os.getxattr(sys.argv[1], "system.posix_acl_access").hex())' "$1"
}

# The group of a file with an access list gets no rights that only the list's mask has.
test_access_lists() {
    data 1000 f
    access_list f || cannot "this file system has no access lists"
    [ "$(stat -c %a f)" = 640 ]
    mkdir s
    expect 0 "$PERMXOR" encode -k 4 -m 2 --cell 64 -o s f
    [ "$(stat -c %a s/*.pxr | sort -u)" = 600 ]
    cp -p s/f.001.pxr whole
    access_list s/f.001.pxr
    the_list s/f.001.pxr >before
    truncate -s 700 s/f.001.pxr
    rm s/f.002.pxr
    expect 0 "$PERMXOR" repair s
    cmp whole s/f.001.pxr
    the_list s/f.001.pxr | cmp - before
    [ "$(stat -c %a s/f.001.pxr s/f.002.pxr | tr '\n' ' ')" = "640 600 " ]
}

# A message must not go into a file that got the number of a closed stream.
test_closed_streams() {
    data 2000 f
    mkdir s
    "$PERMXOR" encode -k 1 -m 1 --cell 64 -o s f
    rm s/f.001.pxr
    "$PERMXOR" decode -o g s <&- 2>&-
    cmp f g
    "$PERMXOR" decode -o h s <&- >&- 2>&-
    cmp f h
    status=0
    "$PERMXOR" decode -o - s >&- || status=$?
    [ "$status" = 3 ]
    status=0
    "$PERMXOR" encode --name x - <&- || status=$?
    [ "$status" = 3 ]
    absent x.000.pxr
}

# Shards that cannot be opened because there are too few descriptors do not count as missing.
test_few_descriptors() {
    data 2000 f
    mkdir s t
    "$PERMXOR" encode -k 40 -m 30 --cell 64 -o s f
    cp -rp s o
    for command in "verify" "repair" "repair --force -o t" "decode -o -"; do
        # shellcheck disable=SC2016,SC2086
        expect 3 sh -c 'ulimit -n 64; exec "$@"' sh "$PERMXOR" $command s
        says err "cannot open: Too many open files"
    done
    same_files s o
    empty t
    expect 3 sh -c 'ulimit -n 64; exec "$@"' sh "$PERMXOR" encode -k 99 -o t f
    says err "cannot create: Too many open files"
    empty t
}

# --------------------------------------------------------------------- signals --

# Starts to encode a named pipe (descriptor 3) into ./d, by this command, and waits until the
# temporary files are there.
start_encoding() { # COMMAND...
    rm -rf d fifo
    mkdir d
    mkfifo fifo
    exec 3<>fifo
    "$@" --cell 4K --name f -o d fifo 2>err 3>&- &
    pid=$!
    data 300000 input
    cat input >&3
    tries=0
    while [ "$(ls -A d | wc -l)" -lt 14 ] && [ $tries -lt 100 ]; do
        tries=$((tries + 1))
        sleep 0.05
    done
    [ "$(ls -A d | wc -l)" -eq 14 ]
}

# Sends the signal to an encode.  No file may be left.
interrupt() { # SIGNAL NUMBER
    start_encoding env --default-signal="$1" "$PERMXOR" encode
    kill -"$1" $pid
    status=0
    wait $pid || status=$?
    exec 3>&-
    echo "exit status $status"
    [ $status -eq $((128 + $2)) ]
    empty d
}

test_signals() {
    env --default-signal=INT true || cannot "env cannot reset signals"
    interrupt INT 2
    interrupt TERM 15
    interrupt HUP 1
}

# If no process reads the messages, SIGPIPE ends the program.
test_broken_pipe_of_messages() {
    env --default-signal=PIPE true || cannot "env cannot reset signals"
    data 1000 f
    mkdir s
    : >s/f.003.pxr
    {
        sleep 0.2
        exec env --default-signal=PIPE "$PERMXOR" encode -o s f
    } 2>&1 >out | true
    [ "$(ls -A s)" = f.003.pxr ]
}

# Another program creates a file with the name of a shard during an encode.  Shards that were
# renamed before encode finds this file are removed.
test_name_taken_meanwhile() {
    start_encoding "$PERMXOR" encode
    echo mine >d/f.003.pxr
    exec 3>&-
    status=0
    wait $pid || status=$?
    [ $status -eq 3 ]
    says err "d/f.003.pxr: already exists: it was created while the command ran"
    [ "$(ls -A d)" = f.003.pxr ]
    [ "$(cat d/f.003.pxr)" = mine ]
}

# With --force, files that did not exist when the command started are not replaced.
test_forced_name_taken_meanwhile() {
    for taken in "echo mine >d/f.003.pxr" "mkdir d/f.003.pxr"; do
        start_encoding "$PERMXOR" encode --force
        eval "$taken"
        exec 3>&-
        status=0
        wait $pid || status=$?
        [ $status -eq 3 ]
        says err "d/f.003.pxr: changed while the command ran; nothing is replaced"
        [ "$(ls -A d)" = f.003.pxr ]
    done
}

# Changes a file while it is read.  With cells of 64 bytes there is time for that.
change_meanwhile() { # BYTES COMMAND...
    rm -rf d
    mkdir d
    : >f
    truncate -s "$1" f
    shift
    "$PERMXOR" encode -k 1 -m 1 --cell 64 -j 1 --no-sync -o d f 2>err &
    pid=$!
    tries=0
    while [ "$(ls -A d | wc -l)" -lt 2 ] && [ $tries -lt 500 ]; do
        tries=$((tries + 1))
    done
    "$@"
    status=0
    wait $pid || status=$?
    [ $status -eq 3 ]
    empty d
}

test_file_shrinks() {
    change_meanwhile 64M truncate -s 100 f
    says err "f: became shorter while it was read"
}

test_file_grows() {
    change_meanwhile 16M truncate -s +1 f
    says err "f: changed while it was read"
}

# fail_beside_pipe SIZE OPTION...: encodes from a pipe that gives SIZE bytes, and then stays
# open without giving more.  The shards may not grow, so the command has to end without the
# pipe's end.
fail_beside_pipe() {
    mkdir d
    mkfifo fifo
    exec 3<>fifo
    data "$1" f
    shift
    (
        ulimit -f 100
        exec timeout 20 "$PERMXOR" encode "$@" --name f -o d fifo
    ) 2>err &
    pid=$!
    cat f >&3 2>/dev/null &
    feeder=$!
    status=0
    wait $pid || status=$?
    exec 3>&-
    kill $feeder 2>/dev/null || true
    [ $status -eq 3 ]
    says err "File too large"
    empty d
}

# If a write fails, the command does not wait for a pipe that gives no more data.
test_failure_beside_silent_pipe() {
    fail_beside_pipe 3000000 -k 1 -m 1 -j 4 --cell 64K
}

# The same with a pipe that gives no more data in the middle of a stripe.
test_failure_beside_half_a_stripe() {
    fail_beside_pipe 1000000 -k 1 -m 254 -j 2 --cell 512K
}
