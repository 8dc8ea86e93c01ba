#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check.sh quick: tests the crates with the library of this build (feature `system`).  It runs
# their own tests, the tests of reed-solomon-erasure, the exchange of shards with other crates, and
# the program of README.md.
#
# check.sh crate: tests the packages that would be published.  They compile the library.  It runs
# their tests on this machine, with the oldest Rust that they support, and for aarch64 under qemu.
# This takes many minutes.
#
# From the environment: top_srcdir, top_builddir, and CARGO, the program (cargo).
# Everything that it fetches or builds stays in sub-builds/rust and in cargo's own folder.

mode=${1-}
case $mode in
quick) suite=check-rust ;;
crate) suite=check-rust-crate ;;
*) echo "usage: check.sh quick|crate" >&2; exit 2 ;;
esac
. "$top_srcdir/unit/checks.sh"
work=$top_builddir/sub-builds/rust
mkdir -p "$work"
. "$top_srcdir/plugins/rust/cargo_env.sh"

# cargo_test NAME FOLDER OPTION...: runs the tests of a folder, and counts them one by one.
cargo_test() {
    name=$1
    folder=$2
    shift 2
    begun=$(date +%s)
    (cd "$folder" && cargo test --locked --no-fail-fast "$@") > "$work/test.log" 2>&1
    status=$?
    # shellcheck disable=SC2046 # two numbers
    set -- $(awk '/^test result:/ { good += $4; bad += $6 } END { print good + 0, bad + 0 }' \
        "$work/test.log")
    good=$1
    bad=$2
    if [ $status -ne 0 ] || [ "$good" -eq 0 ]; then
        [ "$bad" -gt 0 ] || bad=1
        echo "FAILED: $name"
        tail -n 40 "$work/test.log" | sed 's/^/    /'
    fi
    passed=$((passed + good))
    failed=$((failed + bad))
    echo "$name: $good passed, $bad failed, $(($(date +%s) - begun)) s"
}

# fetched NAME FOLDER: succeeds where cargo has the packages that FOLDER needs, or skips NAME.
fetched() {
    (cd "$2" && cargo fetch --locked) > "$work/fetch.log" 2>&1 && return
    skip "$1" "its packages are not to be had: $(grep -v '^ *$' "$work/fetch.log" | tail -n 1)"
    return 1
}

# ----------------------------------------------------------------- quick --

