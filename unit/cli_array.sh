# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests of permxor array.  plugins/nbdkit/array_test.py tests served
# arrays that clients use.

# members COUNT SIZE: the files m0, m1 and so on.
members() {
    rm -f m?
    for member in $(seq 0 $(($1 - 1))); do
        truncate -s "$2" "m$member"
    done
}

test_array_create() {
    members 5 4M
    expect 0 "$PERMXOR" array create -m 2 --chunk 16K --name 'a name' m0 m1 m2 m3 m4
    says out "3 + 2 members, chunk 16384"
    says err "arrays are experimental"
    expect 0 "$PERMXOR" array examine m0 m1 m2 m3 m4
    says out "name: a name"
    says out "m3: member 3 of array"
    says out "right superblocks: 3 of 3"
    expect 0 "$PERMXOR" array verify m4 m2 m1 m3 m0
    says out "no damage"
    expect 1 "$PERMXOR" array verify m4 m2 m1
    says out "member 0: missing"
    expect 4 "$PERMXOR" array verify m4 m2
    says err "2 members are current and in sync, but 3 are needed"
    cp m0 copy
    expect 5 "$PERMXOR" array verify m0 copy m1 m2
    says err "are the same member"
    expect 5 "$PERMXOR" array create -m 1 m0 m1
    says err "m0: it has a superblock of an array; use --force to overwrite it"
    expect 0 "$PERMXOR" array create -m 1 --force m0 m1
    expect 5 "$PERMXOR" array verify m0 m1 m2 m3
    says err "belong to different arrays"
}

# Each superblock alone is enough, and without any the file is no member.
test_array_superblocks() {
    members 3 4M
    expect 0 "$PERMXOR" array create -m 1 m0 m1 m2
    for block in 1 2; do
        dd if=/dev/zero of=m1 bs=4096 seek=$block count=1 conv=notrunc 2>err
        expect 0 "$PERMXOR" array verify m0 m1 m2
    done
    expect 0 "$PERMXOR" array examine m1
    says out "right superblocks: 1 of 3"
    dd if=/dev/zero of=m1 bs=4096 seek=1023 count=1 conv=notrunc 2>err
    expect 5 "$PERMXOR" array examine m1
    says out "m1: it has no superblock"
    expect 1 "$PERMXOR" array verify m0 m1 m2
    printf x | dd of=m2 bs=1 seek=4200 conv=notrunc 2>err
    printf x | dd of=m2 bs=1 seek=8300 conv=notrunc 2>err
    printf x | dd of=m2 bs=1 seek=4190300 conv=notrunc 2>err
    expect 4 "$PERMXOR" array examine m2
    says err "m2: its superblocks are damaged"
}

# The first block of the log lies behind four blocks and the two slots of a page of the region map.
test_array_unreadable_log() {
    need_bad_reads
    members 3 4M
    expect 0 "$PERMXOR" array create -m 1 m0 m1 m2
    expect 1 bad_reads "5 m1 24576 4096" "$PERMXOR" array verify m0 m1 m2
    says out "member 1: 1 bad blocks"
    says out "1 blocks unreadable"
    says out "damaged, but repairable"
}

# Writes behind the first part of a member fail.
test_array_unwritable_member() {
    members 3 4M
    expect 3 sh -c 'ulimit -f 100; exec "$@"' sh "$PERMXOR" array create -m 1 m0 m1 m2
    says err "member 0 could not be written"
}

test_array_usage() {
    members 2 4M
    truncate -s 8K small
    for words in "" "frobnicate" "create" "create -m 1" "create m0 m1" "create -m 2 m0 m1" \
        "create -m 1 -k 2 m0 m1" "create -m 1 --chunk 5K m0 m1" "create -m 1 --chunk 1M m0 m1" \
        "examine" "verify" "assemble" "serve m0" "serve --socket s" "status" "fail s" "replace s 1" "re-add s 1" "scrub" \
        "status --json --metrics s" "add s" "remove s" "remove" "limits" "limits --most 0 s" "limits --latency 1h s"; do
        echo "array $words"
        # shellcheck disable=SC2086
        expect 2 "$PERMXOR" array $words
    done
    expect 2 "$PERMXOR" array create -m 1 m0 small
    says err "too small"
    expect 2 "$PERMXOR" array create -m 1 --name 12345678901234567890123456789012 m0 m1
    says err "the name has more than 31 bytes"
    expect 3 "$PERMXOR" array create -m 1 m0 nowhere
    says err "nowhere: No such file or directory"
    expect 5 "$PERMXOR" array create -m 1 m0 m0
    says err "m0: it is given twice"
    ln -s m0 alias
    expect 5 "$PERMXOR" array create -m 1 m0 alias
    says err "alias: it is given twice"
    rm alias
    expect 5 "$PERMXOR" array create -m 1 m0 /dev/null
    says err "/dev/null: it is neither a file nor a block device"
    expect 5 "$PERMXOR" array examine m1
    expect 3 "$PERMXOR" array status nowhere
    says err "nowhere: no server answers"
    for word in create examine verify assemble serve status fail add remove replace re-add scrub limits; do
        expect 0 "$PERMXOR" array $word --help
        mv out of_word
        [ "$(awk 'length > 80' of_word)" = "" ]
        for help in "help array $word" "array help $word"; do
            # shellcheck disable=SC2086
            expect 0 "$PERMXOR" $help
            cmp out of_word
        done
    done
    expect 0 "$PERMXOR" array --help
    says out "permxor array replace"
    [ "$(awk 'length > 80 || (/^  permxor/ && substr($0, 44, 2) !~ /^ [^ ]/)' out)" = "" ]
    expect 0 "$PERMXOR" help array
}

