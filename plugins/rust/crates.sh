#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Makes the packages of the crates, with the library's sources in permxor-sys, and prints where
# they are.  The option --workspace needs cargo 1.90.
#
# From the environment: top_srcdir, top_builddir, and CARGO, the program (cargo).

suite=crates
. "$top_srcdir/unit/checks.sh"
work=$top_builddir/sub-builds/rust
mkdir -p "$work"
. "$top_srcdir/plugins/rust/cargo_env.sh"

stage
[ "$failed" -eq 0 ] || finish
cd "$source" && cargo package --locked --allow-dirty --workspace --no-verify &&
    ls "$CARGO_TARGET_DIR"/package/*.crate
