#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# stage.sh FOLDER: puts into FOLDER what permxor-sys/build.rs compiles:
#
#   the C files and headers of the library, without ISA-L's interface
#   kernels/kernel_*.inc.h, which configure otherwise makes by kernels/unroll.awk
#   kernel_sets.txt, which is made from arch/*/kernel_sets.m4.  It has a line for each kernel set:
#   the architecture, the name, the flags of the compiler, and the variants, with tabs between
#   them.  The best set of an architecture comes first.
#
# The script needs awk and m4.
set -eu

if [ $# -ne 1 ]; then
    echo "usage: stage.sh FOLDER" >&2
    exit 2
fi
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
for tool in "${AWK:=awk}" "${M4:=m4}"; do
    command -v "$tool" > /dev/null || {
        echo "stage.sh: $tool is missing: install it, or set AWK and M4" >&2
        exit 1
    }
done
cd "$top"

for folder in include kernels erasure_code raid hash arch/*; do
    mkdir -p "$out/$folder"
    for file in "$folder"/*.[ch]; do
        case $file in
        */isal*) ;;
        *) [ ! -e "$file" ] || cp "$file" "$out/$folder" ;;
        esac
    done
done
rm -f "$out/include/isa-l.h" "$out/include/jerasure.h"
cp arch/x86_64/gf_dot_prod.asm arch/x86_64/abi.inc "$out/arch/x86_64"
for template in kernels/*.inc.h.in; do
    body=${template%.in}
    "$AWK" -f kernels/unroll.awk "$template" > "$out/$body"
done

# m4 gets the quotes and the comments of autoconf, and a macro PXR_KERNEL_SET that prints its
# arguments.
tab=$(printf '\t')
{
    printf 'changequote([,])changecom([#])dnl\n'
    printf 'define([PXR_KERNEL_SET],[$1%s$2%s$3%s$6])dnl\n' "$tab" "$tab" "$tab"
    cat arch/*/kernel_sets.m4
} > "$out/kernel_sets.m4"
"$M4" "$out/kernel_sets.m4" > "$out/kernel_sets.expanded"
grep -v '^#' "$out/kernel_sets.expanded" | grep "$tab" > "$out/kernel_sets.txt"
rm "$out/kernel_sets.m4" "$out/kernel_sets.expanded"
chmod -R u+w "$out"
