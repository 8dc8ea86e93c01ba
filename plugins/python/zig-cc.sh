#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# zig-cc.sh cc|c++ TARGET ARGUMENT...: the C or C++ compiler in zig, for processors and C
# libraries of which this machine has nothing.  zig has other names for processors than gcc and
# clang.  $ZIG names its program.
mode=$1
target=$2
shift 2
last=
output=
for word; do
    shift
    case $word in
    -march=armv8.2-a+*) word=-mcpu=generic+v8_2a+${word#*+} ;;
    -march=armv8-a) word=-mcpu=generic ;;
    -mcpu=power*) word=-mcpu=pwr${word#*power} ;;
    esac
    [ "$last" != -o ] || output=$word
    last=$word
    set -- "$@" "$word"
done
"${ZIG:?}" "$mode" -target "$target" "$@" || exit

# zig calls musl's library libc.so, and auditwheel knows it by Alpine's name alone.  musl's loader
# takes both names for itself.
case "$target $* " in
*-musl*" -shared "*)
    arch=$(echo "${target%%-*}" | sed 's/powerpc64le/ppc64le/')
    exec patchelf --replace-needed libc.so "libc.musl-$arch.so.1" "$output"
    ;;
esac
