# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
#
# Sourced by the scripts of this folder.  Fetches what they need, once, into $root, a folder of
# the build.  The script sets $root and $here, this folder.

# once NAME COMMAND...: runs the command unless this was done before.  The log is
# $root/NAME.log.
once() {
    [ ! -e "$root/$1.done" ] || return 0
    once=$1
    shift
    "$@" > "$root/$once.log" 2>&1 && : > "$root/$once.done"
}

# why NAME: prints the last line of this log.
why() {
    tail -n 1 "$root/$1.log"
}

# apt_sources RELEASE WORDS...: runs apt-get with lists of its own, of the sources of this
# Debian release.
apt_sources() {
    release=$1
    shift
    apt-get -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$root/apt/$release" \
        -o Dir::State::Lists="$root/apt/lists" -o Dir::Cache="$root/apt" \
        -o APT::Sandbox::User=root "$@"
}

# list_sources RELEASE: gets the lists of the release's sources from this system's mirror.
list_sources() {
    mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null |
        grep -o 'https\{0,1\}://[^ ]*/debian/\{0,1\}\( \|$\)' | head -n 1)
    mkdir -p "$root/apt/$1" "$root/apt/lists/partial" "$root/apt/archives/partial"
    echo "deb-src ${mirror:-http://deb.debian.org/debian} $1 main" > "$root/apt/$1/sources.list"
    apt_sources "$1" update
}

# Mirrors keep the sources of some versions only.  This takes the first of Debian's releases
# that has them, and tries this system's release first.  They are unpacked as $root/source.
fetch_liberasurecode() {
    mkdir -p "$root/source"
    for release in $(. /etc/os-release && echo "$VERSION_CODENAME") trixie sid; do
        list_sources "$release" &&
            (cd "$root/apt" && apt_sources "$release" source --download-only liberasurecode) &&
            tar xf "$root"/apt/liberasurecode_*.orig.tar.* -C "$root/source" \
                --strip-components=1 &&
            return
    done
    echo "no release of Debian has the sources"
    return 1
}

# venv NAME REQUIREMENTS: makes a virtual environment with the packages that are listed there.
venv() {
    rm -rf "${root:?}/$1"
    python3 -m venv "$root/$1" &&
        "$root/$1/bin/pip" -q --disable-pip-version-check install --only-binary :all: -r "$2"
}

# sdist NAME REQUIREMENTS: fetches the sources that are listed there, and unpacks them as
# $root/NAME.
sdist() {
    mkdir -p "$root/$1.sdist" "$root/$1" && python3 -m venv "$root/$1.sdist/venv" &&
        "$root/$1.sdist/venv/bin/pip" -q --disable-pip-version-check download --no-deps \
            --no-binary pyeclib --require-hashes -r "$2" -d "$root/$1.sdist" &&
        tar xzf "$root/$1.sdist"/*.tar.gz -C "$root/$1" --strip-components=1
}
