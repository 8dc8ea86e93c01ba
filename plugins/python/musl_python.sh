#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds an interpreter for musl, since Debian has musl, but no Python for it:
#
#   musl_python.sh FOLDER       FOLDER/python/python
#
# Python and musl are those of Debian 13, and zlib is Debian 12's.  gcc compiles them for this
# machine's processor.  What FOLDER has from a former run stays.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
[ ! -e "$folder/done" ] || exit 0
rm -rf "$folder/musl" "$folder/zlib" "$folder/python"
cd "$folder"
"$top/tools/unpack_deb.sh" -s trixie "$(dpkg --print-architecture)" musl musl musl-dev
"$top/tools/unpack_deb.sh" -s bookworm source zlib zlib
"$top/tools/unpack_deb.sh" -s trixie source python python3.13

# The paths in these rules for gcc are those of an installed package.
triplet=$(uname -m)-linux-musl
sed "s,/usr/,$folder/musl/usr/,g; s,/lib/ld-musl,$folder/musl/usr/lib/ld-musl," \
    "musl/usr/lib/$triplet/musl-gcc.specs" > specs
# configure compares this name with that of the C library.
cat > musl-gcc << END
#!/bin/sh
case " \$* " in *" --print-multiarch "*) echo $triplet; exit ;; esac
exec gcc "\$@" -specs "$folder/specs"
END
chmod +x musl-gcc

# logged COMMAND...: shows the end of what it printed if it fails.
logged() { "$@" > "$folder/log" 2>&1 || { tail -n 30 "$folder/log" >&2; exit 1; }; }

# Libraries of this machine are for another C library.  The programs that test need zlib.
cd zlib
logged env CC="$folder/musl-gcc" CFLAGS="-O1 -fPIC" ./configure --static \
    --prefix="$folder/zlib/there"
logged make install
cd ../python
logged ./configure CC="$folder/musl-gcc" OPT=-O1 --without-ensurepip --disable-test-modules \
    --without-doc-strings --with-pkg-config=no ZLIB_CFLAGS="-I$folder/zlib/there/include" \
    ZLIB_LIBS="-L$folder/zlib/there/lib -lz"
logged make
./python -c 'import zlib'
: > "$folder/done"
