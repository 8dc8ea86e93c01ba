#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
#   isal_wheel.sh MACHINE FOLDER
#
# Unpacks PyECLib's wheel for Python in FOLDER/wheel, for a machine as uname names it,
# this one or another.  Its builders named ISA-L's library after themselves:
# FOLDER/wheel/pyeclib.libs/libisal-*.so.2, which needs nothing else of the wheel.  The
# version and the checksums are those of isal-2.32.txt; pip has a place of its own.
set -eu

machine=$1
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "${2:?}"
mkdir -p "$2"
folder=$(cd "$2" && pwd)

# For this machine pip finds out itself what its C library takes.
set --
[ "$machine" = "$(uname -m)" ] || set -- --platform "manylinux2014_$machine"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q --disable-pip-version-check download --only-binary :all: --no-deps \
    --require-hashes -r "$here/isal-2.32.txt" -d "$folder" "$@"
python3 -m zipfile -e "$folder"/*.whl "$folder/wheel"
