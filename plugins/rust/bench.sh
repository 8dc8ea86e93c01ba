#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Measures permxor beside the other crates, one after the other on the same shards, each with one
# thread.  There are two programs, because two of the crates cannot be measured in one
# (peers/Cargo.toml).  Arguments go to Criterion, as in `bench.sh 10+4/permxor`.
#
# From the environment: top_srcdir, top_builddir, and CARGO, the program (cargo).

suite=bench-rust
. "$top_srcdir/unit/checks.sh"
work=$top_builddir/sub-builds/rust
mkdir -p "$work"
. "$top_srcdir/plugins/rust/cargo_env.sh"

use_this_build
export RAYON_NUM_THREADS=1
cd "$source/peers" || exit
for features in system,rustfs system; do
    cargo bench --locked --no-default-features --features $features --bench encode -- "$@" ||
        exit
done
