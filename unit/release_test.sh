#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests tools/release.sh in a clone: what it refuses, and what it makes.
#
# It runs in the build directory.  The environment sets top_srcdir.

: "${top_srcdir:?}"
suite=check-release
# shellcheck source=unit/checks.sh
. "$top_srcdir/unit/checks.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
git -C "$top_srcdir" rev-parse --git-dir > /dev/null 2>&1 ||
    skip_all "the sources are not in a git repository"

work=$(mktemp -d "${TMPDIR:-/tmp}/permxor-release.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
clone=$work/clone
git clone -q --no-hardlinks "$top_srcdir" "$clone" || exit 1
cd "$clone" || exit 1
git config user.name tester
git config user.email tester@localhost
version=$(sed -n 's/^AC_INIT(\[permxor\], \[\(.*\)\])$/\1/p' configure.ac)
out=$clone/build/release/$version

# refuses TEXT ARGUMENT...: fails with a message that has the text, and changes nothing.
refuses() {
    text=$1
    shift
    ! tools/release.sh "$@" > "$work/message" 2>&1 || return 1
    cat "$work/message"
    grep -qF -- "$text" "$work/message" && [ -z "$(git tag)" ] && [ ! -e build/release ]
}

# changed FILE SED-SCRIPT TEXT: refuses after a change that is committed, which is then undone.
changed() {
    sed "$2" "$1" > "$work/file" && ! cmp -s "$work/file" "$1" && cp "$work/file" "$1" &&
        git commit -q -a -m changed || return 1
    refuses "$3" --dry-run "$version"
    changed_status=$?
    git reset -q --hard HEAD~1
    return $changed_status
}

# The last commit says that this version is released, and who maintains the packages.
release_notes() {
    sed "s/^## $version.*/## $version (2026-01-02)/" CHANGES.md > "$work/file" &&
        cp "$work/file" CHANGES.md &&
        sed 's/^Maintainer: .*/Maintainer: tester <tester@localhost>/' debian/control \
            > "$work/file" &&
        cp "$work/file" debian/control &&
        sed '1s/UNRELEASED/unstable/' debian/changelog > "$work/file" &&
        cp "$work/file" debian/changelog && { git diff --quiet || git commit -q -a -m released; }
}

has_files() {
    (cd "$out" && sha256sum -c SHA256SUMS &&
        for file in "permxor-$version.tar.xz" "permxor-isal-$version.tar.xz" NOTES.md; do
            grep " $file\$" SHA256SUMS || return 1
        done) && [ ! -e "$out/work" ] && has_packages
}

# A package for each of debian/control.  Not each release of Debian has what python3-permxor needs.
has_packages() {
    for package in $(sed -n 's/^Package: //p' debian/control); do
        [ "$package" != python3-permxor ] || [ -z "$(tools/deb_profiles.sh)" ] || continue
        ls "$out/${package}_$version"-*.deb || return 1
    done
}

# The archive has configure, and the sources as they are committed.
has_sources() {
    tar -xf "$out/permxor-$version.tar.xz" -C "$work" &&
        [ -x "$work/permxor-$version/configure" ] &&
        cmp "$work/permxor-$version/kernels/encode.c" kernels/encode.c
}

# The notes are the lines below the heading, up to the next heading.
has_notes() {
    grep -qxF "$(sed -n "/^## $version/,\$p" CHANGES.md | sed -n 3p)" "$out/NOTES.md" &&
        ! grep '^## ' "$out/NOTES.md"
}

makes_no_tag() {
    tools/release.sh --dry-run "$version" && [ -z "$(git tag)" ]
}

makes_tag() {
    tools/release.sh "$version" > "$work/message" 2>&1 && cat "$work/message" &&
        [ "$(git rev-parse "v$version^{commit}")" = "$(git rev-parse HEAD)" ] &&
        grep -q "git push origin v$version" "$work/message"
}

# Nothing was pushed: the repository that was cloned has no such tag.
pushed_nothing() {
    ! git -C "$top_srcdir" rev-parse -q --verify "refs/tags/v$version"
}

check "no version" refuses "usage:"
check "another form" refuses "1.2 is no version" 1.2
sed "s/^## $version.*/## $version (unreleased)/" CHANGES.md > "$work/file" &&
    cp "$work/file" CHANGES.md && { git diff --quiet || git commit -q -a -m unreleased; }
check "an unreleased version" refuses "put the date in place of (unreleased)" "$version"
check "notes" release_notes
echo >> README.md
check "changes that are not committed" refuses "not committed" "$version"
git checkout -q README.md
check "another version" refuses "configure.ac: the version is $version, not 99.0.0" 99.0.0
check "a header with another version" changed include/permxor.h \
    's/^\(#define PXR_VERSION_MINOR\) .*/\1 77/' "include/permxor.h: the version is"
check "a wheel with another version" changed plugins/python/pyproject.toml \
    's/^version = .*/version = "77.0.0"/' "pyproject.toml: the version is 77.0.0"
check "a jar with another version" changed plugins/hadoop/pom.xml \
    "s,^  <version>$version<,  <version>77.0.0<," "pom.xml: the version is 77.0.0"
check "packages that are not released" changed debian/changelog "1s/unstable/UNRELEASED/" \
    "in place of UNRELEASED"
for address in example.org debian.example example; do
    check "a maintainer at $address" changed debian/control \
        "s/^Maintainer: .*/Maintainer: nobody <nobody@$address>/" "put an address that mail reaches"
done
check "no section in CHANGES.md" changed CHANGES.md "s/^## $version.*/## 0.0.1/" \
    "CHANGES.md has no section ## $version"
check "a dry run" makes_no_tag
check "the files of a release" has_files
check "its sources" has_sources
check "its notes" has_notes
check "a release" makes_tag
check "a second time" sh -c "! tools/release.sh $version 2> $work/message &&
    grep -q 'the tag v$version exists' $work/message"
check "nothing is pushed" pushed_nothing
finish