# serve MEMBER...: a server in the background, whose control socket is ./s.  It ends when the
# named pipe ./end has no writer any more, which is descriptor 9.
serve() {
    rm -f end log
    mkfifo end
    "$ARRAY_SERVER" s "$@" <end >log 2>&1 &
    server=$!
    exec 9>end
    for _ in $(seq 500); do
        grep -q ready log && return
        kill -0 $server 2>err || break
        sleep 0.02
    done
    cat log
    return 1
}

end_server() {
    exec 9>&-
    wait "$server"
}

# server_ticks: the processor time that the server has used, in ticks of the kernel.
server_ticks() {
    sed 's/.*) //' "/proc/$server/stat" | cut -d ' ' -f 12,13 | {
        read -r user system
        echo $((user + system))
    }
}

# A client that the server has no descriptor for waits, and the server must not turn meanwhile.
test_array_descriptors() {
    [ -x "$ARRAY_SERVER" ] || cannot "no $ARRAY_SERVER"
    command -v prlimit >out || cannot "no prlimit"
    [ -r /proc/self/stat ] || cannot "no /proc"
    members 3 4M
    expect 0 "$PERMXOR" array create -m 1 m0 m1 m2
    serve m0 m1 m2
    expect 0 "$PERMXOR" array status s
    expect 0 prlimit --pid "$server" --nofile=3:1024
    before=$(server_ticks)
    "$PERMXOR" array status s >late 2>&1 &
    client=$!
    sleep 1
    used=$(($(server_ticks) - before))
    expect 0 prlimit --pid "$server" --nofile=1024:1024
    wait $client
    grep -q ': clean' late
    [ $used -lt 20 ] || { echo "the server has used $used ticks" && return 1; }
    end_server
}

# until_has TEXT: waits until the status has it.
until_has() {
    for _ in $(seq 500); do
        expect 0 "$PERMXOR" array status s
        grep -qF -e "$1" out && return
        sleep 0.02
    done
    cat out
    return 1
}

# until_clean: waits for the end of a rebuild.
until_clean() {
    until_has ": clean"
}

# Without options there are no limits, as before.
check_limits() {
    expect 0 "$PERMXOR" array limits --least 1 --most 2 --latency 30 s
    expect 0 "$PERMXOR" array status s
    says out "limits of rebuilds and scrubs: at least 1 MiB/s, at most 2 MiB/s, a latency of 30 ms"
    expect 0 "$PERMXOR" array status --json s
    says out '"most_bytes_per_second": 2097152, "latency_microseconds": 30000'
    expect 2 "$PERMXOR" array limits --least 3 --most 2 s
    says err "the least rate is above the greatest"
    expect 0 "$PERMXOR" array status s
    says out "at most 2 MiB/s"
    expect 0 "$PERMXOR" array limits s
    expect 0 "$PERMXOR" array status s
    if grep limits out; then
        return 1
    fi
}

