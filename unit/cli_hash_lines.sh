# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2086,SC2154
# Part of unit/cli_test.sh: tests of `permxor verify --hashes` on lines that do not fit together,
# that were changed, or that no shards have.

# ------------------------------------------------------------- lines from others --

test_hashes_that_do_not_fit_together() {
    separate_set
    hash_all
    set=$(id_of 1/f.001.pxr)
    expect 0 "$PERMXOR" hash --key 0123456789abcdef 1
    mv out key
    expect 5 "$PERMXOR" verify --hashes 0.txt key [2-5].txt
    says err "key:1: contradicts 0.txt:1: their hashes have different keys; use one --key"
    expect 0 "$PERMXOR" hash --size 4 1
    mv out short
    expect 5 "$PERMXOR" verify --hashes 0.txt short [2-5].txt
    says err "short:1: contradicts 0.txt:1: their hashes differ in size; use one --size"
    sed 's/ length=2000 / length=1999 /' 1.txt >length
    expect 5 "$PERMXOR" verify --hashes 0.txt length [2-5].txt
    says err "length:1: contradicts 0.txt:1: they give the same set another code or length"
    sed 's/hash=./hash=x/; s/hash=x/hash=0/' 1.txt >copy
    cmp copy 1.txt && sed 's/hash=./hash=1/' 1.txt >copy
    expect 5 "$PERMXOR" verify --hashes [0-5].txt copy
    says err ":1: contradicts "
    says err ": these are two hashes of the same shard"
    [ ! -s out ]
}

# refuses_line REASON SED-EXPRESSION: succeeds if line 2 of ./hashes is refused after the change.
refuses_line() {
    sed "2$2" hashes >changed
    cmp hashes changed && return 1
    expect 5 "$PERMXOR" verify --hashes changed
    says err "permxor: changed:2: $1"
    [ ! -s out ] && [ "$(wc -l <err)" = 1 ]
}

test_hashes_hostile_lines() {
    small_set
    "$PERMXOR" hash --stripes s >hashes
    field="has a wrong value"
    refuses_line "not a line of 'permxor hash'" 's/^/x/'
    refuses_line "not a line of 'permxor hash'" 's/.*//'
    refuses_line "made in a version of the lines" 's/permxor-hash 1/permxor-hash 2/'
    refuses_line "no set of shards has these values" 's/ k=4/ k=0/'
    refuses_line "no set of shards has these values" 's/ k=4/ k=255/'
    refuses_line "no set of shards has these values" 's/ m=2/ m=253/'
    refuses_line "no set of shards has these values" 's/ cell=64/ cell=0/'
    refuses_line "no set of shards has these values" 's/ cell=64/ cell=4294967295/'
    refuses_line "no set of shards has these values" 's/ shard=0/ shard=6/'
    refuses_line "no set of shards has these values" 's/ length=2000/ length=18446744073709551615/'
    refuses_line "no set of shards has these values" 's/ w=0 packetsize=0/ w=8 packetsize=8/'
    refuses_line "no set of shards has these values" 's/ matrix=isal_cauchy/ matrix=custom/'
    refuses_line "a code of words has no linear hashes" \
        's/isal_cauchy w=0/jerasure_van w=16/'
    for change in 's/ set=./ set=/' 's/ set=./ set=x/' 's/ k=4/ k=-4/' 's/ k=4/ k=65540/' \
        's/ k=4/ k=/' 's/ m=2/ m=2x/' 's/ k=4 m=2/ m=2 k=4/' 's/ matrix=isal_/ matrix=/' \
        's/ w=0/ w=258/' 's/ packetsize=0/ packetsize=4294967296/' \
        's/ cell=64/ cell=99999999999999999999/' 's/ length=2000//' 's/ shard=0/ shard=65536/' \
        's/ stripe=1/ stripe=8/' 's/ stripe=1/ stripe=18446744073709551615/' \
        's/ stripe=1/ stripe=all/' 's/ size=8/ size=9/' 's/ size=8/ size=4/' \
        's/ key=none/ key=0/' 's/ bytes=64/ bytes=65/' 's/ bytes=64 / /' 's/ hash=./ hash=/' \
        's/ hash=/ hash=00/' 's/ hash=.*/ hash=/' 's/ hash=.*//' 's/ hash=.*/ hash=damage/'; do
        refuses_line "the field '" "$change"
        says err "' is missing or $field"
    done
    refuses_line "there is more after the hash" 's/$/ more=1/'
    refuses_line "the line is too long, or is not text" "s/\$/$(printf '%09999d' 0)/"
    tr '4' '\0' <hashes >changed
    expect 5 "$PERMXOR" verify --hashes changed
    says err "changed:1: the line is too long, or is not text"
    expect 5 timeout 20 "$PERMXOR" verify --hashes /dev/zero
    says err "/dev/zero:1: the line is too long, or is not text"
    expect 3 "$PERMXOR" verify --hashes hashes nothing
    says err "nothing: cannot open: No such file or directory"
    expect 3 "$PERMXOR" verify --hashes s
    says err "s: cannot read: Is a directory"
    expect 5 "$PERMXOR" verify --hashes s/f.000.pxr
    says err "s/f.000.pxr:1: "
    expect 5 "$PERMXOR" verify --hashes /dev/null
    says err "no hash"
    # The last line may lack its end.
    printf %s "$(cat hashes)" >changed
    expect 0 "$PERMXOR" verify --hashes changed
}

