#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the programs in perf/isal/ as scripts use them.  They have to print ISA-L's lines, the
# figures in a line have to agree with each other and with our line, and wrong arguments have to
# be refused.  Speed is not judged.
#
# It runs in the build directory.  The environment sets top_srcdir and CC.

: "${top_srcdir:?}" "${CC:=cc}"
work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-isal-perf.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
unset LD_LIBRARY_PATH LD_PRELOAD PERMXOR_KERNELS PERMXOR_PERF_LIBRARY
LC_ALL=C
export LC_ALL

suite=isal_perf_test
. "$top_srcdir/unit/checks.sh"

# perf STATUS PROGRAM ARGUMENTS...: succeeds if the program ends with this status.  Its output
# is in $work/out and its messages are in $work/err.
perf() {
    expected=$1
    program=$2
    shift 2
    status=0
    "perf/isal/$program" --time 0.01 --set 1 "$@" > "$work/out" 2> "$work/err" || status=$?
    [ "$status" -eq "$expected" ] && return
    echo "$program $*: status $status instead of $expected"
    cat "$work/out" "$work/err"
    return 1
}

# lines LINE...: succeeds if the output consists of these lines of ISA-L, in this order.
# `NAME: figures BYTES DATA` stands for a line with figures and for our line after it.  A call
# counts BYTES bytes, and DATA of them are source data.
lines() {
    for line; do
        printf '%s\n' "$line"
    done > "$work/expected"
    awk '
        function wrong(why) { print "line " FNR ": " why ": " $0; bad = 1 }
        function about(a, b, within) { return a - b <= within && b - a <= within }
        NR == FNR { expected[NR] = $0; count = NR; next }
        FNR == 1 { at = 1 }
        ours { # "# counts W = BYTES bytes a call of US us (...); source data: GBS GB/s"
            ours = 0
            if ($0 !~ /^# counts [-+*()a-z0-9]+ = [0-9]+ bytes a call of /)
                wrong("not our line")
            if ($5 != bytes) wrong("not " bytes " bytes")
            if (!about(rate, $5 / $10, 0.005 + rate * 1e-5)) wrong("another rate")
            match($0, /source data: [0-9.]+ GB\/s/)
            data_rate = substr($0, RSTART + 13) + 0
            if (!about(data_rate, rate * data / bytes / 1000, 0.001)) wrong("other source data")
            next
        }
        /^#/ { next }
        split(expected[at], part, ": figures ") == 2 {
            at++
            split($0, field, /[ :=,]+/)
            usecs = field[3]; megabytes = field[6]; seconds = field[9]; rate = field[11]
            form = "%s: runtime = %10d usecs, bandwidth %d MB in %.4f sec = %.2f MB/s"
            if ($0 != sprintf(form, part[1], usecs, megabytes, seconds, rate))
                wrong("not the form")
            if (!about(seconds, usecs / 1e6, 0.00006)) wrong("usecs and sec differ")
            if (!about(rate, megabytes * 1e6 / usecs, (1 + rate / 1e6) * 1e6 / usecs))
                wrong("MB/s is not MB in sec")
            split(part[2], number, " ")
            bytes = number[1]; data = number[2]
            ours = 1
            next
        }
        $0 != expected[at++] { wrong("expected " expected[at - 1]) }
        END {
            if (at != count + 1) { print count " lines expected, " at - 1 " found"; bad = 1 }
            exit bad
        }' "$work/expected" "$work/out" && return
    cat "$work/out"
    return 1
}

# refuses PROGRAM ARGUMENTS...: succeeds if the program prints a message and no figure, and ends
# with status 2.
refuses() {
    perf 2 "$@" || return 1
    [ -s "$work/err" ] || { echo "no message"; return 1; }
    ! grep runtime "$work/out"
}

# ------------------------------------------------------------------- lines --

# Prints the numbers of the lost shards, which are in the program's first line.
losses() {
    sed -n 's/.*in \[ \([0-9 ]*\)\])$/\1/p' "$work/out"
}

# title K P E: prints the first line of the programs for codes, with the shards that were lost.
title() {
    echo "Testing with $1 data buffers and $2 parity buffers (num errors = $3, in [ $(losses)])"
}

code_defaults() {
    perf 0 erasure_code_perf || return 1
    lines "$(title 8 6 4)" \
        "erasure_code_perf: 14x9344 4" \
        "erasure_code_encode_warm: figures $((14 * 9344)) $((8 * 9344))" \
        "erasure_code_decode_warm: figures $((12 * 9344)) $((8 * 9344))" \
        "done all: Pass"
}

# code K P E: runs erasure_code_perf with this shape.  The E lost shards have to be different
# shards of the stripe.
code() {
    perf 0 erasure_code_perf -k "$1" -p "$2" -e "$3" -s 4K || return 1
    [ "$(losses | tr ' ' '\n' | awk -v m=$(($1 + $2)) '
        /./ && $1 < m && !seen[$1]++ { n++ } END { print n + 0 }')" -eq "$3" ] ||
        { echo "losses: $(losses)"; return 1; }
    lines "$(title "$1" "$2" "$3")" \
        "erasure_code_perf: $(($1 + $2))x4096 $3" \
        "erasure_code_encode_warm: figures $((($1 + $2) * 4096)) $(($1 * 4096))" \
        "erasure_code_decode_warm: figures $((($1 + $3) * 4096)) $(($1 * 4096))" \
        "done all: Pass"
}

code_cold() {
    perf 0 erasure_code_perf --cold || return 1
    grep -q '^erasure_code_perf: 14x2396736 4$' "$work/out" &&
        grep -q '^erasure_code_encode_cold: ' "$work/out" &&
        grep -q '^erasure_code_decode_cold: ' "$work/out"
}

# update K P E LEN ARGUMENTS...: runs erasure_code_update_perf with these arguments, and expects
# this shape.
update() {
    k=$1 p=$2 e=$3 len=$4
    shift 4
    perf 0 erasure_code_update_perf "$@" || return 1
    line=ec_encode_data_update
    lines "$(title "$k" "$p" "$e")" \
        "${line}_perf: $((k + p))x$len $e" \
        "${line}_warm: figures $(((k + p) * len)) $((k * len))" \
        "${line}_single_src_warm: figures $(((p + 1) * len)) $len" \
        "${line}_single_src_simple_warm: figures $(((p + 1) * len)) $len" \
        "${line}_decode_warm: figures $(((k + e) * len)) $((k * len))" \
        "done all: Pass"
}

# mul LEN ARGUMENTS...: runs gf_vect_mul_perf and expects this length.
mul() {
    len=$1
    shift
    perf 0 gf_vect_mul_perf "$@" &&
        lines "gf_vect_mul_perf:" "Start timed tests" "gf_vect_mul_warm: figures $len $len"
}

# dot_prod K LEN ARGUMENTS...: runs gf_vect_dot_prod_perf and expects this shape.
dot_prod() {
    k=$1 len=$2
    shift 2
    perf 0 gf_vect_dot_prod_perf "$@" &&
        lines "gf_vect_dot_prod: ${k}x$len" \
            "gf_vect_dot_prod_warm: figures $(((k + 1) * len)) $((k * len))" "pass perf check"
}

# raid xor|pq K LEN MODE ARGUMENTS...: runs xor_gen_perf or pq_gen_perf and expects this shape
# and mode.
raid() {
    kind=$1 k=$2 len=$3 mode=$4
    shift 4
    case $kind in
    xor) parities=1 head="Test xor_gen_perf" ;;
    pq) parities=2 head="Test pq_gen_perf $k sources X $len bytes" ;;
    esac
    perf 0 "${kind}_gen_perf" "$@" &&
        lines "$head" "${kind}_gen_$mode: figures $(((k + parities) * len)) $((k * len))"
}

