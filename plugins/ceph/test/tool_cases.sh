# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# Sourced by tool_test.sh.  Prints the cases.  Each line is a call of a function of tool_lib.sh.

isa="plugin=isa,technique"
jerasure="plugin=jerasure,technique"
permxor="plugin=permxor,technique"

# Sizes of files: less than a unit, odd, and many stripes.  unit_of SIZE prints the unit of a
# stripe for such a file; any code with w=8 can have it.  The original jerasure aborts if a
# chunk is shorter than the 128 bytes that jerasure-per-chunk-alignment asks for.
sizes="1 4095 70001"
unit_of() {
    case $1 in
    1) echo 128 ;;
    4095) echo 384 ;;
    *) echo 4096 ;;
    esac
}

# code PROFILE PROFILE K M COUNT: a code with all sizes of files.
code() {
    for size in $sizes; do
        echo "bytes $1,k=$3,m=$4 $2,k=$3,m=$4 $(($3 + $4)) $4 $(unit_of "$size") $size $5"
    done
}

# each_of_ours COMMAND [ARGUMENTS]: runs COMMAND ORIGINAL OURS ARGUMENTS for each technique that
# is coded here and that allows any m.
each_of_ours() {
    command=$1
    shift
    for technique in $isa=reed_sol_van $isa=cauchy $jerasure=reed_sol_van \
        $jerasure=reed_sol_van,jerasure-per-chunk-alignment=true; do
        $command "$technique" "$technique" "$@"
    done
    $command "$isa=reed_sol_van" "$permxor=reed_sol_van" "$@"
    $command "$isa=cauchy" "$permxor=cauchy" "$@"
    $command "$jerasure=reed_sol_van" "$permxor=jerasure_reed_sol_van" "$@"
}

# The same for the techniques that allow only m=2.
each_raid6() {
    command=$1
    shift
    for technique in $jerasure=reed_sol_r6_op,w=8 \
        $jerasure=reed_sol_r6_op,jerasure-per-chunk-alignment=true; do
        $command "$technique" "$technique" "$@"
    done
    $command "$jerasure=reed_sol_r6_op" "$permxor=jerasure_reed_sol_r6_op" "$@"
}

small_codes() {
    each_of_ours code 2 1 every
    each_of_ours code 3 2 every
    each_of_ours code 4 2 every
    each_of_ours code 4 3 every
    each_raid6 code 3 2 every
    each_raid6 code 4 2 every
}

many_codes() {
    for k in 2 3 5 6 7 8 10 12; do
        for m in 1 2 3 4; do
            each_of_ours code $k $m 1
        done
        each_raid6 code $k 2 2
    done
}

# Codes at the limits of k and m, and codes with numbers that need more than a nibble.
large_codes() {
    code "$isa=reed_sol_van" "$isa=reed_sol_van" 21 4 4
    code "$isa=reed_sol_van" "$isa=reed_sol_van" 32 3 4
    code "$isa=cauchy" "$isa=cauchy" 32 32 2
    code "$isa=cauchy" "$isa=cauchy" 20 12 2
    code "$jerasure=reed_sol_van" "$jerasure=reed_sol_van" 20 12 2
    code "$jerasure=reed_sol_van" "$jerasure=reed_sol_van" 100 20 1
    code "$jerasure=reed_sol_r6_op" "$jerasure=reed_sol_r6_op" 64 2 4
}

# Mappings that leave the chunks in order.  All other mappings are left to the originals.
mapped_codes() {
    for profile in $isa=cauchy,k=4,m=2,mapping=DDDD__ \
        $jerasure=reed_sol_van,k=4,m=2,mapping=DDDD__; do
        echo "bytes $profile $profile 6 2 4096 70001 every"
    done
}

# other PROFILE SHARDS LOSSES UNIT [COUNT]: one profile for both plugins.
other() {
    for size in 1 70001; do
        echo "bytes $1 $1 $2 $3 $4 $size ${5:-2}"
    done
}

