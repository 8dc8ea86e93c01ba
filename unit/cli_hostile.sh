# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Part of unit/cli_test.sh: tests with crafted shards, which the command never writes, and with
# wrong usage.

# -------------------------------------------------------------- crafted shards --

forge_all() { # OFFSET HEX
    for shard in s/*.pxr; do
        "$FORGE" "$shard" "$1" "$2"
    done
}

test_hostile_names() {
    need_forge
    data 2000 abcdefg
    mkdir s
    "$PERMXOR" encode -k 4 -m 2 --cell 64 -o s abcdefg
    rm s/abcdefg.001.pxr
    # "../evil", "/tmp/ev", "a\nb\033[mc", "."
    for name in 2e2e2f6576696c 2f746d702f6576 610a621b5b6d63 2e; do
        forge_all 44 "$(printf '%02x000000' $((${#name} / 2)))"
        forge_all 56 "${name}000000000000"
        expect 5 "$PERMXOR" decode s
        says err "file name in the shards is not safe to use"
        expect 5 "$PERMXOR" decode -o . s
        expect 5 "$PERMXOR" repair s
        absent ../evil
        absent evil
        expect 0 "$PERMXOR" decode -o - s
        cmp out abcdefg
        expect 0 "$PERMXOR" info s
        [ "$(tr -d '\n -~' <out)" = "" ]
        mv s/*.000.pxr s/*.002.pxr .
        expect 4 "$PERMXOR" decode -o - s
        [ "$(tr -d '\n -~' <err)" = "" ]
        mv ./*.000.pxr ./*.002.pxr s
    done
}

test_refused_names() {
    data 10 f
    for name in . .. a/b ../f "" "$(printf 'a\tb')" "$(printf '%0248d' 1)"; do
        expect 2 "$PERMXOR" encode --name "$name" f
        says err "cannot be recorded"
    done
    expect 0 "$PERMXOR" encode --name "$(printf '%0247d' 1)" f
}

test_unknown_format() {
    need_forge
    small_set
    "$FORGE" s/f.000.pxr 8 03000000
    "$FORGE" s/f.001.pxr 12 02000000
    expect 1 "$PERMXOR" verify s
    says err "s/f.000.pxr: not usable: made in a format version"
    says err "s/f.001.pxr: not usable: made with a format extension"
}

test_senseless_headers() {
    need_forge
    small_set
    # The headers have these errors: k = 0, m = 0, k + m = 257, matrix 5, matrix 6 without its
    # flag, index 6, cells of 0, 65 and 128 M bytes, a name of 248 bytes, a file of 2^63 bytes,
    # and other bytes than 0 in the reserved bytes.
    for patch in 32:0000 34:0000 32:fd000400 36:0500 36:0600 38:0600 40:00000000 40:41000000 \
        40:00000008 44:f8000000 48:0000000000000080 490:01; do
        cp o/f.002.pxr s/f.002.pxr
        "$FORGE" s/f.002.pxr "${patch%:*}" "${patch#*:}"
        expect 1 "$PERMXOR" verify s
        says err "s/f.002.pxr: not usable: the header has values that are not valid"
    done
}

# One shard claims to be of a file of 4 EiB.  No memory is allocated for so large a file.
test_huge_length() {
    need_forge
    small_set
    rm s/f.00[1-5].pxr
    "$FORGE" s/f.000.pxr 40 00000004
    "$FORGE" s/f.000.pxr 48 0000000000000040
    expect 4 timeout 20 "$PERMXOR" decode -o - s
    [ ! -s out ]
    # It takes little time either, with the smallest cells.
    "$FORGE" s/f.000.pxr 40 40000000
    expect 4 timeout 20 "$PERMXOR" verify s
    says out "(stripes 0, 1, 2, 3, 4, 5, 6, 7, ...)"
    says out "NOT REPAIRABLE: 18014398509481984 stripes"
    expect 4 timeout 20 "$PERMXOR" decode -o g s
    says err "stripe 0 has at most 1 intact cells in 1 of 6 shards, but 4 are needed"
    absent g
    expect 4 timeout 20 "$PERMXOR" repair s
    absent s/f.001.pxr
    tidy
}

# If a shard has the id of the set but another header, it is left out.
test_minority() {
    need_forge
    small_set
    "$FORGE" s/f.000.pxr 48 0000000000000040
    for command in "decode -o -" verify repair; do
        status=1
        [ "$command" != "decode -o -" ] || status=0
        [ "$command" != repair ] || status=3
        # shellcheck disable=SC2086
        expect $status "$PERMXOR" $command s
        says err "s/f.000.pxr: not usable: its header contradicts those of most shards of the set"
        [ "$command" != "decode -o -" ] || cmp out f
    done
    says err "s/f.000.pxr: holds another shard"
    # Three shards have one header, and three have the other.
    "$FORGE" s/f.001.pxr 48 0000000000000040
    "$FORGE" s/f.002.pxr 48 0000000000000040
    expect 5 "$PERMXOR" decode -o - s
    says err "s/f.002.pxr: its header says 4+2 isal_cauchy, a file of 4611686018427387904 bytes"
    says err "s/f.003.pxr: its header says 4+2 isal_cauchy, a file of 2000 bytes"
    # Copies do not make a majority.
    cp s/f.002.pxr s/copy.pxr
    expect 5 "$PERMXOR" verify s
}

test_not_mds() {
    data 1000 f
    expect 2 "$PERMXOR" encode -k 30 -m 6 --matrix isal_vand f
    says err "encode:"
    absent f.000.pxr
}

test_deep() {
    need_forge
    small_set
    expect 0 "$PERMXOR" verify --deep s
    rm s/f.000.pxr
    expect 1 "$PERMXOR" verify --deep s
    "$FORGE" s/f.001.pxr cell 3
    expect 1 "$PERMXOR" verify s
    expect 4 "$PERMXOR" verify --deep s
    says out "the parity does not match the data"
    says out "stripes 3"
    says out "too few cells are left to find the wrong one (stripes 3)"
}

# If all shards are there, the wrong shard is named, whether it has data or parity.
test_deep_names_the_shard() {
    need_forge
    small_set
    "$FORGE" s/f.001.pxr cell 3
    "$FORGE" s/f.005.pxr cell 6
    expect 4 "$PERMXOR" verify --deep s
    says out "shard 001: s/f.001.pxr: WRONG, although its checksums are right: 1 cells"
    says out "shard 005: s/f.005.pxr: WRONG"
    [ "$(grep -c WRONG out)" = 2 ]
    says out "stripes 3, 6"
    mkdir one
    "$PERMXOR" encode -k 4 -m 1 --cell 64 -o one f
    "$FORGE" one/f.001.pxr cell 3
    expect 4 "$PERMXOR" verify --deep one
    says out "one parity shard is too few to find the wrong shard (stripes 3)"
}

# --------------------------------------------------------------- command line --

test_bad_options() {
    data 1000 f
    for options in "-k 0" "-m 0" "-k 250 -m 7" "-k 256" "-k -1" "-k 1x" "-k x" "-m 3.5" \
        "-k 99999999999999999999" "--cell 0" "--cell 63" "--cell 100" "--cell 65M" \
        "--cell 1Q" "--cell K" "--matrix none" "--matrix custom" "-j 0" "-j 1000" \
        "--unknown" "-z" "-k" "--matrix" "-o" "f"; do
        echo "encode $options"
        # shellcheck disable=SC2086
        expect 2 "$PERMXOR" encode $options f
        says err "permxor: "
        absent f.000.pxr
    done
    expect 2 "$PERMXOR"
    expect 2 "$PERMXOR" frobnicate
    says err "unknown subcommand 'frobnicate'"
    for command in encode decode verify repair hash; do
        expect 2 "$PERMXOR" $command
    done
    expect 2 "$PERMXOR" verify --set xyz f
    expect 2 "$PERMXOR" bench --len 0
    expect 2 "$PERMXOR" bench --time -1
    expect 2 "$PERMXOR" bench f
    expect 2 "$PERMXOR" bench -k 200 -m 200
    expect 2 "$PERMXOR" decode -k 4 f
    says err "unknown or ambiguous option '-k'"
    expect 2 "$PERMXOR" decode --force -zq f
    says err "unknown or ambiguous option '-z'"
    expect 2 "$PERMXOR" decode -f=3 f
    says err "unknown or ambiguous option '-='"
    expect 2 "$PERMXOR" decode f --force=3
    says err "unknown or ambiguous option '--force=3'"
    expect 2 "$PERMXOR" decode f --unknown
    says err "unknown or ambiguous option '--unknown'"
}

test_help() {
    expect 0 "$PERMXOR" --version
    says out "permxor "
    expect 0 "$PERMXOR" --help
    says out "Exit status"
    cat out >all
    for command in encode decode verify repair hash info bench tune; do
        expect 0 "$PERMXOR" $command --help
        says out "usage: permxor $command"
        cat out >>all
    done
    [ "$(awk 'length > 80 || / $/' all)" = "" ]
    [ ! -s err ]
}

test_info() {
    expect 0 "$PERMXOR" info
    says out "cpu "
    says out "base "
    says out "selected"
    says out "reason "
    says out "machine   rules for "
    says out " way dot memory = "
    small_set
    expect 0 "$PERMXOR" info s/f.004.pxr
    says out "4+2 isal_cauchy"
    says out "shard     4 of 6: parity"
    says out "f (2000 bytes)"
    says out "header and trailer intact"
}

test_info_forced_kernels() {
    PERMXOR_KERNELS=base expect 0 "$PERMXOR" info
    grep -q '^ *base *selected' out
    says out "reason "
}

test_bench() {
    expect 0 "$PERMXOR" bench -k 4 -m 2 --len 4K --time 0.02
    says out "encode"
    says out "reconstruct 2 data"
    says out "k*len = 16384 bytes"
}

test_progress() {
    script -qec true /dev/null || cannot "no script(1) to make a terminal"
    data 3000000 f
    mkdir s
    "$PERMXOR" encode --cell 4K -o s f
    TERM=dumb script -qec "$PERMXOR decode -j 1 -o - s 2>/dev/tty | (sleep 0.6; cat >g)" \
        /dev/null >shown
    cmp f g
    grep -q 'permxor: decode .*%.*MB/s.*left' shown
    script -qec "$PERMXOR decode -q -j 1 -o - s 2>/dev/tty | (sleep 0.6; cat >g)" \
        /dev/null >shown
    [ ! -s shown ]
}
