#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests permxor-ceph-takeover on a folder of plugins that no daemon uses, with a database of
# dpkg of its own: plugins are taken, given back, and kept through upgrades of either package.
#
# From the environment: top_srcdir, PLUGIN, our libec_permxor.so, and what deb.sh needs.

: "${PLUGIN:?}" "${top_srcdir:?}"
suite=takeover_test
. "$top_srcdir/unit/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

dir=$work/erasure-code
database=$work/dpkg
takeover="$top_srcdir/plugins/ceph/permxor-ceph-takeover --dir $dir"

# Makes a folder as Ceph's package leaves it, with ours in it.
start() {
    rm -rf "$dir" "$database"
    mkdir -p "$dir" "$database/info" "$database/updates" "$database/triggers"
    for name in isa jerasure; do
        echo "Ceph's $name" > "$dir/libec_$name.so"
    done
    cp "$PLUGIN" "$dir/libec_permxor.so"
}

# dpkg's database says that Ceph's package owns the plugins.
packaged() {
    cat > "$database/status" << EOF
Package: ceph-base
Status: install ok installed
Architecture: all
Version: 1
Maintainer: nobody
Description: owns the plugins
EOF
    printf '%s\n' /. "$dir" "$dir/libec_isa.so" "$dir/libec_jerasure.so" \
        > "$database/info/ceph-base.list"
    DPKG_ADMINDIR=$database
    export DPKG_ADMINDIR
}

serves() {
    $takeover status > "$work/status"
    grep -q "^$1: $2\$" "$work/status"
}

ours() {
    cmp "$dir/libec_permxor.so" "$dir/libec_$1.so"
}

original() {
    echo "Ceph's $1" | cmp - "$2"
}

diverted() {
    [ "$(dpkg-divert --truename "$dir/libec_$1.so")" = "$dir/libec_$1_original.so" ]
}

# refused MESSAGE COMMAND...
refused() {
    message=$1
    shift
    ! "$@" > "$work/out" 2>&1 && grep -q "$message" "$work/out"
}

# round TITLE: takes and gives back, whoever owns the files.
round() {
    check "$1: nothing taken at first" serves isa "Ceph's own"
    check "$1: take isa" $takeover take isa
    check "$1: isa is ours" ours isa
    check "$1: the original is beside it" original isa "$dir/libec_isa_original.so"
    check "$1: status of isa" serves isa permxor
    check "$1: jerasure is left alone" original jerasure "$dir/libec_jerasure.so"
    check "$1: status of jerasure" serves jerasure "Ceph's own"
    check "$1: taken twice" $takeover take isa
    check "$1: the original is still the original" original isa "$dir/libec_isa_original.so"

    echo x >> "$dir/libec_permxor.so"
    check "$1: refresh after an upgrade of permxor" $takeover refresh
    check "$1: the new one serves" cmp "$dir/libec_permxor.so" "$dir/libec_isa.so"
    check "$1: refresh takes nothing" original jerasure "$dir/libec_jerasure.so"

    check "$1: give isa back" $takeover give-back isa
    check "$1: the original is back" original isa "$dir/libec_isa.so"
    check "$1: nothing is left beside it" test ! -e "$dir/libec_isa_original.so"
    check "$1: given back twice" $takeover give-back isa
    check "$1: still the original" original isa "$dir/libec_isa.so"
}

start
round "files of nobody"

