# PXR_NBDKIT: finds out whether to build the plugin for nbdkit, and where nbdkit looks for it.
AC_DEFUN([PXR_NBDKIT], [
    AC_ARG_WITH([nbdkit-plugin-dir],
        [AS_HELP_STRING([--with-nbdkit-plugin-dir@<:@=DIR@:>@],
            [build the plugin for nbdkit, to be installed in DIR (the folder that nbdkit names)])],
        [], [with_nbdkit_plugin_dir=no])
    AS_CASE([$with_nbdkit_plugin_dir],
        [no], [NBDKIT_PLUGIN_DIR=],
        [yes], [PKG_CHECK_VAR([NBDKIT_PLUGIN_DIR], [nbdkit], [plugindir], [],
            [AC_MSG_ERROR([no nbdkit.pc says where plugins are (Debian: nbdkit-plugin-dev)])])],
        [/*], [NBDKIT_PLUGIN_DIR=$with_nbdkit_plugin_dir],
        [AC_MSG_ERROR([--with-nbdkit-plugin-dir takes an absolute path])])
    AC_SUBST([NBDKIT_PLUGIN_DIR])
    AS_IF([test -n "$NBDKIT_PLUGIN_DIR"], [
        AS_IF([test "$enable_tools" != yes],
            [AC_MSG_ERROR([the plugin for nbdkit reads shards by the code of the command; leave out --disable-tools])])
        AC_MSG_CHECKING([for nbdkit's header])
        AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>]], [[struct nbdkit_plugin plugin = {.block_size = 0};
return plugin.block_size != 0;]])],
            [AC_MSG_RESULT([yes])],
            [AC_MSG_RESULT([no])
             AC_MSG_ERROR([the plugin for nbdkit needs nbdkit-plugin.h of nbdkit 1.30 (Debian: nbdkit-plugin-dev)])])
    ])
    AM_CONDITIONAL([NBDKIT_PLUGIN], [test -n "$NBDKIT_PLUGIN_DIR"])
])
