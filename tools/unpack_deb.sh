#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Unpacks Debian packages of any architecture in a folder, for tests and
# predictions that want to look at them:
#
#   tools/unpack_deb.sh ARCHITECTURE FOLDER PACKAGE...
#
# They come from the sources that apt is set up with.  Nothing is installed:
# apt works on lists of its own, below the folder, and needs no rights.
set -eu

arch=$1
folder=$2
shift 2
mkdir -p "$folder/.apt/lists/partial" "$folder/.apt/archives/partial"
folder=$(cd "$folder" && pwd)
state=$folder/.apt

apt_here() {
    apt-get -qq -o APT::Architecture="$arch" -o APT::Architectures="$arch" \
        -o Dir::State="$state" -o Dir::State::Lists="$state/lists" \
        -o Dir::State::status=/dev/null -o Dir::Cache="$state" \
        -o APT::Sandbox::User= -o Acquire::Languages=none "$@"
}

# Sources that do not have this architecture fail; what counts is the download.
update() {
    apt_here update > "$state/update.log" 2>&1 || :
}

# Lists of yesterday may name packages that are gone.
download() {
    apt_here download "$1" || {
        update
        apt_here download "$1"
    }
}

ls "$state"/lists/*Packages* > /dev/null 2>&1 || update
cd "$state/archives"
for package; do
    rm -f "${package}"_*.deb
    download "$package" || {
        cat "$state/update.log" >&2
        exit 1
    }
    dpkg-deb -x "${package}"_*.deb "$folder"
done
