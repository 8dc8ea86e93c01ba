#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Makes a release of what is committed, in build/release/VERSION/, and its tag.  It pushes nothing:
# it prints the commands that do.
#
#   tools/release.sh [--dry-run] VERSION
#
# --dry-run makes the files and no tag.
#
# First it checks that the tree is clean, that all files that have the version agree, and that
# CHANGES.md and debian/changelog have a section for this version that is not marked as unreleased.
# The packages must name a maintainer whom mail reaches.
#
# The folder gets the archives of `make dist` and `make dist-bundle`, Debian packages if the
# sources have debian/, NOTES.md (the section of CHANGES.md), and SHA256SUMS of all of these.
set -eu

die() {
    echo "release.sh: $*" >&2
    exit 1
}

tag_it=yes
if [ "${1:-}" = --dry-run ]; then
    tag_it=
    shift
fi
[ $# -eq 1 ] || die "usage: tools/release.sh [--dry-run] VERSION"
version=$1
echo "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' ||
    die "$version is no version: use MAJOR.MINOR.PATCH"
tag=v$version
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"

# ----------------------------------------------------------------- checks ----

# version_in FILE SED-SCRIPT: fails if what the script prints of the file is not the version.
version_in() {
    found=$(sed -n "$2" "$1" | tr '\n' ' ' | sed 's/ $//; s/ /./g')
    [ "$found" = "$version" ] || die "$1: the version is ${found:-missing}, not $version"
}

git rev-parse --git-dir > /dev/null 2>&1 || die "$top: this is no git repository"
[ -z "$(git status --porcelain)" ] ||
    die "there are changes that are not committed; git status shows them"
! git rev-parse -q --verify "refs/tags/$tag" > /dev/null || die "the tag $tag exists"
version_in configure.ac 's/^AC_INIT(\[permxor\], \[\(.*\)\])$/\1/p'
version_in include/permxor.h 's/^#define PXR_VERSION_[A-Z]* //p'
version_in plugins/python/pyproject.toml 's/^version = "\(.*\)"$/\1/p'
version_in plugins/hadoop/pom.xml '/<modelVersion>/,/<version>/s,^  <version>\(.*\)</version>$,\1,p'
[ ! -e debian/changelog ] ||
    version_in debian/changelog '1s/^permxor (\([0-9.]*\).*/\1/p'
head=$(grep -m 1 "^## $version\($\| \)" CHANGES.md) || die "CHANGES.md has no section ## $version"
case $head in
*unreleased*) die "CHANGES.md: $head: put the date in place of (unreleased)" ;;
esac
case $(sed 1q debian/changelog 2> /dev/null) in
*UNRELEASED*) die "debian/changelog: put a distribution, as unstable, in place of UNRELEASED" ;;
esac
# Addresses at these domains reach nobody (RFC 2606).
if [ -e debian/control ] &&
    nobody=$(grep -m 1 -E '^Maintainer: .*[@.]example(\.[a-z]+)?>' debian/control); then
    die "debian/control: $nobody: put an address that mail reaches, here and in debian/changelog"
fi

# ------------------------------------------------------------------ files ----

out=$top/build/release/$version
rm -rf "$out"
mkdir -p "$out/work"
log=$out/work/log

# logged COMMAND...: shows what the command printed if it fails.
logged() {
    "$@" >> "$log" 2>&1 || { tail -n 40 "$log" >&2; die "this failed: $*"; }
}

# The archives are made from a clone, so they hold what is committed and nothing else.
logged git clone -q --no-hardlinks "$top" "$out/work/clone"
(cd "$out/work/clone" && logged ./autogen.sh)
mkdir "$out/work/build"
(cd "$out/work/build" && logged ../clone/configure --quiet)
logged make -C "$out/work/build" --no-print-directory dist dist-bundle
mv "$out/work/build/permxor-$version.tar.xz" "$out/work/build/permxor-isal-$version.tar.xz" "$out"

# The section of CHANGES.md, without its heading.
awk -v head="$head" '$0 == head { on = 1; next } /^## / { on = 0 } on' CHANGES.md |
    sed '1{/^$/d;}' > "$out/NOTES.md"
[ -s "$out/NOTES.md" ] || die "CHANGES.md: the section of $version is empty"

if [ -d debian ]; then
    command -v dpkg-buildpackage > /dev/null ||
        die "there is debian/, but no dpkg-buildpackage (Debian: dpkg-dev)"
    tar -xf "$out/permxor-$version.tar.xz" -C "$out/work"
    rm -rf "$out/work/permxor-$version/debian"
    cp -R debian "$out/work/permxor-$version"
    option=$(tools/deb_profiles.sh)
    (cd "$out/work/permxor-$version" && logged dpkg-buildpackage -us -uc -b ${option:+"$option"})
    mv "$out"/work/*.deb "$out"
fi

(cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS | sed 's,^\./,,' | sort |
    xargs sha256sum > SHA256SUMS)
rm -rf "$out/work"

# -------------------------------------------------------------------- tag ----

echo "$out:"
ls "$out"
if [ -z "$tag_it" ]; then
    echo "dry run: there is no tag $tag"
    exit
fi
git tag -a "$tag" -m "permxor $version"
cat << END
The tag $tag is in this repository only.  To publish it, push it, and attach the files:

    git push origin $tag
    gh release create $tag --notes-file $out/NOTES.md $out/*.tar.xz $out/SHA256SUMS
END
