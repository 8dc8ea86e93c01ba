#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# stage.sh FOLDER: puts into FOLDER what compiles to the library with a C compiler alone.  The
# packages for Python and Rust are built from such a folder:
#
#   LICENSE
#   the C files and headers of the library, without ISA-L's interface, in the folders kernels,
#   erasure_code, raid, hash and arch/ARCH.  kernel_NAME.c is a kernel set, and its variant NAME_xN
#   is the same file with KERNEL_UNROLL=N
#   kernels/kernel_*.inc.h, which configure otherwise makes by kernels/unroll.awk
#   config.h, which configure otherwise makes
#   kernel_sets.txt, which is made from arch/*/kernel_sets.m4.  It has a line for each kernel set:
#   the architecture, the name, the flags of the compiler, and the variants, with tabs between
#   them.  The best set of an architecture comes first.
#
# These macros are defined on the command line of the compiler, for all files:
#
#   PXR_KERNEL_SETS(X)    X(NAME) for each set and variant that was built, best first
#   PXR_ARCH_PORTABLE     if no folder of arch/ is for the processor
#   PXR_HAVE_ASM          if arch/x86_64/gf_dot_prod.asm was assembled
#
# The script needs awk.
set -eu

if [ $# -ne 1 ]; then
    echo "usage: stage.sh FOLDER" >&2
    exit 2
fi
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
command -v "${AWK:=awk}" > /dev/null || {
    echo "stage.sh: $AWK is missing: install it, or set AWK" >&2
    exit 1
}
cd "$top"

for folder in include kernels erasure_code raid hash arch/*; do
    mkdir -p "$out/$folder"
    for file in "$folder"/*.[ch]; do
        case $file in
        */isa[l-]* | */jerasure* | */permxor_array*) ;;
        *) [ ! -e "$file" ] || cp "$file" "$out/$folder" ;;
        esac
    done
done
cp arch/x86_64/gf_dot_prod.asm arch/x86_64/abi.inc "$out/arch/x86_64"
cp LICENSE "$out"
for template in kernels/*.inc.h.in; do
    body=${template%.in}
    "$AWK" -f kernels/unroll.awk "$template" > "$out/$body"
done

cat > "$out/config.h" << 'END'
#define _GNU_SOURCE 1
#if defined(__linux__) && !defined(__ANDROID__)
#define HAVE_SECURE_GETENV 1
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || \
    defined(__OpenBSD__) || defined(__DragonFly__)
#define HAVE_ISSETUGID 1
#endif
#define PXR_TUNE_FILE "/usr/local/etc/permxor/tune"
END

# The arguments of PXR_KERNEL_SET stand in brackets.  Those of the C program have some in them.
"$AWK" '
/^#/ { next }
{
    for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (c == "[" && depth++ == 0)
            argument[++n] = ""
        else if (c == "]" && --depth == 0)
            continue
        else if (depth > 0)
            argument[n] = argument[n] c
        else if (c == ")") {
            sets++
            print argument[1] "\t" argument[2] "\t" argument[3] "\t" (n < 6 ? "" : argument[6])
            n = 0
        }
    }
}
END { exit n != 0 || depth != 0 || sets == 0 }
' arch/*/kernel_sets.m4 > "$out/kernel_sets.txt"
chmod -R u+w "$out"
