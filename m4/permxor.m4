# What configure.ac asks, a macro a question.

# PXR_FOLDERS: make and libtool take a space in the name of a folder for the end of the name.
AC_DEFUN([PXR_FOLDERS], [
    pxr_build=$(pwd)
    pxr_sources=$(cd "$srcdir" && pwd)
    AS_CASE([$pxr_build$pxr_sources], [*@<:@[[:space:]]@:>@*],
        [AC_MSG_ERROR([the path of a folder has a space in it, which make and libtool do not take.
    build folder    $pxr_build
    sources         $pxr_sources])])
])

# PXR_WARNINGS(WERROR): the warnings that every file is compiled with.
AC_DEFUN([PXR_WARNINGS], [
    PXR_WARN_CXXFLAGS="-Wall -Wextra -Wpointer-arith -Wwrite-strings -Wvla"
    AS_IF([test "$1" = yes], [PXR_WARN_CXXFLAGS="$PXR_WARN_CXXFLAGS -Werror"])
    PXR_WARN_CFLAGS="$PXR_WARN_CXXFLAGS -Wshadow -Wstrict-prototypes -Wmissing-prototypes"
    AC_SUBST([PXR_WARN_CFLAGS])
    AC_SUBST([PXR_WARN_CXXFLAGS])
])

