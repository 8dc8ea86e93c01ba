#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds an interpreter for musl, since Debian has musl, but no Python for it:
#
#   musl_python.sh FOLDER       FOLDER/python/python
#
# The sources are those of Debian 13's Python, and musl is Debian 13's.  gcc compiles them.  What
# FOLDER has from a former run stays.  Everything is for this machine's processor.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
[ ! -e "$folder/done" ] || exit 0
rm -rf "$folder/musl" "$folder/python"
cd "$folder"
"$top/tools/unpack_deb.sh" -s trixie "$(dpkg --print-architecture)" musl musl musl-dev
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

# Libraries of this machine are for another C library.
cd python
./configure CC="$folder/musl-gcc" OPT=-O1 --without-ensurepip --disable-test-modules \
    --without-doc-strings --with-pkg-config=no ac_cv_header_zlib_h=no > ../configure.log 2>&1 ||
    { tail ../configure.log >&2; exit 1; }
make > ../make.log 2>&1 || { tail -n 30 ../make.log >&2; exit 1; }
: > "$folder/done"
