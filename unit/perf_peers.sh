#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests the adapters of perf/peers.
#
# - An adapter has to give the same bytes as this library.  ec_perf compares them before it
#   times, and prints how many shapes it timed.  Only adapters that can be built without the
#   network are tested.  Their crates may be in cargo's cache.  Speed is not judged.
# - If a peer cannot be had, build.sh has to print its name and the reason.
# - build.sh must not change the state of apt when it downloads packages of Debian sid.
#
# It runs in the build directory.  The environment sets top_srcdir and CC.

: "${top_srcdir:?}" "${CC:=cc}"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-peers.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ours=.libs/libisal.so.2
suite=perf_peers
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"

# same_bytes PEER MATRIX: succeeds if all shapes are timed: 3 operations with 4 lengths each.
same_bytes() {
    perf/ec_perf -k 5 -m 3 --matrix "$2" --op encode,decode,update --len 1,63,64,4K \
        --time 0.001 "$ours" "$work/$1.so" > "$work/perf.log" 2>&1
    status=$?
    cat "$work/perf.log"
    [ $status -eq 0 ] && ! grep -q 'not timed:' "$work/perf.log" &&
        grep -q '^12 shapes timed' "$work/perf.log"
}

# machine_of LIBRARY: prints the architecture of a shared library.  Go and Rust build for this
# machine, but CC may build for another one.
machine_of() {
    readelf -h "$1" | grep 'Class:\|Machine:'
}

check_peer() {
    "$top_srcdir/perf/peers/build.sh" "$work" "$work" "$1" > "$work/build.log" 2>&1
    why=$(sed -n "s/^skipped: $1 (\(.*\))\$/\1/p" "$work/build.log")
    if [ -e "$work/$1.so" ] && [ "$(machine_of "$work/$1.so")" != "$(machine_of "$ours")" ]; then
        skip "$1" "it is built for another architecture than $ours"
    elif [ -e "$work/$1.so" ]; then
        check "$1, vand" same_bytes "$1" vand
        check "$1, cauchy" same_bytes "$1" cauchy
    elif [ -n "$why" ]; then
        skip "$1" "$why"
    else
        fail "$1 was not built"
        cat "$work/build.log"
    fi
}

# without PEER TEXT: succeeds if build.sh skips the peer with this text when only these programs
# are in PATH.
without() {
    rm -rf "${work:?}/bin" && mkdir "$work/bin"
    for program in awk basename cat cp dirname find grep head mkdir rm sed sh tail uname; do
        ln -s "$(command -v $program)" "$work/bin/$program"
    done
    PATH=$work/bin "$top_srcdir/perf/peers/build.sh" "$work" "$work" "$1" \
        > "$work/build.log" 2>&1
    cat "$work/build.log"
    [ "$(cat "$work/build.log")" = "skipped: $1 ($2)" ]
}

# In this test apt knows a mirror that has no packages.  A log records the arguments of apt-get.
empty_mirror() {
    rm -rf "${work:?}/bin" && mkdir "$work/bin"
    cat > "$work/bin/apt-get" << END
#!/bin/sh
case "\$*" in
indextargets*)
    echo "http://mirror.invalid/others Others main"
    echo "http://mirror.invalid/debian Debian main"
    ;;
*) echo "\$*" >> "$work/apt.log" && echo "nothing there" >&2 && exit 100 ;;
esac
END
    printf '#!/bin/sh\necho amd64\n' > "$work/bin/dpkg"
    printf '#!/bin/sh\nexit 1\n' > "$work/bin/dpkg-deb"
    chmod +x "$work"/bin/*
    rm -f "$work/apt.log"
    PATH=$work/bin:$PATH "$top_srcdir/perf/peers/build.sh" "$work" "$work" isal-sid \
        > "$work/build.log" 2>&1
    state=$work/isal-sid/.apt
    grep -q '^skipped: isal-sid (not to be had from Debian sid: ' "$work/build.log" &&
        [ "$(cat "$state/sources.list")" = \
            "deb [target=Packages] http://mirror.invalid/debian sid main" ] &&
        [ "$(grep -c "" "$work/apt.log")" -ge 2 ] &&
        [ "$(grep -c -e "Dir::State=$state .*Dir::Cache=$state .*" "$work/apt.log")" -eq \
            "$(grep -c "" "$work/apt.log")" ] &&
        [ "$(grep -c -e "SourceList=$state/sources.list .*SourceParts=-" "$work/apt.log")" -eq \
            "$(grep -c "" "$work/apt.log")" ]
}

# There is no wheel for this processor.
no_wheel() {
    rm -rf "${work:?}/bin" && mkdir "$work/bin"
    printf '#!/bin/sh\necho sparc64\n' > "$work/bin/uname"
    chmod +x "$work/bin/uname"
    PATH=$work/bin:$PATH "$top_srcdir/perf/peers/build.sh" "$work" "$work" isal-2.32 \
        > "$work/build.log" 2>&1
    [ "$(cat "$work/build.log")" = "skipped: isal-2.32 (no wheel for sparc64)" ]
}

check "no python3" without zfec "no python3"
check "no cargo" without rusty_erasure "no cargo"
check "no apt" without snapraid-sid "no apt"
check "no wheel" no_wheel
check "an empty mirror" empty_mirror
if [ ! -e "$ours" ]; then
    skip jerasure "no shared library was built"
elif ! perf/ec_perf --help > /dev/null 2>&1; then
    skip jerasure "perf/ec_perf does not run here"
else
    check_peer jerasure
    CARGO_NET_OFFLINE=true
    export CARGO_NET_OFFLINE
    check_peer rusty_erasure
fi
finish
