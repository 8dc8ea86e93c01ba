/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PXR_UNIT_FAULTS_CALLS_H
#define PXR_UNIT_FAULTS_CALLS_H

#include "faults.h"

#include <errno.h>

/*
 * Defines a function with the name of a function of the C library.  `where` is the path, or
 * NULL if the call is not watched.  `before` and `after` are statements.  `after` finds the
 * result of the call in `result`.
 */
#define WRAP(type, failure, name, parameters, arguments, where, before, after) \
    type name parameters                                                       \
    {                                                                          \
        type(*next) parameters;                                                \
        *(void **)&next = next_function(#name);                                \
        const char *path_of_call = (where);                                    \
        if (path_of_call == NULL)                                              \
            return next arguments;                                             \
        enum verdict verdict = call_begin(#name, path_of_call);                \
        if (verdict == FAIL) {                                                 \
            call_end(verdict);                                                 \
            return failure;                                                    \
        }                                                                      \
        before;                                                                \
        type result = next arguments;                                          \
        int error = errno;                                                     \
        after;                                                                 \
        errno = error;                                                         \
        call_end(verdict);                                                     \
        return result;                                                         \
    }

#endif
