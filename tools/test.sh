#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# All tests, from a fresh checkout: install what is needed, build in every way
# that is supported, run the suites, add them up.
#
#   tools/test.sh            everything (about 25 minutes on two cores)
#   tools/test.sh native     the native suite alone
#
# BUILD names the folder for the builds (build/test/).  The last line is the
# sum: N passed, N failed, N skipped.
set -uo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
root=${BUILD:-$top/build/test}
passed=0
failed=0
skipped=0

# stage NAME COMMAND...: COMMAND's output is shown and kept; its last line
# `N passed, N failed[, N skipped]` is added up.  A command that has none
# counts as one check, by its status.
stage() {
    local name=$1 log=$root/$1.log status=0 sum began=$SECONDS
    shift
    printf '\n=== %s\n' "$name"
    "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    sum=$(grep -E '^([^ ]+: )?[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -n 1)
    if [ -n "$sum" ]; then
        sum=${sum##*: }
        # shellcheck disable=SC2086 # the words of the line
        set -- ${sum//,/}
        passed=$((passed + $1))
        failed=$((failed + $3))
        skipped=$((skipped + ${5:-0}))
        if [ "$status" -ne 0 ] && [ "$3" -eq 0 ]; then
            failed=$((failed + 1))
        fi
    elif [ "$status" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
    printf '=== %s: status %d, %d s\n' "$name" "$status" $((SECONDS - began))
}

# Build in a folder of its own and run the native suite there.
variant() {
    local folder=$root/$1
    shift
    "$top/tools/build.sh" "$folder" --enable-werror "$@" && make -C "$folder" --quiet check
}

mkdir -p "$root"
"$top/tools/setup.sh" --test || exit 1

stage gcc-nasm variant gcc-nasm NASM=nasm
if [ "${1:-}" != native ]; then
    stage clang variant clang CC=clang
    stage no-asm variant no-asm --disable-asm
    stage yasm variant yasm NASM=yasm
    stage sanitize make -C "$root/gcc-nasm" --quiet check-sanitize
    stage coverage make -C "$root/gcc-nasm" --quiet check-coverage
    stage distcheck make -C "$root/gcc-nasm" --quiet distcheck
fi

printf '\n%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed -eq 0 ]