bare_is_bare() {
    perf 0 erasure_code_perf --bare -s 64 && ! grep '#' "$work/out" &&
        [ "$(wc -l < "$work/out")" -eq 5 ]
}

helps() {
    perf 0 "$1" -h && grep -q "^usage: $1 " "$work/out" && [ ! -s "$work/err" ]
}

if ! perf/isal/xor_gen_perf -h > /dev/null 2>&1; then
    skip "the programs with ISA-L's names" "perf/isal/xor_gen_perf does not run here"
    finish
fi
check "erasure_code_perf" code_defaults
check "erasure_code_perf, default size of cold buffers" code_cold
for shape in "1 1 1" "10 4 4" "12 3 1" "2 6 6" "40 20 7" "100 100 100" "254 1 1"; do
    # shellcheck disable=SC2086 # three words
    check "erasure_code_perf -k -p -e: $shape" code $shape
done
check "erasure_code_update_perf" update 10 4 4 9344
check "erasure_code_update_perf -k -p -e" update 5 3 2 128 -k 5 -p 3 -e 2 -s 128
check "erasure_code_update_perf, many" update 90 90 80 64 -k 90 -p 90 -e 80 -s 64
check "gf_vect_mul_perf" mul 8192
check "gf_vect_mul_perf -s" mul 1048576 -s 1m
check "gf_vect_dot_prod_perf" dot_prod 10 8192
check "gf_vect_dot_prod_perf -k -s" dot_prod 255 63 -k 255 -s 63
check "xor_gen_perf" raid xor 10 8192 warm
check "xor_gen_perf -k -s" raid xor 255 1 warm -k 255 -s 1
check "xor_gen_perf, cold" raid xor 10 3355443 cold --cold
check "pq_gen_perf" raid pq 10 8192 warm
check "pq_gen_perf -k -s" raid pq 255 32 warm -k 255 -s 32
check "pq_gen_perf, cold" raid pq 10 3355392 cold --cold
check "ISA-L's lines alone" bare_is_bare

