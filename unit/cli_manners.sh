# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests of what users expect of any command.

# ---------------------------------------------------------------- command line --

# A shell variable that was never set must not stand for the current directory.
test_empty_words() {
    small_set
    mkdir here
    cp f here
    cd here || return 1
    for command in "encode f" "decode ../s" "repair ../s" "tune"; do
        # shellcheck disable=SC2086
        expect 2 "$PERMXOR" $command -o ""
        says err "permxor: --output: '' is not a path"
        says err "Try 'permxor ${command%% *} --help'"
    done
    expect 2 "$PERMXOR" decode --output= ../s
    says err "--output: '' is not a path"
    [ "$(echo *)" = "err f out" ]
    for command in decode verify repair; do
        expect 2 "$PERMXOR" $command --set "" ../s
        says err "--set: '' is not the start of a set id"
    done
    for command in encode decode verify repair hash info; do
        expect 2 "$PERMXOR" $command ../s ""
        says err "$command: operand 2 is empty; give a path"
    done
}

test_help_words() {
    expect 0 "$PERMXOR" --help
    mv out overview
    for word in -h help; do
        expect 0 "$PERMXOR" $word
        cmp out overview
    done
    for command in encode decode verify repair hash info bench tune; do
        expect 0 "$PERMXOR" $command --help
        mv out of_command
        for word in help -h --help; do
            expect 0 "$PERMXOR" $word $command
            cmp out of_command
        done
        [ ! -s err ]
    done
    expect 0 "$PERMXOR" --version
    mv out version
    expect 0 "$PERMXOR" -V
    cmp out version
    expect 2 "$PERMXOR" help frobnicate
    says err "unknown subcommand 'frobnicate'"
    expect 2 "$PERMXOR" help encode decode
    [ ! -s out ]
}

# --------------------------------------------------------------- broken pipes --

# Runs a command whose standard output (1) or standard error (2) is a pipe that no process
# reads.  The exit status is in $status.
unread() { # DESCRIPTOR COMMAND...
    rm -f unread
    mkfifo unread
    exec 4<>unread
    exec 5>unread 4<&-
    descriptor=$1
    status=0
    shift
    case $descriptor in
    1) "$@" 2>err >&5 || status=$? ;;
    2) "$@" >out 2>&5 || status=$? ;;
    esac
    exec 5>&-
    echo "exit status $status"
}

need_env_signals() {
    env --default-signal=PIPE env --ignore-signal=PIPE true || cannot "env cannot set signals"
}

# As in `permxor decode -o - | head`: there is no error, but no process reads further output.
test_unread_output() {
    need_env_signals
    data 3000000 f
    mkdir s
    "$PERMXOR" encode --cell 4K -o s f
    for command in "decode -j 3 -o -" verify "hash --stripes" info; do
        echo "$command"
        # shellcheck disable=SC2086
        unread 1 env --default-signal=PIPE "$PERMXOR" $command s
        [ "$status" = 141 ]
        [ ! -s err ]
    done
    unread 1 env --ignore-signal=PIPE "$PERMXOR" decode -o - s
    [ "$status" = 3 ]
    says err "standard output: cannot write: Broken pipe"
    [ "$(wc -l <err)" -eq 1 ]
}

# No process reads the messages of a worker thread.  The temporary files are removed.
test_unread_messages() {
    need_env_signals
    data 3000000 f
    mkdir s
    for way in default-141 ignore-3; do
        # shellcheck disable=SC2016
        unread 2 env --${way%-*}-signal=PIPE sh -c 'ulimit -f 100; exec "$@"' sh \
            "$PERMXOR" encode -o s --name g - <f
        [ "$status" = "${way#*-}" ]
        empty s
    done
}

# ----------------------------------------------------------------------- names --

# Any user may have chosen the names in a folder.  These have escape sequences, control
# characters in their two forms, line ends, and bytes that are not UTF-8.
test_control_characters_in_names() {
    small_set
    hostile=$(printf 'a\033[31mb\302\233c\nd\177e\233f\300\200g\355\240\200h\tz')
    shown='a?[31mb??c?d?e?f??g???h?z'
    readable=$(printf 'gr\303\274n \342\202\254 \360\237\230\200')
    mv s/f.002.pxr "s/$hostile.pxr"
    mv s/f.003.pxr "s/$readable.pxr"
    for command in verify info; do
        expect 0 "$PERMXOR" $command s
        says out "s/$shown.pxr:"
        says out "s/$readable.pxr:"
    done
    flip "s/$hostile.pxr" 0
    expect 0 "$PERMXOR" repair s
    says out "shard 002: $(pwd -P)/s/$shown.pxr: damaged header, healed"
    echo text >"s/$hostile.1.pxr"
    expect 0 "$PERMXOR" verify s
    says err "permxor: s/$shown.1.pxr: not usable: not a permxor shard"
    expect 3 "$PERMXOR" decode -o "$hostile/g" s
    says err "$shown/g: cannot create"
    expect 2 "$PERMXOR" "$hostile"
    says err "unknown subcommand '$shown'"
    mv s "$hostile"
    : >"$hostile/f.001.pxr"
    expect 1 "$PERMXOR" verify "$hostile"
    says out "shard 001: missing: $shown/f.001.pxr is an empty file"
}

# ----------------------------------------------------------------------- quiet --

