/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a pxr_code from the arguments of permxor.Code. */
#ifndef PERMXOR_PYTHON_CREATE_H
#define PERMXOR_PYTHON_CREATE_H

#include "arguments.h"

/* The arguments as they were given. */
struct Asked {
    nb::handle k, m, matrix, rows, w, packetsize;
    bool assume_mds;
};

/* Never returns NULL.  Throws the exceptions that permxor.Code raises. */
pxr_code *create_code(const Asked &asked);

#endif