# PXR_PROCESSOR: takes a processor that CFLAGS names (distributions do) out of it,
# into PXR_PROCESSOR_CFLAGS.  CFLAGS comes last on the command line, and so would
# take back what a kernel set's own flags add, or contradict them.  Another processor
# for -mtune than the generic one is what the user wants, and stays.
AC_DEFUN([PXR_PROCESSOR], [
    pxr_flags=
    set -f
    for pxr_flag in $CFLAGS; do
        AS_CASE([$pxr_flag],
            [-mcpu=*|-march=*|-mtune=generic], [PXR_PROCESSOR_CFLAGS="$PXR_PROCESSOR_CFLAGS $pxr_flag"],
            [pxr_flags="$pxr_flags $pxr_flag"])
    done
    set +f
    CFLAGS=${pxr_flags# }
    AC_SUBST([PXR_PROCESSOR_CFLAGS])
])

# PXR_HOST_ARCH: sets pxr_arch to the folder below arch/ that takes part, or to
# portable.
AC_DEFUN([PXR_HOST_ARCH], [
    AC_REQUIRE([AC_CANONICAL_HOST])
    AS_CASE([$host_cpu],
        [x86_64|amd64], [AC_COMPILE_IFELSE(
            [AC_LANG_PROGRAM([], [[
#ifndef __LP64__
#error x32 takes the portable code
#endif
            ]])], [pxr_arch=x86_64], [pxr_arch=portable])],
        [pxr_arch=portable])
    # What most others ask of the CPU is Linux's answer.
    AS_CASE([$host_cpu-$host_os],
        [aarch64-*|arm64-*], [pxr_arch=aarch64],
        [powerpc64le-linux*], [pxr_arch=ppc64le],
        [riscv64-linux*], [pxr_arch=riscv64],
        [s390x-linux*], [pxr_arch=s390x],
        [loongarch64-linux*], [pxr_arch=loongarch64])
    m4_foreach_w([arch], [x86_64 aarch64 ppc64le riscv64 s390x loongarch64],
        [AM_CONDITIONAL([ARCH_]m4_toupper(arch), [test "$pxr_arch" = ]arch)])
    # ISA-L's names with an instruction set in them, which run base where no other is built.
    AM_CONDITIONAL([X86_NAMES],
        [AS_CASE([$host_cpu], [x86_64|amd64|i?86], [:], [false])])
    AS_CASE([$host_os], [linux*], [pxr_linux=yes], [pxr_linux=no])
    AM_CONDITIONAL([LINUX], [test $pxr_linux = yes])
    AS_IF([test "$pxr_arch" = portable],
        [AC_DEFINE([PXR_ARCH_PORTABLE], [1], [Define to 1 where arch/ has no folder.])])
    pxr_sets=
    pxr_set_list=
    pxr_known_sets=base
])

# PXR_LINKER: what the linker takes.  Without versions of symbols, libpermxor exports the same
# names by libtool's means.
AC_DEFUN([PXR_LINKER], [
    pxr_saved_LDFLAGS=$LDFLAGS
    AC_MSG_CHECKING([whether the linker takes -Bsymbolic-functions])
    LDFLAGS="$pxr_saved_LDFLAGS -Wl,-Bsymbolic-functions"
    AC_LINK_IFELSE([AC_LANG_PROGRAM()],
        [AC_MSG_RESULT([yes])
         PXR_SYMBOLIC_LDFLAGS=-Wl,-Bsymbolic-functions],
        [AC_MSG_RESULT([no])
         PXR_SYMBOLIC_LDFLAGS=])
    AC_MSG_CHECKING([whether the linker takes versions of symbols])
    AS_ECHO(["PERMXOR_0 { global: main; local: *; };"]) > conftest.map
    LDFLAGS="$pxr_saved_LDFLAGS -Wl,--version-script=conftest.map"
    AC_LINK_IFELSE([AC_LANG_PROGRAM()],
        [AC_MSG_RESULT([yes])
         PXR_EXPORT_LDFLAGS=-Wl,--version-script=libpermxor.map
         PXR_ARRAY_EXPORT_LDFLAGS=-Wl,--version-script=libpermxor_array.map],
        [AC_MSG_RESULT([no])
         PXR_EXPORT_LDFLAGS='-export-symbols $(srcdir)/erasure_code/permxor.sym'
         PXR_ARRAY_EXPORT_LDFLAGS='-export-symbols $(srcdir)/array/permxor_array.sym'])
    rm -f conftest.map
    LDFLAGS=$pxr_saved_LDFLAGS
    AC_SUBST([PXR_SYMBOLIC_LDFLAGS])
    AC_SUBST([PXR_EXPORT_LDFLAGS])
    AC_SUBST([PXR_ARRAY_EXPORT_LDFLAGS])
])

# PXR_KERNEL_CHOICE: --enable-kernel-sets=LIST, for builds that are to run those alone.
AC_DEFUN([PXR_KERNEL_CHOICE], [
    AC_ARG_ENABLE([kernel-sets],
        [AS_HELP_STRING([--enable-kernel-sets=LIST],
            [build, besides base, these kernel sets alone (all that the compiler can)])],
        [], [enable_kernel_sets=yes])
])

# PXR_KERNEL_SET(ARCH, NAME, FLAGS, HEADER, PROGRAM, VARIANTS): builds a set of
# the architecture, and variants of it, where the compiler takes its flags, its
# intrinsics and all verbs of arch/ARCH/kernel_NAME.c (an empty file stands in for the
# bodies, of which some are not written yet).  PROGRAM, with HEADER, is what the
# compiler has to generate code for.  The flags reach the files of that set alone,
# which run only after a look at the CPU.  The order of these lines is the registry's,
# best first.
AC_DEFUN([PXR_KERNEL_SET], [
    pxr_have_set=no
    pxr_asked=no
    AS_IF([test "$pxr_arch" = $1], [
        for pxr_row in $2 $6; do
            pxr_known_sets="$pxr_known_sets $pxr_row"
            AS_CASE([" $enable_kernel_sets "],
                [" yes "|*" $pxr_row "*], [pxr_asked=yes])
        done
    ])
    AS_IF([test $pxr_asked = yes], [
        AC_MSG_CHECKING([whether $CC builds the kernel set $2])
        pxr_saved_CFLAGS=$CFLAGS
        mkdir -p conftest.dir
        : > conftest.dir/config.h
        : > conftest.dir/kernel_set.inc.h
        CFLAGS="-std=gnu11 -Werror=implicit-function-declaration -Iconftest.dir $3 $CFLAGS"
        CFLAGS="$CFLAGS -I$srcdir/include -I$srcdir/kernels"
        AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <$4>
#include "$srcdir/arch/$1/kernel_$2.c"]], [[$5]])], [pxr_have_set=yes])
        rm -rf conftest.dir
        CFLAGS=$pxr_saved_CFLAGS
        AC_MSG_RESULT([$pxr_have_set])
    ])
    AS_IF([test $pxr_have_set = yes], [
        AC_DEFINE([PXR_HAVE_]m4_toupper([$2]), [1], [Define to 1 if the kernel set $2 is built.])
        AC_SUBST([PXR_]m4_toupper([$2])[_CFLAGS], ["$3"])
        for pxr_row in $2 $6; do
            pxr_set_list="$pxr_set_list X($pxr_row)"
        done
        pxr_sets="$pxr_sets
                        $2 m4_ifval([$6], [$6 ])($CC $3)"
    ], [test $pxr_asked = yes], [
        AC_MSG_WARN([the kernel set $2 is left out: $CC does not take $3, or not what the set uses])
    ])
    AM_CONDITIONAL([HAVE_]m4_toupper([$2]), [test $pxr_have_set = yes])
])

# PXR_KERNEL_REGISTRY: what the lines before amount to.
AC_DEFUN([PXR_KERNEL_REGISTRY], [
    AS_CASE([$enable_kernel_sets], [yes|no], [], [
        for pxr_row in $enable_kernel_sets; do
            AS_CASE([" $pxr_known_sets "], [*" $pxr_row "*], [],
                [AC_MSG_ERROR([--enable-kernel-sets: $pxr_row is none of: $pxr_known_sets])])
        done
    ])
    AC_DEFINE_UNQUOTED([PXR_KERNEL_SETS(X)], [$pxr_set_list],
        [Applies X to the name of each kernel set that is built but base, best first.])
])

# PXR_ASSEMBLER: nasm or yasm for arch/x86_64/gf_dot_prod.asm.  NASM=... takes
# a given one; --disable-asm takes the C bodies for the same kernel sets.
AC_DEFUN([PXR_ASSEMBLER], [
    AC_ARG_ENABLE([asm],
        [AS_HELP_STRING([--disable-asm], [compile the C bodies also where there is assembly])],
        [pxr_asm_asked=yes], [enable_asm=yes])
    AC_ARG_VAR([NASM], [assembler with NASM's syntax: nasm or yasm])
    pxr_assembler_text="none (C bodies)"
    pxr_have_asm=no
    AS_IF([test "$enable_asm" = yes && test "$pxr_arch" = x86_64], [
        AC_CHECK_PROGS([NASM], [nasm yasm])
        AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [[
#ifndef __ELF__
#error the assembly is for ELF alone
#endif
            ]])], [pxr_elf=yes], [pxr_elf=no])
        AS_IF([test -n "$NASM" && test $pxr_elf = yes], [
            AC_MSG_CHECKING([whether $NASM assembles AVX2 for elf64])
            AS_ECHO(["section .text
                vpshufb ymm0, ymm1, ymm2"]) > conftest.asm
            AS_IF([$NASM -f elf64 -o conftest.obj conftest.asm >&AS_MESSAGE_LOG_FD 2>&1],
                [pxr_have_asm=yes])
            rm -f conftest.asm conftest.obj
            AC_MSG_RESULT([$pxr_have_asm])
        ])
    ])
    AS_IF([test $pxr_have_asm = yes], [
        AC_DEFINE([PXR_HAVE_ASM], [1], [Define to 1 if gf_dot_prod.asm is assembled.])
        pxr_assembler_text="$NASM (SSSE3 and AVX2 dot products)"
    ])
    AS_IF([test $pxr_have_asm = no && test "$enable_asm$pxr_arch" = yesx86_64], [
        AS_IF([test "$pxr_asm_asked" = yes],
            [AC_MSG_ERROR([--enable-asm needs nasm or yasm, and ELF])],
            [AC_MSG_WARN([no nasm or yasm that assembles for here: SSSE3 and AVX2 take the C bodies])])
    ])
    AM_CONDITIONAL([HAVE_ASM], [test $pxr_have_asm = yes])
])

# PXR_PTHREAD: how to link POSIX threads, for tools/, perf/, plugins/ and unit/.
AC_DEFUN([PXR_PTHREAD], [
    pxr_saved_LIBS=$LIBS
    AC_SEARCH_LIBS([pthread_create], [pthread], [],
        [AC_MSG_ERROR([POSIX threads are needed])])
    AS_CASE([$ac_cv_search_pthread_create],
        ["none required"], [PTHREAD_LIBS=],
        [PTHREAD_LIBS=$ac_cv_search_pthread_create])
    AC_SUBST([PTHREAD_LIBS])
    LIBS=$pxr_saved_LIBS
])

# PXR_DLOPEN: how to link dlopen, for perf/ and unit/.
AC_DEFUN([PXR_DLOPEN], [
    pxr_saved_LIBS=$LIBS
    AC_SEARCH_LIBS([dlopen], [dl], [], [AC_MSG_ERROR([dlopen is needed])])
    AS_CASE([$ac_cv_search_dlopen],
        ["none required"], [DL_LIBS=],
        [DL_LIBS=$ac_cv_search_dlopen])
    AC_SUBST([DL_LIBS])
    LIBS=$pxr_saved_LIBS
])

# PXR_CMAKE: what the CMake files say: the size of a pointer, and where the headers are, as seen
# from the folder of the library.  Where $prefix has not both, that is an absolute path.
AC_DEFUN([PXR_CMAKE], [
    AC_CHECK_SIZEOF([void *])
    AC_SUBST([PXR_POINTER_BYTES], [$ac_cv_sizeof_void_p])
    PXR_INCLUDEDIR_OF_LIBDIR=$(
        test "x$prefix" != xNONE || prefix=$ac_default_prefix
        test "x$exec_prefix" != xNONE || exec_prefix=$prefix
        eval "from=\"$libdir\"" && eval "from=\"$from\""
        eval "to=\"$includedir\"" && eval "to=\"$to\""
        AS_CASE([$from:$to], ["$prefix"/*:"$prefix"/*], [
            from=${from#"$prefix"/}
            to=${to#"$prefix"/}
            to=$(AS_ECHO(["$from"]) | sed 's|[[^/]][[^/]]*|..|g')/$to
        ])
        AS_ECHO(["$to"]))
    PXR_INCLUDEDIR_OF_DROPINDIR=$PXR_INCLUDEDIR_OF_LIBDIR/permxor
    AS_CASE([$PXR_INCLUDEDIR_OF_LIBDIR], [/*], [],
        [PXR_INCLUDEDIR_OF_DROPINDIR=../$PXR_INCLUDEDIR_OF_DROPINDIR])
    AC_SUBST([PXR_INCLUDEDIR_OF_LIBDIR])
    AC_SUBST([PXR_INCLUDEDIR_OF_DROPINDIR])
])

# PXR_SITE: whether there are the tools that make the site and the manual pages.
AC_DEFUN([PXR_SITE], [
    AC_CACHE_CHECK([for Doxygen, and Sphinx with MyST and Breathe], [pxr_cv_site_tools], [
        mkdir -p conftest.dir
        echo "# Title" > conftest.dir/index.md
        AS_IF([doxygen --version > /dev/null 2>&1 &&
            sphinx-build -q -C -b dummy -D extensions=myst_parser,breathe \
                conftest.dir conftest.dir/out > conftest.dir/log 2>&1],
            [pxr_cv_site_tools=yes], [pxr_cv_site_tools=no])
        rm -rf conftest.dir
    ])
    AM_CONDITIONAL([SITE_TOOLS], [test $pxr_cv_site_tools = yes])
    AS_IF([test $pxr_cv_site_tools = yes], [pxr_man_text="made when they are installed"],
        [test -e "$srcdir/man/man3/permxor.3"], [pxr_man_text="as they are in the sources"],
        [pxr_man_text="of the command alone (tools/setup.sh --doc installs what makes others)"])
])

# PXR_LIBURING: finds out whether members of arrays can be used by io_uring.  pkg-config may know a
# library of another architecture than the one that is built for, so a program is linked.
AC_DEFUN([PXR_LIBURING], [
    AC_ARG_WITH([liburing],
        [AS_HELP_STRING([--with-liburing],
            [let members of arrays be used by io_uring (default: if liburing is found)])],
        [], [with_liburing=auto])
    have_liburing=no
    AS_IF([test "$with_liburing" != no],
        [PKG_CHECK_MODULES([LIBURING], [liburing >= 2.3], [have_liburing=yes], [have_liburing=no])])
    AS_IF([test "$have_liburing" = yes], [
        pxr_saved_CFLAGS=$CFLAGS
        pxr_saved_LIBS=$LIBS
        CFLAGS="$CFLAGS $LIBURING_CFLAGS"
        LIBS="$LIBURING_LIBS $LIBS"
        AC_MSG_CHECKING([whether liburing can be linked])
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <liburing.h>]],
            [[struct io_uring ring;
struct io_uring_params parameters = {.flags = IORING_SETUP_DEFER_TASKRUN};
return io_uring_queue_init_params(1, &ring, &parameters) ||
       io_uring_submit_and_get_events(&ring);]])],
            [], [have_liburing=no])
        AC_MSG_RESULT([$have_liburing])
        CFLAGS=$pxr_saved_CFLAGS
        LIBS=$pxr_saved_LIBS
    ])
    AS_IF([test "$have_liburing" = yes],
        [AC_DEFINE([HAVE_LIBURING], [1], [Define to 1 if members of arrays can be used by io_uring.])],
        [LIBURING_CFLAGS=
         LIBURING_LIBS=
         AS_CASE([$with_liburing], [auto | no], [],
            [AC_MSG_ERROR([--with-liburing needs liburing 2.3 (Debian: liburing-dev)])])])
])
