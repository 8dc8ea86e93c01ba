# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Helpers for the tests of the command.  unit/cli_test.sh sources this file.

# ------------------------------------------------------------------ helpers --

cannot() { # REASON: skips the test
    echo "$*"
    exit 77
}

# run_test NAME: runs the function test_NAME in a new folder.  Every command in the function
# must succeed.
run_test() {
    case $1 in *"$only"*) ;; *) return ;; esac
    mkdir "$work/$1"
    (
        set -e
        cd "$work/$1"
        "test_$1"
    ) >"$work/log" 2>&1
    case $? in
    0) pass ;;
    77) skip "$1" "$(tail -n 1 "$work/log")" ;;
    *) fail "$1" && sed 's/^/    /' "$work/log" ;;
    esac
    chmod -R u+rwx "$work/$1"
    rm -rf "${work:?}/$1"
}

# expect STATUS COMMAND...: succeeds if the command ends with exactly this status.  The output
# goes to ./out, and messages go to ./err.
expect() {
    expected=$1
    status=0
    shift
    "$@" >out 2>err || status=$?
    [ "$status" = "$expected" ] && return
    echo "exit status $status instead of $expected: $*"
    cat out err
    return 1
}

says() { # FILE TEXT: succeeds if the file contains the text
    grep -qF -e "$2" "$1" && return
    echo "'$2' is not in $1:"
    cat "$1"
    return 1
}

silent() { # FILE TEXT: the opposite of says
    grep -qF -e "$2" "$1" || return 0
    echo "'$2' is in $1:"
    cat "$1"
    return 1
}

empty() { # DIRECTORY
    [ -z "$(ls -A "$1")" ] && return
    echo "left behind in $1: $(ls -A "$1")"
    return 1
}

# Succeeds if no temporary file is left in the current folder.
tidy() {
    [ -z "$(find . -name '.permxor-*')" ] && return
    find . -name '.permxor-*'
    return 1
}

absent() { # FILE
    [ ! -e "$1" ] && return
    echo "$1 exists"
    return 1
}

data() { # BYTES FILE
    head -c "$1" /dev/urandom >"$2"
}

flip() { # FILE OFFSET: inverts the lowest bit of one byte
    byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    # shellcheck disable=SC2059
    printf "\\$(printf '%03o' $((byte ^ 1)))" |
        dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

size() { # FILE
    wc -c <"$1" | tr -d ' '
}

# Prints the offset of a stripe's cell in a shard, for cells of 64 bytes.
cell() { # STRIPE
    echo $((512 + $1 * 80 + 16))
}

same_files() { # DIRECTORY DIRECTORY
    diff -r "$1" "$2"
}

# Makes a file ./f and its set of 4+2 shards in ./s, with 8 stripes and cells of 64 bytes.  ./o
# is a copy of ./s.
small_set() {
    data 2000 f
    mkdir s
    "$PERMXOR" encode -k 4 -m 2 --cell 64 -o s f
    cp -rp s o
}

# with_fault FAULT PATH COMMAND...: runs the command on a file system with a fault.
with_fault() {
    fault=$1 fault_path=$2
    shift 2
    CLI_FAULT=$fault CLI_FAULT_PATH=$fault_path LD_PRELOAD=$SHIM "$@"
}

# Skips the test if $SHIM cannot be preloaded.  In a build with sanitizers, no library can be
# loaded before theirs.
need_shim() {
    [ -r "$SHIM" ] || cannot "$SHIM is not built"
    with_fault none none "$PERMXOR" --version >out 2>err || cannot "cannot preload $SHIM"
    [ ! -s err ] || cannot "cannot preload $SHIM"
}

need_forge() {
    [ -x "$FORGE" ] || cannot "unit/cli_forge is not built"
}
