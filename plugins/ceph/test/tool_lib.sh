# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by tool_test.sh.  Has the functions of the cases.  tool_test.sh sources folders.sh and
# sets $seed, $work, which is the folder of this worker, and $tool_is.

# tool FOLDER COMMAND...: runs ceph-erasure-code-tool with the plugins of this folder.
tool() {
    folder=$1
    shift
    ceph-erasure-code-tool --no-mon-config -c /dev/null --log-file=/dev/null \
        --fatal_signal_handlers=false --erasure_code_dir "$folder" "$@"
}

# ids N: prints 0,1,..,N-1.
ids() {
    seq -s , 0 $(($1 - 1))
}

# ------------------------------------------------------------ what is lost --

# every_pattern SHARDS LOSSES: prints the survivors of every loss of 1 to LOSSES shards.
every_pattern() {
    awk -v n="$1" -v most="$2" 'BEGIN {
        for (mask = 1; mask < 2 ^ n - 1; mask++) {
            lost = 0
            have = ""
            for (i = 0; i < n; i++)
                if (int(mask / 2 ^ i) % 2 == 0)
                    lost++
                else
                    have = have (have == "" ? "" : ",") i
            if (lost <= most)
                print have
        }
    }'
}

# random_patterns SHARDS LOSSES COUNT STREAM: prints the survivors of COUNT random losses of 1
# to LOSSES shards.  The first one loses LOSSES shards.
random_patterns() {
    awk -v n="$1" -v most="$2" -v count="$3" -v seed="$seed$4" 'BEGIN {
        srand(seed)
        for (round = 0; round < count; round++) {
            left = round == 0 ? most : 1 + int(rand() * most)
            have = ""
            for (i = 0; i < n; i++)
                if (rand() * (n - i) < left)
                    left--
                else
                    have = have (have == "" ? "" : ",") i
            print have
        }
    }'
}

# ------------------------------------------------------------------- bytes --

# shards FOLDER PROFILE SHARDS UNIT FILE DESTINATION
shards() {
    mkdir "$6"
    cp "$5" "$6/f"
    tool "$1" encode "$2" "$4" "$(ids "$3")" "$6/f" || return 1
    rm "$6/f"
}

# same_shards SHARDS: checks that both made this number of shards with the same bytes, and no
# empty shard.
same_shards() {
    for shard in $(ids "$1" | tr , ' '); do
        [ -s "original/f.$shard" ] || { echo "shard $shard is missing"; return 1; }
        cmp "original/f.$shard" "ours/f.$shard" || return 1
    done
}

encodes() {
    rm -rf original ours
    shards "$original" "$1" "$3" "$4" "$5" original &&
        shards "$ours" "$2" "$3" "$4" "$5" ours && same_shards "$3"
}

# decodes ORIGINAL OURS UNIT SURVIVORS FILE: each of the two decodes what the other encoded.
# Both must give the bytes of FILE, and the same padding behind them.
decodes() {
    rm -f original/f ours/f
    tool "$original" decode "$1" "$3" "$4" ours/f &&
        tool "$ours" decode "$2" "$3" "$4" original/f && cmp original/f ours/f &&
        cmp -n "$(wc -c < "$5")" original/f "$5"
}

# decodes_a_part ORIGINAL OURS UNIT SURVIVORS FILE: the same with the tool of 20.2.4.  What this
# tool writes begins with the unit of the first data shard that is there, and it may end before
# the object does.
decodes_a_part() {
    rm -f original/f ours/f
    tool "$original" decode "$1" "$3" "$4" original/f &&
        tool "$ours" decode "$2" "$3" "$4" ours/f && cmp original/f ours/f || return 1
    start=$((${4%%,*} * $3))
    length=$(wc -c < original/f)
    object=$(($(wc -c < "$5") - start))
    [ "$length" -gt 0 ] || { echo "nothing was decoded"; return 1; }
    [ "$object" -le 0 ] ||
        cmp -n $((length < object ? length : object)) -i "0:$start" original/f "$5"
}

# data_among K: passes on the patterns in which a data shard survives.  Without one, the tool of
# 20.2.4 writes an empty file.
data_among() {
    awk -F , -v k="$1" '$1 < k'
}

