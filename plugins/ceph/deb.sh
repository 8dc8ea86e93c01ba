#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Makes a Debian package, permxor-ceph, of the plugin in this build: `make deb-ceph`.
#
# DEB_FOLDER is the folder where it is made (by default the build).  DEB_PLUGIN_DIR is the
# folder of Ceph's plugins in the package.  From the environment: top_srcdir, top_builddir,
# MAKE, VERSION.
set -eu

: "${top_srcdir:?}" "${top_builddir:?}" "${DEB_FOLDER:=$top_builddir}"
root=$DEB_FOLDER/deb-ceph
architecture=$(dpkg --print-architecture)
libraries=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
plugin_dir=${DEB_PLUGIN_DIR:-$libraries/ceph/erasure-code}
package=$DEB_FOLDER/permxor-ceph_${VERSION}_$architecture.deb
debian=$top_srcdir/debian

rm -rf "$root"
mkdir -p "$root/DEBIAN" "$root/debian"
"$MAKE" -s -C "$top_builddir" --no-print-directory install-ceph DESTDIR="$root" \
    CEPH_PLUGIN_DIR="$plugin_dir" sbindir=/usr/sbin mandir=/usr/share/man \
    docdir=/usr/share/doc/permxor-ceph
strip --strip-unneeded "$root$plugin_dir/libec_permxor.so" "$root/usr/sbin/permxor-ceph-scrub"
cp "$top_srcdir/LICENSE" "$root/usr/share/doc/permxor-ceph/copyright"

# dpkg-shlibdeps reads the name of the package from a control file of the sources.
printf 'Source: permxor\n\nPackage: permxor-ceph\nArchitecture: any\n' > "$root/debian/control"
depends=$(cd "$root" && dpkg-shlibdeps -O -e"$root$plugin_dir/libec_permxor.so" \
    -e"$root/usr/sbin/permxor-ceph-scrub" 2> /dev/null | sed 's/^shlibs:Depends=//')
rm -r "$root/debian"

# The description and the scripts are those of the package that dpkg-buildpackage makes.  The
# scripts get the folder of the plugins.
{
    cat << EOF
Package: permxor-ceph
Version: $VERSION
Architecture: $architecture
Maintainer: the permxor developers
Section: libs
Priority: optional
Depends: $depends
Enhances: ceph-osd
EOF
    sed -n '/^Package: permxor-ceph$/,/^$/{/^Description:/,/^$/{/./p;};}' "$debian/control"
} > "$root/DEBIAN/control"
for script in postinst prerm; do
    sed "s|permxor-ceph-takeover |&--dir $plugin_dir |; /^#DEBHELPER#/d" \
        "$debian/permxor-ceph.$script" > "$root/DEBIAN/$script"
    chmod 755 "$root/DEBIAN/$script"
done
dpkg-deb --root-owner-group --build "$root" "$package"