# Lines that make sense one by one, but that no shards have: most numbers are huge.
test_hashes_hostile_sets() {
    line() { # K M MATRIX W PACKETSIZE CELL LENGTH SHARD STRIPE BYTES HASH
        echo "permxor-hash 1 set=$(printf '%032d' $1) k=$1 m=$2 matrix=$3 w=$4 packetsize=$5" \
            "cell=$6 length=$7 shard=$8 stripe=$9 size=4 key=none bytes=${10} hash=${11}"
    }
    most=4611686018427387904
    line 1 255 isal_cauchy 0 0 64 $most 255 $((most / 64 - 1)) 64 00000001 >hashes
    line 1 255 isal_cauchy 0 0 64 $most 0 $((most / 64 - 1)) 64 00000000 >>hashes
    expect 4 timeout 20 "$PERMXOR" verify --hashes hashes
    says out "shard 000: hashes:2: may be wrong, compared with other shards in 1 of 72057594037927936"
    says out "(stripes 72057594037927935)"
    line 2 1 isal_vand 0 0 67108864 $most 2 whole $((most / 2)) damaged >hashes
    expect 4 timeout 20 "$PERMXOR" verify --hashes hashes
    line 5 2 jerasure_liberation 257 1 16448 1 0 whole 257 "$(printf '%02056d' 0)" >hashes
    expect 4 timeout 20 "$PERMXOR" verify --hashes hashes
    line 30 6 isal_vand 0 0 64 1 0 whole 1 00000000 >hashes
    expect 5 "$PERMXOR" verify --hashes hashes
    says err "hashes:1: "
    says err "MDS"
}

# Random changes of lines never crash the command.
test_hashes_random_lines() {
    need_python
    echo "SEED=$SEED"
    small_set
    "$PERMXOR" hash --stripes s >hashes
    round=0
    while [ $round -lt 100 ]; do
        round=$((round + 1))
        python3 - $((SEED * 1000 + round)) <<'END' >changed
import random, sys
random.seed(int(sys.argv[1]))
text = bytearray(open("hashes", "rb").read())
for _ in range(random.choice((1, 2, 10, 100))):
    at = random.randrange(len(text))
    kind = random.randrange(4)
    if kind == 0:
        text[at] = random.randrange(256)
    elif kind == 1:
        text[at] = ord(random.choice("0123456789abcdef= \n"))
    elif kind == 2:
        del text[at:at + random.randrange(200)]
    else:
        text[at:at] = text[at:at + random.randrange(400)]
    text = text or bytearray(b"\n")
sys.stdout.buffer.write(text)
END
        status=0
        timeout 20 "$PERMXOR" verify --hashes changed >out 2>err || status=$?
        [ $status -le 5 ] && [ $status != 2 ]
        [ -s out ] || [ -s err ]
    done
}
