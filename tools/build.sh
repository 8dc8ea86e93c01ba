#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Configures and builds permxor in FOLDER:  tools/build.sh FOLDER [CONFIGURE-OPTION...]
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
shift
[ -x "$top/configure" ] || "$top/autogen.sh" > /dev/null 2>&1
mkdir -p "$folder"
cd "$folder"
"$top/configure" --quiet "$@"
make --quiet -j"$(nproc)"