test_array_control() {
    [ -x "$ARRAY_SERVER" ] || cannot "no $ARRAY_SERVER"
    members 6 4M
    expect 0 "$PERMXOR" array create -m 2 --name served m0 m1 m2 m3 m4
    serve m0 m1 m2 m3 m4
    expect 0 "$PERMXOR" array status s
    says out "served: clean"
    says out "member 4: in-sync: m4"
    expect 0 "$PERMXOR" array status --json s
    says out '"state": "clean"'
    expect 0 "$PERMXOR" array status --metrics s
    says out 'permxor_array_members_missing{array='
    expect 2 "$PERMXOR" array fail s 5
    says err "array fail: no working member has this number"
    expect 2 "$PERMXOR" array fail s x
    says err "a member must be a number from 0 to 63"
    expect 0 "$PERMXOR" array fail s 1
    expect 0 "$PERMXOR" array fail s 2
    expect 4 "$PERMXOR" array fail s 3
    says err "the array cannot work without this member"
    expect 5 "$PERMXOR" array replace s 1 m1
    says err "it has a superblock of an array; use --force"
    expect 3 "$PERMXOR" array replace s 1 nowhere
    says err "nowhere: No such file or directory"
    expect 0 "$PERMXOR" array re-add s 2 m2
    expect 0 "$PERMXOR" array replace s 1 m5
    until_clean
    expect 0 "$PERMXOR" array scrub s
    says out " 0 bad blocks, 0 wrong blocks of parity"
    check_limits
    expect 0 "$PERMXOR" array fail s 0
    expect 0 "$PERMXOR" array replace --force s 0 m1
    until_clean
    expect 0 "$PERMXOR" array scrub --repair s
    # Another name of a member that is in use, as devices with several paths have.
    cp m1 twin
    expect 5 "$PERMXOR" array add --force s twin
    says err "twin: it is a member that is in use, by another path"
    expect 5 "$PERMXOR" array replace --force s 1 twin
    expect 5 "$PERMXOR" array verify m1
    says err "m1: another program uses it"
    end_server
    expect 3 "$PERMXOR" array status s
    expect 0 "$PERMXOR" array verify m1 m5 m2 m3 m4
    says out "no damage"
    expect 2 "$PERMXOR" array status "$(printf '%0120d' 0)"
    says err "a path of a socket has at most"
}

test_array_spares() {
    [ -x "$ARRAY_SERVER" ] || cannot "no $ARRAY_SERVER"
    members 6 4M
    truncate -s 1M small
    expect 0 "$PERMXOR" array create -m 2 m0 m1 m2 m3 m4
    serve m0 m1 m2 m3 m4
    expect 2 "$PERMXOR" array add s small
    says err "small: it is too small or too large for the array"
    expect 5 "$PERMXOR" array add s m1
    says err "m1: the server has opened it already"
    expect 3 "$PERMXOR" array add s nowhere
    says err "nowhere: No such file or directory"
    expect 0 "$PERMXOR" array add s m5
    expect 0 "$PERMXOR" array status s
    says out "spare: $PWD/m5"
    expect 0 "$PERMXOR" array status --json s
    says out "\"spares\": [\"$PWD/m5\"], \"not_used\": []"
    expect 0 "$PERMXOR" array status --metrics s
    grep -q '^permxor_array_spares{array="[0-9a-f]*"} 1$' out
    expect 0 "$PERMXOR" array remove s m5
    expect 0 "$PERMXOR" array status s
    silent out spare
    expect 2 "$PERMXOR" array remove s m5
    says err "the server has not opened this file"
    expect 5 "$PERMXOR" array remove s 1
    says err "the member is in use"
    expect 5 "$PERMXOR" array remove s m1
    expect 2 "$PERMXOR" array remove s 64
    expect 0 "$PERMXOR" array add s m5
    expect 0 "$PERMXOR" array fail s 1
    until_has "member 1: in-sync: $PWD/m5"
    expect 0 "$PERMXOR" array status s
    says out "member 1: in-sync: $PWD/m5"
    says out "not used: m1, which was member 1"
    ln m1 other
    rm m1
    expect 2 "$PERMXOR" array remove s /nowhere
    expect 0 "$PERMXOR" array remove s other
    expect 0 "$PERMXOR" array status s
    silent out "not used"
    expect 0 "$PERMXOR" array fail s 3
    expect 0 "$PERMXOR" array remove s 3
    expect 2 "$PERMXOR" array remove s 3
    says err "the server has no open file of a member with this number"
    expect 0 "$PERMXOR" array add --force s m3
    until_has "member 3: in-sync: $PWD/m3"
    end_server
    expect 0 "$PERMXOR" array verify m0 m5 m2 m3 m4
    says out "no damage"
}

