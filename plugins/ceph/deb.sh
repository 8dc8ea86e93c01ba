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

rm -rf "$root"
mkdir -p "$root/DEBIAN" "$root/debian"
"$MAKE" -s -C "$top_builddir" --no-print-directory install-ceph DESTDIR="$root" \
    CEPH_PLUGIN_DIR="$plugin_dir" sbindir=/usr/sbin docdir=/usr/share/doc/permxor-ceph
strip --strip-unneeded "$root$plugin_dir/libec_permxor.so" "$root/usr/sbin/permxor-ceph-scrub"
cp "$top_srcdir/LICENSE" "$root/usr/share/doc/permxor-ceph/copyright"

# dpkg-shlibdeps reads the name of the package from a control file of the sources.
printf 'Source: permxor\n\nPackage: permxor-ceph\nArchitecture: any\n' > "$root/debian/control"
depends=$(cd "$root" && dpkg-shlibdeps -O -e"$root$plugin_dir/libec_permxor.so" \
    -e"$root/usr/sbin/permxor-ceph-scrub" 2> /dev/null | sed 's/^shlibs:Depends=//')
rm -r "$root/debian"

cat > "$root/DEBIAN/control" << EOF
Package: permxor-ceph
Version: $VERSION
Architecture: $architecture
Maintainer: the permxor developers
Section: libs
Priority: optional
Depends: $depends
Enhances: ceph-osd
Description: erasure-code plugin for Ceph
 The plugin permxor for new pools.  permxor-ceph-takeover lets it serve the
 existing pools of the plugins isa and jerasure: the same bytes, faster.
 permxor-ceph-scrub finds wrong shards from a few bytes of each.
EOF
# The copies that serve isa and jerasure are updated with the package, and removed with it.
cat > "$root/DEBIAN/postinst" << EOF
#!/bin/sh
set -e
[ "\$1" = configure ] || exit 0
permxor-ceph-takeover --dir $plugin_dir refresh ||
    echo "permxor-ceph: the plugins that were taken over keep the former version" >&2
EOF
# (A copy that cannot be given back stays and goes on serving.  It needs nothing else of the
# package.)
cat > "$root/DEBIAN/prerm" << EOF
#!/bin/sh
set -e
[ "\$1" = remove ] || exit 0
for name in isa jerasure; do
    permxor-ceph-takeover --dir $plugin_dir give-back \$name ||
        echo "permxor-ceph: \$name is still taken over" >&2
done
EOF
chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm"
dpkg-deb --root-owner-group --build "$root" "$package"
