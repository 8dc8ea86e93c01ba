#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# zig-cc.sh cc|c++ TARGET ARGUMENT...: the C or C++ compiler in zig, for processors and C
# libraries of which this machine has nothing.  zig has other names for processors than gcc and
# clang.  $ZIG names its program.
mode=$1
target=$2
shift 2
for word; do
    shift
    case $word in
    -march=armv8.2-a+*) word=-mcpu=generic+v8_2a+${word#*+} ;;
    -march=armv8-a) word=-mcpu=generic ;;
    -mcpu=power*) word=-mcpu=pwr${word#*power} ;;
    esac
    set -- "$@" "$word"
done
exec "${ZIG:?}" "$mode" -target "$target" "$@"
