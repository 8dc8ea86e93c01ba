/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the arguments of permxor.Code to a pxr_code.
 */
#ifndef PERMXOR_PYTHON_CREATE_H
#define PERMXOR_PYTHON_CREATE_H

#include "arguments.h"

/* As they were given. */
struct Asked {
    nb::handle k, m, matrix, rows, w, packetsize;
    bool assume_mds;
};

/* Never NULL: throws what permxor.Code raises. */
pxr_code *create_code(const Asked &asked);

#endif