# What is said before a start is what the start then does.
test_array_assemble() {
    [ -x "$ARRAY_SERVER" ] || cannot "no $ARRAY_SERVER"
    members 6 4M
    : >empty
    expect 0 "$PERMXOR" array create -m 2 --name built m0 m1 m2 m3 m4
    expect 0 "$PERMXOR" array assemble m4 m3 m2 m1 m0
    says out "built: 3 + 2 members"
    says out "m3: member 3, in-sync"
    says out "a start would find all members in sync"
    expect 1 "$PERMXOR" array assemble m0 m1 m2 m5 empty
    says out "m5: not used: it has no superblock"
    says out "member 4: missing"
    says out "a start would find 3 of 5 members in sync, and 0 more could be lost"
    expect 4 "$PERMXOR" array assemble m0 m1
    says out "member 2: missing"
    says err "2 members are current and in sync, but 3 are needed"
    expect 5 "$PERMXOR" array assemble m5
    says err "no device has a readable superblock"
    cp m1 copy
    expect 5 "$PERMXOR" array assemble m0 m1 m2 copy
    says err "are the same member"
    expect 3 "$PERMXOR" array assemble m0 nowhere
    serve m0 m1 m2 m3 m4
    expect 5 "$PERMXOR" array assemble m0
    says err "another program uses it"
    expect 0 "$PERMXOR" array fail s 1
    expect 0 "$PERMXOR" array fail s 2
    expect 0 "$PERMXOR" array replace s 2 m5
    until_has "member 2: in-sync"
    end_server
    cksum m? >before
    expect 1 "$PERMXOR" array assemble m1 m2 m0 m3 m4 m5
    says out "events, as m"
    says out "m1: not used: member 1, but stale: it knows 1 events, and left the array at event "
    says out "m2: not used: it was member 2, which was replaced"
    says out "m5: member 2, in-sync"
    says out "member 1: missing"
    says out "a start would find 4 of 5 members in sync, and 1 more could be lost"
    cksum m? | cmp before
    printf x | dd of=m4 bs=1 seek=4200 conv=notrunc 2>err
    printf x | dd of=m4 bs=1 seek=8300 conv=notrunc 2>err
    printf x | dd of=m4 bs=1 seek=4190300 conv=notrunc 2>err
    expect 1 "$PERMXOR" array assemble m0 m3 m4 m5
    says out "m4: not used: its superblocks are damaged"
    serve m0 m3 m5 m4
    expect 0 "$PERMXOR" array status s
    says out "member 1: failed"
    says out "member 4: failed"
    end_server
}

# Members that a later version has written.
test_array_features() {
    forge=$(dirname "$ARRAY_SERVER")/cli_array_forge
    [ -x "$forge" ] || cannot "no $forge"
    members 3 4M
    expect 0 "$PERMXOR" array create -m 1 m0 m1 m2
    expect 0 "$forge" m1 0 8
    expect 5 "$PERMXOR" array assemble m0 m1 m2
    says err "device 1 has features that this version does not know (bits 0x8), so it may read"
    expect 0 "$PERMXOR" array verify m0 m1 m2
    expect 0 "$forge" m1 8 0
    for word in assemble verify; do
        expect 5 "$PERMXOR" array $word m0 m1 m2
        says err "device 1 has a format or features that this version does not know"
    done
    expect 5 "$PERMXOR" array examine m1
    says err "m1: its superblocks have a format or features that this version does not know"
    expect 5 "$PERMXOR" array create -m 1 m1 m0
    says err "m1: it has a superblock of an array; use --force to overwrite it"
    expect 1 "$PERMXOR" array assemble m0 m2
}

# A program that is called nbdkit prints what it was started with.
test_array_serve() {
    members 2 4M
    mkdir bin empty
    cat >bin/nbdkit <<'END'
#!/bin/sh
case $* in *nothere*) echo "nbdkit: no such plugin" >&2 && exit 1 ;; esac
[ "$2" = --dump-plugin ] && exit
printf '<%s>' "$@"
exit 7
END
    chmod +x bin/nbdkit
    expect 3 env PATH="$PWD/empty" "$PERMXOR" array serve --socket s m0 m1
    says err "nbdkit cannot be started: No such file or directory; install nbdkit"
    expect 3 env PATH="$PWD/bin:$PATH" "$PERMXOR" array serve --socket s --plugin nothere m0 m1
    says err "nbdkit cannot load the plugin 'nothere': install the plugin of permxor"
    expect 7 env PATH="$PWD/bin:$PATH" "$PERMXOR" array serve --socket s m0 m1=2
    says out "<--unix><s><permxor><write=true><member=m0><member=m1=2>"
    silent out foreground
    expect 7 env PATH="$PWD/bin:$PATH" "$PERMXOR" array serve --socket s --control c \
        --read-only --foreground --plugin ./p.so --spare x --spare y --cache 8M m0
    says out "<--foreground><--readonly><--unix><s><./p.so><write=true><control=c>"
    says out "<cache=8M><spare=x><spare=y><member=m0>"
}

# The server of an array that is already served refuses, and one that is left over does not.
test_array_sockets() {
    [ -x "$ARRAY_SERVER" ] || cannot "no $ARRAY_SERVER"
    members 3 4M
    expect 0 "$PERMXOR" array create -m 1 m0 m1 m2
    : >file
    expect 1 "$ARRAY_SERVER" file m0 m1 m2 </dev/null
    says err "file: it exists and is not a socket"
    serve m0 m1 m2
    kill -9 $server
    end_server || true
    [ -S s ]
    serve m0 m1 m2
    expect 1 "$ARRAY_SERVER" s m0 m1 m2 </dev/null
    says err "another program uses it"
    end_server
    [ ! -e s ]
}