# Packets of other sizes than the default, and words of other widths.
packets_and_words() {
    for technique in cauchy_good cauchy_orig; do
        other "$jerasure=$technique,packetsize=32,k=4,m=3" 7 3 4096 every
        other "$jerasure=$technique,packetsize=32,w=4,k=10,m=4" 14 4 4096 8
        other "$jerasure=$technique,packetsize=16,k=5,m=2,jerasure-per-chunk-alignment=true" \
            7 2 4096 every
    done
    other "$jerasure=liberation,packetsize=32,w=7,k=5,m=2" 7 2 896 every
    other "$jerasure=blaum_roth,packetsize=32,w=6,k=4,m=2" 6 2 768 every
    other "$jerasure=liber8tion,packetsize=32,k=4,m=2" 6 2 1024 every
    for technique in cauchy_orig cauchy_good; do
        other "$jerasure=$technique" 10 3 65536 8
    done
    for technique in liberation blaum_roth; do
        other "$jerasure=$technique" 4 2 57344 every
    done
    other "$jerasure=liber8tion" 4 2 65536 every
    for w in 16 32; do
        other "$jerasure=reed_sol_van,w=$w,k=4,m=3" 7 3 4096 8
        other "$jerasure=reed_sol_r6_op,w=$w,k=4,m=2" 6 2 4096 every
    done
}

through_others() {
    other plugin=lrc,k=4,m=2,l=3 8 1 4096 every
    for inner in isa,technique=cauchy isa,technique=reed_sol_van \
        jerasure,technique=reed_sol_van; do
        other plugin=clay,k=4,m=2,d=5,scalar_mds=$inner 6 2 4096 every
    done
    other plugin=clay,k=4,m=2,d=5,scalar_mds=jerasure,technique=cauchy_good 6 2 524288
    other plugin=shec,k=4,m=3,c=2 7 2 4096 3
}

# Stripes of any size, in codes whose k does not divide them.
all_chunk_sizes() {
    for codes in k=2,m=1 k=3,m=2 k=7,m=3 k=10,m=4; do
        for profile in $isa=reed_sol_van $isa=cauchy $jerasure=reed_sol_van; do
            echo "chunk_sizes 1 $profile,$codes $profile,$codes"
        done
        profile=$jerasure=reed_sol_van,jerasure-per-chunk-alignment=true,$codes
        echo "chunk_sizes 1280 $profile $profile"
        echo "chunk_sizes 1 $isa=reed_sol_van,$codes $permxor=jerasure_reed_sol_van,$codes"
    done
    for profile in plugin=isa "$jerasure=reed_sol_van" "$jerasure=reed_sol_r6_op" \
        "$jerasure=reed_sol_r6_op,k=5" "$jerasure=cauchy_good,k=5,m=2" "$jerasure=cauchy_orig" \
        "$jerasure=liberation" "$jerasure=blaum_roth" "$jerasure=liber8tion" \
        "$jerasure=cauchy_good,k=3,w=5,packetsize=7" "$jerasure=reed_sol_van,w=16,k=3" \
        "$jerasure=reed_sol_r6_op,w=32"; do
        echo "chunk_sizes 1 $profile $profile"
    done
}

# bad_profile WORDS PROFILE [PROFILE]: must be refused with WORDS, where _ stands for a space.
bad_profile() {
    echo "refuses $1 $2 ${3:-$2}"
}

# bad_numbers NAME=TECHNIQUE [NAME=TECHNIQUE]: the names of the original and of ours.
bad_numbers() {
    for bad in k=0,m=2 k=1,m=2 k=-1,m=2 k=4,m=0 k=4,m=-1; do
        bad_profile "must_be_>=" "$1,$bad" "$2,$bad"
    done
    for bad in k=text,m=2 k=4,m=text k=4x,m=2 k=99999999999,m=2; do
        bad_profile "could_not_convert" "$1,$bad" "$2,$bad"
    done
}

# isa ignores a mapping of a wrong length, and jerasure refuses it.  Both accept a mapping that
# is not in order.
bad_mappings() {
    for mapping in DD _ DDDD__D; do
        bad_profile "maps_" "$jerasure=reed_sol_van,k=4,m=2,mapping=$mapping"
    done
    for mapping in DD _; do
        profile=$isa=cauchy,k=4,m=2,mapping=$mapping
        echo "agrees $profile $profile"
    done
    for profile in $isa=cauchy $jerasure=reed_sol_van; do
        profile=$profile,k=4,m=2,mapping=_DDDD_
        echo "agrees $profile $profile"
    done
}

