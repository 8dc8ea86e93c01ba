/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors as Python sees them: the classes of permxor/_errors.py.
 */
#ifndef PERMXOR_PYTHON_ERRORS_H
#define PERMXOR_PYTHON_ERRORS_H

#include <nanobind/nanobind.h>

/* Throw the exception that stands for a status other than PXR_OK; text may be NULL or
   empty: pxr_strerror() says it then. */
[[noreturn]] void raise_status(int status, const char *text = nullptr);

/* Throw InvalidError, its text as of PyErr_Format. */
[[noreturn]] void raise_invalid(const char *format, ...);

/* Throw TypeError, its text as of PyErr_Format. */
[[noreturn]] void raise_type(const char *format, ...);

#endif
