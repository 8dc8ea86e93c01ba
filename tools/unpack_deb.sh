#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Unpacks Debian packages of any architecture in a folder, for tests and
# predictions that need the files:
#
#   tools/unpack_deb.sh [-s SUITE] ARCHITECTURE FOLDER PACKAGE...
#
# With "source" in place of the architecture, it unpacks the sources of the packages as their
# authors release them, without Debian's changes.  That needs -s.
#
# The packages come from apt's configured sources, or with -s from another suite of
# Debian on the mirror that these sources name.  Nothing is installed.  apt works on
# lists of its own, below the folder, and needs no special rights.
set -eu

suite=
if [ "$1" = -s ]; then
    suite=$2
    shift 2
fi
arch=$1
folder=$2
shift 2
mkdir -p "$folder/.apt/lists/partial" "$folder/.apt/archives/partial"
folder=$(cd "$folder" && pwd)
state=$folder/.apt

# Finds the first of this machine's sources that is Debian itself: its main has
# this label.
mirror() {
    apt-get indextargets --format '$(REPO_URI) $(LABEL) $(COMPONENT)' 'Created-By: Packages' |
        awk '$2 == "Debian" && $3 == "main" { print $1; exit }'
}

if [ -n "$suite" ]; then
    from=$(mirror)
    [ -n "$from" ] || { echo "apt knows no mirror of Debian" >&2; exit 1; }
    # apt needs only the index of the packages.
    case $arch in
    source) echo "deb-src $from $suite main" ;;
    *) echo "deb [target=Packages] $from $suite main" ;;
    esac > "$state/sources.list"
fi

apt_here() {
    [ -z "$suite" ] || set -- -o Dir::Etc::SourceList="$state/sources.list" \
        -o Dir::Etc::SourceParts=- "$@"
    [ "$arch" = source ] || set -- -o APT::Architecture="$arch" -o APT::Architectures="$arch" "$@"
    apt-get -qq -o Dir::State="$state" -o Dir::State::Lists="$state/lists" \
        -o Dir::State::status=/dev/null -o Dir::Cache="$state" \
        -o APT::Sandbox::User= -o Acquire::Languages=none "$@"
}

# Sources without this architecture fail.  Only the result of the download counts.
update() {
    apt_here update > "$state/update.log" 2>&1 || :
}

# get PACKAGE: into the current folder.
get() {
    case $arch in
    source) apt_here source --download-only "$1" ;;
    *) apt_here download "$1" ;;
    esac
}

# Older lists may name packages that do not exist any more.
download() {
    get "$1" || {
        update
        get "$1"
    }
}

find "$state/lists" -name '*Packages*' -o -name '*Sources*' | grep -q . || update
cd "$state/archives"
for package; do
    rm -f "${package}"_*
    download "$package" || {
        cat "$state/update.log" >&2
        exit 1
    }
    case $arch in
    # Beside the archive there may be its signature, *.asc.
    source) tar -xf "${package}"_*.orig.tar.*[!c] --strip-components=1 -C "$folder" ;;
    *) dpkg-deb -x "${package}"_*.deb "$folder" ;;
    esac
done