# Empty numbers, numbers in other notations, and keys of another technique.
odd_profiles() {
    for technique in $isa=reed_sol_van $isa=cauchy $jerasure=reed_sol_van; do
        for odd in k=,m= k=+4,m=2 k=04,m=2 k=0x4,m=2 k=4,m=2,w=8 k=4,m=2,w= \
            k=4,m=2,packetsize=text k=4,m=2,nonsense=1 k=4,m=2,mapping= \
            k=4,m=2,jerasure-per-chunk-alignment=text k=4,m=2,crush-root=; do
            echo "agrees $technique,$odd $technique,$odd"
        done
    done
}

bad_profiles() {
    bad_numbers "$isa=reed_sol_van" "$isa=reed_sol_van"
    bad_numbers "$isa=cauchy" "$permxor=cauchy"
    bad_numbers "$jerasure=reed_sol_van" "$jerasure=reed_sol_van"
    bad_mappings
    odd_profiles
    for bad in k=33,m=3 k=4,m=5 k=22,m=4 k=33,m=33; do
        bad_profile "Vandermonde:" "$isa=reed_sol_van,$bad"
    done
    bad_profile "m=3_must_be_2" "$jerasure=reed_sol_r6_op,k=4,m=3"
    for bad in w=7 w=0 w=-8; do
        bad_profile "must_be_one_of_{8,_16,_32}" "$jerasure=reed_sol_van,k=4,m=2,$bad"
        bad_profile "must_be_one_of_{8,_16,_32}" "$jerasure=reed_sol_r6_op,k=4,m=2,$bad"
    done
    bad_profile "could_not_convert_w=text" "$jerasure=reed_sol_van,k=4,m=2,w=text"
    bad_profile "technique=" "$isa=unknown,k=4,m=2"
    bad_profile "technique=unknown_is_not_a_valid" "$jerasure=unknown,k=4,m=2"
    # Before 20.2, jerasure has no default for the technique.
    echo "agrees plugin=jerasure,k=4,m=2 plugin=jerasure,k=4,m=2"
    bad_profile "packetsize" "$jerasure=cauchy_good,k=4,m=2,packetsize=text"
    bad_profile "reverting_to_k=2,_w=7" "$jerasure=liberation,k=8"
    bad_profile "w+1_must_be_prime" "$jerasure=blaum_roth,w=8"
    bad_profile "must_be_a_multiple_of_sizeof(int)" "$jerasure=blaum_roth,packetsize=6"
    bad_profile "must_be_2_for_liber8tion" "$jerasure=liber8tion,m=3"
}

without_originals() {
    for profile in cauchy_good cauchy_orig liberation blaum_roth liber8tion \
        reed_sol_van,w=16 reed_sol_r6_op,w=32; do
        echo "codes_alone $jerasure=$profile"
    done
    for profile in $isa=unknown $permxor=unknown; do
        echo "refuses_alone is_not_a_valid_coding_technique $profile,k=4,m=2"
    done
    echo "refuses_alone own_isa_plugin $isa=cauchy,k=4,m=2,mapping=_DDDD_"
    echo "refuses_alone own_jerasure_plugin $jerasure=reed_sol_van,k=4,m=2,mapping=_DDDD_"
    echo "refuses_alone stores_the_data_chunks_first $permxor=cauchy,k=4,m=2,mapping=_DDDD_"
}

existing_plugins() {
    for plugin in permxor isa jerasure lrc clay shec; do
        echo "exists $ours $plugin"
    done
    for plugin in permxor isa jerasure; do
        echo "exists $alone $plugin"
    done
    echo "lacks $ours unknown"
}

all_cases() {
    existing_plugins
    bad_profiles
    without_originals
    all_chunk_sizes
    packets_and_words
    through_others
    mapped_codes
    small_codes
    large_codes
    many_codes
}