# The shards of a case that a release with a whole tool has written, and the object.
keep_shards() {
    cp -r original "$kept" && cp data "$kept/data"
}

take_shards() {
    rm -rf original ours
    cp -r "$kept" original && mv original/data data && cp -r original ours
}

# bytes ORIGINAL OURS SHARDS LOSSES UNIT SIZE COUNT: tests two profiles that mean the same code,
# in both directions.  SIZE bytes are encoded, and decoded after losses.  COUNT is a number of
# random losses, or "every" for all losses.
bytes() {
    title="$2 unit $5 size $6"
    kept="$SHARDS/$1 $2 $5 $6 $7"
    if [ "$tool_is" = whole ]; then
        head -c "$6" "$source" > data
        check "$title" encodes "$1" "$2" "$3" "$5" data
        [ -z "$SHARDS" ] || keep_shards || fail "$title: its shards are not kept"
        decoder=decodes
    else
        take_shards || { fail "$title: no shards are kept"; return; }
        decoder=decodes_a_part
    fi
    if [ "$7" = every ]; then
        every_pattern "$3" "$4"
    else
        random_patterns "$3" "$4" "$7" "$(($3 * 1000 + $6 % 1000))"
    fi | if [ "$tool_is" = whole ]; then cat; else data_among $(($3 - $4)); fi > patterns
    while read -r have; do
        check "$title have $have" $decoder "$1" "$2" "$5" "$have" data
    done < patterns
}

# ---------------------------------------------------------------- profiles --

# said FOLDER PROFILE: prints what the tool says about a profile, without the help that follows.
# If a profile is refused, the tool does not survive, whatever the plugin.  The words before
# that are the plugin's.
said() {
    tool "$1" calc-chunk-size "$2" 16384 > answer 2>&1
    echo "status $?" > said
    sed '/^usage:/,$d' answer >> said
    sed "s/^invalid profile: load: [a-z]* /invalid profile: /" said
}

# agreed ORIGINAL OURS: checks that the words and the size of a chunk are the same.
agreed() {
    said "$original" "$1" > said.original
    said "$ours" "$2" > said.ours
    diff said.original said.ours
}

agrees() {
    check "$2 is answered alike" agreed "$@"
}

# refused WORDS ORIGINAL OURS: checks that both refuse in the same words, with WORDS among them.
refused() {
    agreed "$2" "$3" && grep -q "^invalid profile" said.original &&
        grep -F -e "$1" said.original
}

refuses() {
    check "$3 is refused" refused "$(echo "$1" | tr _ ' ')" "$2" "$3"
}

# refused_alone WORDS PROFILE: checks that ours refuses if there is no original to hand it to.
refused_alone() {
    said "$alone" "$2" > said.alone
    cat said.alone
    grep -q "^invalid profile" said.alone && grep -qF -e "$1" said.alone
}

refuses_alone() {
    check "$2 is refused without the original" refused_alone "$(echo "$1" | tr _ ' ')" "$2"
}

codes_alone() {
    check "$1 is coded without the original" said_size "$alone" "$1"
}

# said_size FOLDER PROFILE: checks that the profile is accepted and has a size of a chunk.
said_size() {
    said "$1" "$2"
    grep -q "^status 0" said
}

# same_chunk_sizes SMALLEST ORIGINAL OURS
same_chunk_sizes() {
    for size in "$1" $(($1 + 30)) 4096 16384 100003 4194304; do
        tool "$original" calc-chunk-size "$2" "$size" > size.original &&
            tool "$ours" calc-chunk-size "$3" "$size" > size.ours &&
            cmp size.original size.ours || { echo "stripe of $size"; return 1; }
    done
}

chunk_sizes() {
    check "$3: chunk sizes" same_chunk_sizes "$@"
}

# exists FOLDER PLUGIN
exists() {
    check "$2 exists in $(basename "$1")" tool "$1" test-plugin-exists "$2"
}

lacks() {
    check "$2 does not exist in $(basename "$1")" refuses_to_load "$@"
}

refuses_to_load() {
    ! tool "$1" test-plugin-exists "$2"
}