test_quiet() {
    small_set
    expect 0 "$PERMXOR" encode -q -f -o o f
    [ ! -s out ] && [ ! -s err ]
    expect 0 "$PERMXOR" decode -q -o g s
    [ ! -s out ] && [ ! -s err ]
    for command in "verify -q" "verify --quiet --deep" "repair -q"; do
        # shellcheck disable=SC2086
        expect 0 "$PERMXOR" $command s
        [ ! -s out ] && [ ! -s err ]
    done
    echo text >s/text.pxr
    expect 0 "$PERMXOR" verify -q s
    [ ! -s out ]
    says err "s/text.pxr: not usable"
}

# With --quiet, each kind of damage is reported as without it.
test_quiet_about_damage() {
    small_set
    damage=0
    for change in "rm s/f.000.pxr" "flip s/f.001.pxr 0" "flip s/f.001.pxr $(cell 3)" \
        "flip s/f.002.pxr $(cell 3)" "rm s/f.003.pxr s/f.004.pxr"; do
        $change
        damage=$((damage + 1))
        status=0
        "$PERMXOR" verify s >loud || status=$?
        [ $status -gt 0 ]
        expect $status "$PERMXOR" verify --quiet s
        cmp out loud
        [ $damage != 1 ] || cp -r s one
    done
    expect 0 "$PERMXOR" repair -q one
    says out "was missing, written"
    expect 4 "$PERMXOR" repair -q s
    says err "cannot be restored"
}

test_quiet_about_parity() {
    need_forge
    small_set
    "$FORGE" s/f.001.pxr cell 3
    expect 4 "$PERMXOR" verify --quiet --deep s
    says out "the parity does not match the data"
}

# ---------------------------------------------------------------------- memory --

# within_memory THREADS COMMAND...: succeeds if the command, on 200+55 shards with cells of 4
# KiB, needs at most the memory that the manual page says.  Each cell has 64 bytes before it for
# its checksum, and at most 16 MiB are for everything else.
within_memory() {
    most=$(($1 * 255 * (4096 + 64) / 1024 + 16384))
    shift
    expect 0 "$PEAK" peak "$@"
    echo "$* needed $(cat peak) KiB, but at most $most KiB are allowed"
    [ "$(cat peak)" -le $most ]
}

test_memory_bound() {
    # In a build folder, the first start of a program may link it.
    "$PEAK" peak "$PERMXOR" --version ||
        cannot "unit/cli_peak is not built, or a sanitizer needs memory of its own"
    : >f
    truncate -s 64M f
    mkdir s
    within_memory 64 "$PERMXOR" encode -k 200 -m 55 --cell 4K -j 64 --no-sync -o s f
    within_memory 64 "$PERMXOR" verify -j 64 s
    within_memory 64 "$PERMXOR" verify --deep -j 64 s
    within_memory 64 "$PERMXOR" hash --stripes -j 64 s
    rm s/f.00[0-9].pxr
    within_memory 64 "$PERMXOR" decode -j 64 --no-sync -f -o g s
    within_memory 64 "$PERMXOR" repair -j 64 --no-sync s
    # Without -j, there are at most as many threads as CPUs.
    within_memory "$(nproc)" "$PERMXOR" verify s
    within_memory "$(nproc)" "$PERMXOR" decode -o - s
}

# ----------------------------------------------------------------------- paths --

# A path that does not exist is an error of its own, and not a shard that cannot be used.
test_no_such_path() {
    small_set
    for command in decode verify repair hash info; do
        expect 3 "$PERMXOR" $command nothing s/f.000.pxr/nor-this
        says err "permxor: nothing: not usable: No such file or directory"
        says err "permxor: s/f.000.pxr/nor-this: not usable: Not a directory"
        says err "permxor: no usable shard"
        [ "$(wc -l <err)" -eq 3 ] && [ ! -s out ]
    done
    expect 0 "$PERMXOR" verify nothing s
    says err "nothing: not usable: No such file or directory"
    mkdir empty
    expect 5 "$PERMXOR" verify empty
    says err "no usable shard"
}

# ---------------------------------------------------------------- progress line --

# Waits until a file contains a text.
await() { # FILE TEXT
    tries=0
    until grep -qF -e "$2" "$1"; do
        tries=$((tries + 1))
        [ $tries -lt 200 ]
        sleep 0.05
    done
}

# If a signal ends a command, no progress line is left on the terminal.
test_progress_is_wiped() {
    need_env_signals
    script -qec true /dev/null || cannot "no script(1) to make a terminal"
    data 3000000 f
    mkdir s
    "$PERMXOR" encode --cell 4K -o s f
    for signal in PIPE TERM; do
        mkfifo fifo
        TERM=dumb script -qfec "exec env --default-signal=$signal \
            sh -c 'echo \$\$ >pid; exec \$0 decode -j 1 -o fifo s' $PERMXOR" /dev/null >shown &
        terminal=$!
        exec 3<fifo
        await shown MB/s
        [ $signal != TERM ] || kill -TERM "$(cat pid)"
        exec 3<&-
        wait $terminal || true
        [ "$(tail -c 4 shown)" = "$(printf '\r\033[K')" ]
        rm fifo
    done
}

# While no process reads the output of info, other commands do not wait for info.
test_info_holds_nobody_up() {
    small_set
    rm s/f.000.pxr
    mkfifo page
    many=$(printf 's %.0s' $(seq 80))
    # shellcheck disable=SC2086
    "$PERMXOR" info $many >page 2>/dev/null &
    exec 3<page
    dd bs=1 count=1 <&3 >/dev/null 2>&1
    expect 0 timeout 60 "$PERMXOR" repair s
    exec 3<&-
    wait
    same_files s o
}
