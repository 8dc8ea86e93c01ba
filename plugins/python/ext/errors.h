/* SPDX-License-Identifier: BSD-3-Clause */
/* Raises errors as the classes of permxor/_errors.py. */
#ifndef PERMXOR_PYTHON_ERRORS_H
#define PERMXOR_PYTHON_ERRORS_H

#include <nanobind/nanobind.h>

/* Throws the exception for a status other than PXR_OK.  If text is NULL or empty, the exception
   has the text of pxr_strerror(). */
[[noreturn]] void raise_status(int status, const char *text = nullptr);

/* Throws InvalidError with a text in the format of PyErr_Format. */
[[noreturn]] void raise_invalid(const char *format, ...);

/* Throws TypeError with a text in the format of PyErr_Format. */
[[noreturn]] void raise_type(const char *format, ...);

#endif
