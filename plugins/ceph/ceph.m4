# PXR_CEPH: finds out whether to build the Ceph plugin, and where Ceph looks for it.
AC_DEFUN([PXR_CEPH], [
    AC_ARG_WITH([ceph-plugin-dir],
        [AS_HELP_STRING([--with-ceph-plugin-dir@<:@=DIR@:>@],
            [build the plugin for Ceph, to be installed in DIR (LIBDIR/ceph/erasure-code)])],
        [], [with_ceph_plugin_dir=no])
    AS_CASE([$with_ceph_plugin_dir],
        [yes], [CEPH_PLUGIN_DIR='${libdir}/ceph/erasure-code'],
        [no], [CEPH_PLUGIN_DIR=],
        [/*], [CEPH_PLUGIN_DIR=$with_ceph_plugin_dir],
        [AC_MSG_ERROR([--with-ceph-plugin-dir takes an absolute path])])
    AC_SUBST([CEPH_PLUGIN_DIR])
    AC_SUBST([PXR_NO_UNIQUE_CXXFLAGS])
    AS_IF([test -n "$CEPH_PLUGIN_DIR"], [
        AC_LANG_PUSH([C++])
        pxr_saved_CXXFLAGS=$CXXFLAGS
        CXXFLAGS="-std=gnu++17 $CXXFLAGS"
        AC_MSG_CHECKING([for C++17 and Ceph's buffers])
        AC_COMPILE_IFELSE(
            [AC_LANG_PROGRAM([[#include <optional>
#include <rados/buffer.h>]], [[return !std::optional<ceph::bufferlist>();]])],
            [AC_MSG_RESULT([yes])],
            [AC_MSG_RESULT([no])
             AC_MSG_ERROR([the Ceph plugin needs a C++17 compiler and rados/buffer.h
(Debian: g++, libradospp-dev)])])
        # gcc can make variables of templates unique in the process; clang never does.
        AC_MSG_CHECKING([whether $CXX takes -fno-gnu-unique])
        CXXFLAGS="-Werror -fno-gnu-unique $pxr_saved_CXXFLAGS"
        AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
            [AC_MSG_RESULT([yes])
             PXR_NO_UNIQUE_CXXFLAGS=-fno-gnu-unique],
            [AC_MSG_RESULT([no])])
        CXXFLAGS=$pxr_saved_CXXFLAGS
        AC_LANG_POP([C++])
    ])
    # Only the tests need this: the library from which Ceph's daemons and tools have their
    # buffers.  It is in no path of the linker.
    for pxr_folder in /usr/lib/*/ceph /usr/lib64/ceph /usr/lib/ceph; do
        AS_IF([test -z "$CEPH_COMMON_LIBS" && test -f "$pxr_folder/libceph-common.so.2"],
            [CEPH_COMMON_LIBS="-L$pxr_folder -Wl,-rpath,$pxr_folder"
             CEPH_COMMON_LIBS="$CEPH_COMMON_LIBS -l:libceph-common.so.2 -lrados"])
    done
    AC_SUBST([CEPH_COMMON_LIBS])
    AM_CONDITIONAL([CEPH_PLUGIN], [test -n "$CEPH_PLUGIN_DIR"])
])