# ----------------------------------------------------------------- refused --

# Asks for 1 GiB of buffers with a limit of 256 MiB.  The limit cannot be raised again, so this
# is a subshell.
too_little_memory() (
    ulimit -v 262144 || exit
    refuses xor_gen_perf -k 255 -s 4M && grep 'not enough memory' "$work/err"
)

codes="erasure_code_perf erasure_code_update_perf"
for program in $codes gf_vect_mul_perf gf_vect_dot_prod_perf xor_gen_perf pq_gen_perf; do
    check "$program -h" helps "$program"
    for arguments in "-x" "--no-such-option" "word" "-s" "-s 0" "-s -64" "-s 64x" "-s K" \
        "-s 2G" "-s 99999999999999999999" "-s 1e3" "--time 0" "--library no-such-file" \
        "--library /dev/null"; do
        # shellcheck disable=SC2086 # words
        check "$program refuses $arguments" refuses "$program" $arguments
    done
done
for program in $codes; do
    for arguments in "-k 0" "-k -1" "-k x" "-k" "-p 0" "-e 0" "-p 3 -e 4" "-k 255 -p 1 -e 1" \
        "-k 2147483647" "-p 4294967297" "-s 100"; do
        # shellcheck disable=SC2086 # words
        check "$program refuses $arguments" refuses "$program" $arguments
    done
done
check "update loses data alone" refuses erasure_code_update_perf -k 3 -p 5 -e 4
check "xor of one" refuses xor_gen_perf -k 1
check "P+Q of one" refuses pq_gen_perf -k 1
check "P+Q of half a vector" refuses pq_gen_perf -s 48
check "product of half a vector" refuses gf_vect_mul_perf -s 48
check "257 sources" refuses gf_vect_dot_prod_perf -k 256
check "too little memory" too_little_memory

singular() {
    perf 2 erasure_code_perf -k 99 -p 6 -e 6 -s 64 && grep -q '^BAD MATRIX$' "$work/out" &&
        ! grep -q Pass "$work/out"
}

# This code is not MDS, so it cannot decode some losses.  Which six shards are lost depends on
# the C library's rand().
if perf/isal/erasure_code_perf -k 99 -p 6 -e 6 -s 64 --time 0.01 2>&1 |
    grep -qF 'in [ 39 6 102 49 5 100 ]'; then
    check "a code that cannot decode" singular
else
    skip "a code that cannot decode" "rand() gives other numbers here, so other shards are lost"
fi

# --------------------------------------------------------------- libraries --

# library_named FILE ARGUMENTS...: succeeds if all programs measure this library, and our line
# has its name.
library_named() {
    file=$1
    shift
    for program in $codes gf_vect_mul_perf gf_vect_dot_prod_perf xor_gen_perf pq_gen_perf; do
        perf 0 "$program" "$@" && grep -q "^# $(readlink -f "$file") " "$work/out" || return 1
    done
}

library_by_variable() {
    PERMXOR_PERF_LIBRARY=$1
    export PERMXOR_PERF_LIBRARY
    library_named "$1"
    named=$?
    unset PERMXOR_PERF_LIBRARY
    return "$named"
}

ours=.libs/libisal.so.2
if [ -e "$ours" ]; then
    check "--library" library_named "$ours" --library "$ours"
    check "PERMXOR_PERF_LIBRARY" library_by_variable "$ours"
else
    skip "a library by path" "this build has no shared libraries"
fi

# A library that has only these two functions, and encodes everything to zeros.
cat > "$work/zeros.c" << 'END'
#include <string.h>
void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *tables);
void ec_encode_data(int len, int k, int rows, unsigned char *tables, unsigned char **data,
                    unsigned char **coding);
void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *tables)
{
    (void)k, (void)rows, (void)a, (void)tables;
}
void ec_encode_data(int len, int k, int rows, unsigned char *tables, unsigned char **data,
                    unsigned char **coding)
{
    (void)k, (void)tables, (void)data;
    for (int i = 0; i < rows; i++)
        memset(coding[i], 0, (size_t)len);
}
END

tells_wrong_bytes() {
    perf 1 erasure_code_perf --library "$work/zeros.so" &&
        grep -q '^Fail: erasure_code_encode ' "$work/out" && ! grep Pass "$work/out"
}

# shellcheck disable=SC2086 # CC may be several words
if $CC -shared -fPIC -o "$work/zeros.so" "$work/zeros.c" 2> /dev/null; then
    check "wrong bytes" tells_wrong_bytes
    check "a function that is not there" refuses xor_gen_perf --library "$work/zeros.so"
    check "updates that are not there" \
        refuses erasure_code_update_perf --library "$work/zeros.so"
else
    skip "a library that gives wrong bytes" "$CC cannot build a shared library"
fi

finish
