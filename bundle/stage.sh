#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Turns a folder of all distributed sources into one that takes the place of ISA-L's sources:
#
#   stage.sh DISTRIBUTION BUNDLE
#
# The sources of the library stay where they are.  What a user of ISA-L looks for is put into
# ISA-L's places.
set -eu

from=$1
to=$2
mv "$from" "$to"
cd "$to"

# Makefile.in and configure need the *.am and *.in of all folders, but not their sources.
keep="bundle/Makefile.unx bundle/CMakeLists.txt examples/isal_dropin.c"
for folder in doc examples freestanding gf_complete jerasure perf plugins tools unit bundle \
    include/gf_complete include/jerasure man; do
    [ -d "$folder" ] || continue
    find "$folder" -type f ! -name '*.am' ! -name '*.m4' | while read -r file; do
        case " $keep " in
        *" $file "*) ;;
        *) rm -f "$file" ;;
        esac
    done
    find "$folder" -type d -empty -delete
done
rm -rf .ci .github .clang-format .editorconfig .shellcheckrc ruff.toml \
    include/jerasure.h include/gf_complete.h CHANGES.md CONTRIBUTING.md README.md SECURITY.md

mv bundle/Makefile.unx bundle/CMakeLists.txt .
cat > README.md << 'END'
# permxor in the place of ISA-L's sources

This archive has ISA-L's functions for erasure coding and RAID, as permxor implements them. It
has no crc and no igzip. `make -f Makefile.unx` makes `bin/isa-l.a`; CMake has the target `isal`.
The page doc/bundling.md of permxor describes it. The licence is in the file LICENSE.
END

# A program that has -I isa-l/include finds ISA-L's headers there without a folder before them.
for header in erasure_code gf_vect_mul isal_api mem_routines raid; do
    printf '/* SPDX-License-Identifier: BSD-3-Clause */\n#include "isa-l/%s.h"\n' $header \
        > include/$header.h
done
# ISA-L's Makefile.unx writes isa-l.h into the top folder.  This one includes by the place of the
# file, so it needs no -I.  igzip_lib.h is not among them, since bin/isa-l.a has nothing of it.
{
    echo '/* SPDX-License-Identifier: BSD-3-Clause */'
    for header in erasure_code gf_vect_mul isal_api mem_routines raid types; do
        echo "#include \"include/isa-l/$header.h\""
    done
} > isa-l.h