if command -v dpkg-divert > /dev/null; then
    start
    packaged
    round "files of a package"
    check "no diversion is left" test -z "$(dpkg-divert --list "$dir/*")"
    $takeover take jerasure > /dev/null
    check "a diversion keeps Ceph's upgrades out" diverted jerasure
    # dpkg does this when it upgrades Ceph's package.
    echo "Ceph's new jerasure" > "$(dpkg-divert --truename "$dir/libec_jerasure.so")"
    check "ours survives the upgrade" ours jerasure
    check "give jerasure back" $takeover give-back jerasure
    check "the new original is back" original "new jerasure" "$dir/libec_jerasure.so"
    $takeover take jerasure > /dev/null
    # A give-back that ended before the diversion, and then an upgrade of Ceph's package.
    for end in take give-back; do
        mv -f "$dir/libec_jerasure_original.so" "$dir/libec_jerasure.so"
        echo "Ceph's newest jerasure" > "$dir/libec_jerasure_original.so"
        check "$end after a give-back that was interrupted" $takeover $end jerasure
        check "give-back after $end" $takeover give-back jerasure
        check "the newest original is in its place after $end" \
            original "newest jerasure" "$dir/libec_jerasure.so"
        check "and nothing is beside it" test ! -e "$dir/libec_jerasure_original.so"
        $takeover take jerasure > /dev/null
    done
    takeover="$top_srcdir/plugins/ceph/permxor-ceph-takeover --dir $dir/../erasure-code/"
    check "the folder spelt otherwise" $takeover give-back jerasure
    check "leaves no diversion either" test -z "$(dpkg-divert --list "$dir/*")"
    unset DPKG_ADMINDIR
else
    skip "diversions" "needs dpkg-divert"
fi

# script NAME ARGUMENT: runs a script of the package, with the command where the package would
# install it.
script() {
    PATH=$top_srcdir/plugins/ceph:$PATH sh "$work/package/$1" "$2"
}

make_package() {
    DEB_FOLDER=$work DEB_PLUGIN_DIR=$dir "$top_srcdir/plugins/ceph/deb.sh" &&
        dpkg-deb -e "$work"/permxor-ceph_*.deb "$work/package" &&
        dpkg-deb -c "$work"/permxor-ceph_*.deb > "$work/contents"
}

if command -v dpkg-shlibdeps > /dev/null; then
    start
    check "a package is made" make_package
    for file in "$dir/libec_permxor.so" /usr/sbin/permxor-ceph-takeover \
        /usr/sbin/permxor-ceph-scrub /usr/share/doc/permxor-ceph/ceph.md \
        /usr/share/doc/permxor-ceph/ceph-scrub.md /usr/share/doc/permxor-ceph/copyright \
        /usr/share/man/man8/permxor-ceph-takeover.8 /usr/share/man/man8/permxor-ceph-scrub.8; do
        check "it has $file" grep -q " \.$file\$" "$work/contents"
    done
    check "and nothing else" test "$(grep -vc '/$' "$work/contents")" -eq 8
    check "it needs the C++ library" grep -q '^Depends:.*libstdc++6' "$work/package/control"
    $takeover take jerasure > /dev/null
    echo x >> "$dir/libec_permxor.so"
    check "an upgrade begins" script prerm upgrade
    check "it takes nothing back" serves jerasure permxor
    check "it ends" script postinst configure
    check "the new one serves" ours jerasure
    check "removal" script prerm remove
    check "gives back" original jerasure "$dir/libec_jerasure.so"
    $takeover take jerasure > /dev/null
    rm "$dir/libec_jerasure_original.so"
    check "removal after Ceph's" script prerm remove
    check "leaves what serves" ours jerasure
else
    skip "the package" "needs dpkg-dev"
fi

start
check "unknown plugin" refused "isa or jerasure" $takeover take clay
check "no plugin named" refused "isa or jerasure" $takeover take
check "unknown command" refused usage $takeover steal
check "unknown option" refused usage $takeover take isa --without
check "no such folder" refused "no such folder" "$top_srcdir/plugins/ceph/permxor-ceph-takeover" \
    --dir "$work/none" take isa
rm "$dir/libec_isa.so"
check "Ceph is not there" refused "is Ceph installed" $takeover take isa
rm "$dir/libec_permxor.so"
check "permxor is not there" refused "libec_permxor.so is missing" $takeover take jerasure
check "and nothing was changed" original jerasure "$dir/libec_jerasure.so"
start
$takeover take isa > /dev/null
rm "$dir/libec_isa_original.so"
check "no original to give back" refused "reinstall" $takeover give-back isa
check "ours stays" ours isa
check "the status says so" serves isa "permxor, without libec_isa_original.so"
check "taken again without an original" refused "reinstall" $takeover take isa
echo x >> "$dir/libec_permxor.so"
check "refresh without an original" $takeover refresh
check "the new one serves without it" ours isa

# Tests a Ceph that has no such plugin any more.
start
rm "$dir/libec_jerasure.so"
check "a plugin that Ceph has not" refused "take jerasure --without-original" \
    $takeover take jerasure
check "is not made" test ! -e "$dir/libec_jerasure.so"
check "but by --without-original" $takeover take jerasure --without-original
check "then ours serves" ours jerasure
check "and the status knows" serves jerasure "permxor, without libec_jerasure_original.so"
start
$takeover take jerasure --without-original > /dev/null
check "an original that is there is kept" original jerasure \
    "$dir/libec_jerasure_original.so"

# without_space COMMAND...: runs a command with a tool of Ceph, and where no folder can be made.
# It must not copy a plugin elsewhere.
without_space() {
    mkdir "$work/tools"
    for tool in mktemp cp ceph-erasure-code-tool; do
        printf '#!/bin/sh\necho "%s: $*" >> "%s"\nexit 1\n' $tool "$work/called" > "$work/tools/$tool"
        chmod +x "$work/tools/$tool"
    done
    PATH=$work/tools:$PATH "$@"
}
start
check "a folder that cannot be written" refused "cannot be written; isa is not changed" \
    without_space $takeover take isa
check "nothing is copied" test "$(cut -d : -f 1 "$work/called")" = mktemp
check "and nothing is changed" original isa "$dir/libec_isa.so"

if command -v ceph-erasure-code-tool > /dev/null; then
    start
    printf 'made for Ceph 0, and no library' > "$dir/libec_permxor.so"
    check "what Ceph cannot load" refused "cannot load" $takeover take isa
    check "takes no place" original isa "$dir/libec_isa.so"
else
    skip "what Ceph cannot load" "needs ceph-erasure-code-tool"
fi
finish
