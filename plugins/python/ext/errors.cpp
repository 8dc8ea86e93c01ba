/* SPDX-License-Identifier: BSD-3-Clause */
#include "errors.h"

#include <cstdarg>
#include <new>

#include <permxor.h>

namespace nb = nanobind;

static const char *class_name(int status)
{
    switch (status) {
    case PXR_EINVAL:
        return "InvalidError";
    case PXR_ENOTMDS:
        return "NotMDSError";
    case PXR_EUNPROVEN:
        return "UnprovenError";
    case PXR_ETOOFEW:
        return "TooFewError";
    case PXR_ESINGULAR:
        return "SingularError";
    case PXR_EAMBIGUOUS:
        return "AmbiguousError";
    case PXR_EUNUSABLE:
        return "UnusableError";
    }
    return "Error";
}

/* The class is looked up when it is needed, because the module keeps no state of its own. */
static nb::object exception_class(int status)
{
    return nb::module_::import_("permxor._errors").attr(class_name(status));
}

void raise_status(int status, const char *text)
{
    if (status == PXR_ENOMEM)
        throw std::bad_alloc();
    PyErr_SetString(exception_class(status).ptr(), text && *text ? text : pxr_strerror(status));
    throw nb::python_error();
}

void raise_invalid(const char *format, ...)
{
    const nb::object invalid = exception_class(PXR_EINVAL);
    va_list values;
    va_start(values, format);
    PyErr_FormatV(invalid.ptr(), format, values);
    va_end(values);
    throw nb::python_error();
}

void raise_type(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    PyErr_FormatV(PyExc_TypeError, format, values);
    va_end(values);
    throw nb::python_error();
}