# Every function of the library is declared, and nothing else.
declares_all_functions() {
    sed -n 's/^    pub fn \(pxr_[a-z0-9_]*\).*/\1/p' "$source"/permxor-sys/src/*.rs |
        sort > "$work/declared"
    sort "$top_srcdir/erasure_code/permxor.sym" | diff "$work/declared" -
}

# Copies the tests out of the other crate.  Our suite includes these files, and Rust does not accept
# attributes of a whole file (#![...]) in a file that is included.
take_their_tests() {
    theirs=$(cd "$source/suite" && cargo metadata --locked --format-version 1 |
        sed 's/"manifest_path":/\n&/g' |
        sed -n 's|^"manifest_path":"\([^"]*/reed-solomon-erasure-6[^"]*\)/Cargo.toml".*|\1|p')
    mkdir -p "$work/theirs"
    sed -e '/^#!\[/d' -e '/^mod galois_16;/d' "$theirs/src/tests/mod.rs" > "$work/theirs/tests.rs"
    sed -n '/^mod tests {/,$p' "$theirs/src/galois_8.rs" > "$work/theirs/galois_8.rs"
    grep -q qc_verify_shards "$work/theirs/tests.rs" &&
        grep -q test_same_as_maybe_ffi "$work/theirs/galois_8.rs" && counts_of_left_out_tests
}

# left_out.txt names the files of tests that are left out, and how many tests each of them has.
counts_of_left_out_tests() {
    sed -n 's/^\(src[^\t]*\)\t\([0-9]*\)\t.*/\1 \2/p' "$source/left_out.txt" > "$work/left_out"
    while read -r file count; do
        [ "$(grep -cE '^ *(#\[test\]|fn qc_)' "$theirs/$file")" -eq "$count" ] || {
            echo "$file has another number of tests than $count"
            return 1
        }
    done < "$work/left_out"
}

their_tests() {
    fetched "tests of reed-solomon-erasure" "$source/suite" || return
    check "the tests of reed-solomon-erasure are found" take_their_tests
    THEIRS=$work/theirs cargo_test "tests of reed-solomon-erasure" "$source/suite" \
        --features system
    sed -n 's/^\(src[^\t]*\)\t\([0-9]*\)\t/left out: \2 tests of \1: /p' "$source/left_out.txt"
}

exchange() {
    needs=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$source/peers/Cargo.toml")
    if ! at_least "$needs"; then
        skip "exchange with other crates" "they need Rust $needs, and this is $rust"
    elif fetched "exchange with other crates" "$source/peers"; then
        cargo_test "exchange with other crates" "$source/peers" --features system --tests
    fi
}

# The program of README.md prints what README.md says.
runs_the_program_of_the_page() {
    program=$work/program
    rm -rf "$program" && cargo init -q --vcs none --name program "$program" &&
        printf '\n[workspace]\n' >> "$program/Cargo.toml" &&
        (cd "$program" && cargo add -q --offline permxor --path "$source/permxor" \
            --features system) || return
    awk '/^```rust/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source/README.md" \
        > "$program/src/main.rs"
    awk '/^```text/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source/README.md" \
        > "$program/expected"
    [ -s "$program/expected" ] && (cd "$program" && cargo run --offline -q > printed) &&
        diff "$program/expected" "$program/printed"
}

# A program whose dependency is patched uses permxor.
patches_the_other_crate() {
    program=$work/patched
    rm -rf "$program" && mkdir -p "$program/src"
    cat > "$program/Cargo.toml" << END
[package]
name = "patched"
version = "0.0.0"
edition = "2021"

[dependencies]
reed-solomon-erasure = { version = "6.0.0", features = ["simd-accel"] }

[features]
system = ["reed-solomon-erasure/system"]

[patch.crates-io]
reed-solomon-erasure = { path = "$source/reed-solomon-erasure" }

[workspace]
END
    cat > "$program/src/main.rs" << 'END'
use reed_solomon_erasure::{galois_8::ReedSolomon, shards};

fn main() {
    let code = ReedSolomon::new(2, 1).unwrap();
    let mut shards = shards!([1u8, 2], [3, 4], [0, 0]);
    code.encode(&mut shards).unwrap();
    println!("{:?}", shards[2]);
}
END
    # With the matrix of 2+1 the rows are 1 0, 0 1 and 3 2.
    (cd "$program" && cargo run --offline -q --features system) > "$program/printed" &&
        grep -qxF '[5, 14]' "$program/printed"
}

quick() {
    use_this_build
    fetched check-rust "$source" || finish
    check "all functions are declared" declares_all_functions
    cargo_test "the crates" "$source" --workspace --features permxor/system
    cargo_test "the crates without std" "$source" --workspace --no-default-features \
        --features permxor/system --test codes --test raid --test hash
    their_tests
    exchange
    check "the program of README.md" runs_the_program_of_the_page
    check "a patched dependency" patches_the_other_crate
    tool fmt "the form of the sources" cargo fmt --all --check
    tool clippy "clippy" cargo clippy --locked --workspace --all-targets \
        --features permxor/system -- -D warnings
    RUSTDOCFLAGS="-D warnings" tool doc "the documentation" cargo doc --locked --workspace \
        --no-deps --features permxor/system
}

# tool NAME TITLE COMMAND...: checks what a part of cargo says, where it is installed.
tool() {
    name=$1
    title=$2
    shift 2
    if [ "$name" = doc ] || cargo "$name" --version > /dev/null 2>&1; then
        check "$title" in_source "$@"
    else
        skip "$title" "cargo has no $name here"
    fi
}

in_source() {
    (cd "$source" && "$@")
}

# ----------------------------------------------------------------- crate --

# Makes the packages, and compiles them from what they contain.
packages() {
    in_source cargo package --locked --allow-dirty --workspace &&
        ls "$CARGO_TARGET_DIR"/package/permxor-0.1.0.crate \
            "$CARGO_TARGET_DIR"/package/permxor-sys-0.1.0.crate
}

# One package depends on the other one.  Older cargos take it from the registry alone.
packages_apart() {
    in_source cargo package --locked --allow-dirty -p permxor-sys &&
        in_source cargo package --locked --allow-dirty --list -p permxor
}

# oldest_rust: unpacks Debian 12's Rust, which is the oldest that the crates support, and its
# library for aarch64.  Returns 1 where that is not possible, with the reason in $why.
oldest_rust() {
    why="Debian 12's Rust for x86-64"
    [ "$(dpkg --print-architecture 2> /dev/null)" = amd64 ] || return 1
    why="Debian 12's packages are not to be had"
    old=$work/oldest
    unpack=$top_srcdir/tools/unpack_deb.sh
    [ -d "$old/usr/lib/rustlib/aarch64-unknown-linux-gnu" ] || {
        "$unpack" -s bookworm amd64 "$old" rustc cargo libstd-rust-1.63 libstd-rust-dev \
            libgit2-1.5 libhttp-parser2.9 libllvm14 libssh2-1 libmbedcrypto7 libmbedtls14 \
            libmbedx509-1 &&
            "$unpack" -s bookworm arm64 "$old" libstd-rust-dev
    } > "$work/oldest.log" 2>&1 || return 1
    # This cargo cannot read the registry's present form, so it takes the packages from a folder.
    mkdir -p "$source/.cargo"
    in_source cargo vendor --locked "$work/vendor" > "$source/.cargo/config.toml" \
        2> "$work/oldest.log" || return 1
    export CARGO="$old/usr/bin/cargo" RUSTC="$old/usr/bin/rustc" RUSTDOC="$old/usr/bin/rustdoc"
    export LD_LIBRARY_PATH="$old/usr/lib/x86_64-linux-gnu" CARGO_TARGET_DIR="$work/target-oldest"
    why="Debian 12's Rust does not run here"
    cargo --version > "$work/oldest.log" 2>&1
}

aarch64() {
    name="aarch64 under qemu"
    qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64) ||
        { skip "$name" "no qemu-aarch64"; return; }
    command -v aarch64-linux-gnu-gcc > /dev/null ||
        { skip "$name" "no aarch64-linux-gnu-gcc"; return; }
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="env -u LD_LIBRARY_PATH $qemu -cpu max \
-L /usr/aarch64-linux-gnu"
    # A processor in CFLAGS must not disable the sets that need a later one.
    CFLAGS_aarch64_unknown_linux_gnu="-O2 -march=armv8-a" cargo_test "$name" "$source" --offline \
        --workspace --target aarch64-unknown-linux-gnu --tests
    check "$name has all kernel sets" leaves_out_no_set
}

