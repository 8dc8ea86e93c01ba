# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
#
# The scripts of this folder source this file.  It copies the sources to $work/source, because
# cargo writes beside them, and sets how cargo finds this build of permxor.  The script sets
# $suite, and $work, an absolute path.

source=$work/source
unset PERMXOR_KERNELS
export CARGO_TARGET_DIR="$work/target" CARGO_TERM_COLOR=never

cargo() {
    command "${CARGO:-cargo}" "$@"
}

command -v "${CARGO:-cargo}" > /dev/null || skip_all "no ${CARGO:-cargo}"
rust=$(rustc --version | cut -d ' ' -f 2)

# at_least VERSION: whether Rust is this version or a newer one.
at_least() {
    printf '%s\n' "$1" "$rust" | sort -CV
}

at_least 1.63 || skip_all "Rust 1.63 is needed, and this is $rust"

# cargo builds again what is newer than before, so the files keep their times.
rm -rf "$source"
cp -Rp "$top_srcdir/plugins/rust" "$source"
chmod -R u+w "$source"
cp "$top_srcdir/LICENSE" "$source/permxor"
cp "$top_srcdir/LICENSE" "$source/permxor-sys"

# The library's sources go into the package, where its build script looks first.
stage() {
    check "the library's sources are staged" sh "$top_srcdir/plugins/stage.sh" \
        "$source/permxor-sys/c"
}

# For the feature `system`.
use_this_build() {
    command -v pkg-config > /dev/null || skip_all "no pkg-config"
    mkdir -p "$work/pkgconfig"
    cat > "$work/pkgconfig/permxor.pc" << END
Name: permxor
Description: permxor as it is built, not installed
Version: $(sed -n 's/^AC_INIT(\[permxor\], \[\(.*\)\])/\1/p' "$top_srcdir/configure.ac")
Libs: -L$top_builddir/.libs -lpermxor
Cflags: -I$top_srcdir/include
END
    export PKG_CONFIG_PATH="$work/pkgconfig"
    export LD_LIBRARY_PATH="$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}