leaves_out_no_set() {
    ! grep "is left out" "$work/test.log"
}

# nasm makes objects in the format ELF, which macOS does not take.
refuses_asm() {
    ! in_source cargo build --locked -p permxor-sys --features asm --target x86_64-apple-darwin \
        > "$work/asm.log" 2>&1 && grep -q "in the format ELF" "$work/asm.log"
}

# A build must not go on with an empty list of kernel sets.
notices_that_awk_fails() {
    printf '#!/bin/sh\nawk "$@"\nexit 3\n' > "$work/awk" && chmod +x "$work/awk" &&
        ! AWK=$work/awk sh "$top_srcdir/plugins/stage.sh" "$work/staged"
}

crate() {
    stage
    fetched check-rust-crate "$source" || finish
    check "a failure of awk is noticed" notices_that_awk_fails
    cargo_test "the crates with the library in them" "$source" --workspace
    check "the feature asm is refused for macOS" refuses_asm
    if at_least 1.90; then
        check "the packages" packages
    else
        check "the packages" packages_apart
        skip "permxor's package, compiled" "cargo takes both packages together from 1.90 on"
    fi
    if oldest_rust; then
        cargo_test "Rust 1.63" "$source" --offline --workspace
        aarch64
    else
        skip "Rust 1.63 and aarch64" "$why"
    fi
}

"$mode"
finish
