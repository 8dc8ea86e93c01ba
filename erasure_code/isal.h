/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISA-L's calls with the kernel set as one more argument.  The names with and without an
 * instruction set use these functions.  The arguments, the memory layouts and the cases in
 * which nothing is done are those of include/isa-l/erasure_code.h.
 */
#ifndef PXR_ISAL_H
#define PXR_ISAL_H

#include "kernels.h"

void pxr_isal_encode(const struct pxr_kernels *kernels, int len, int k, int rows,
                     unsigned char *tables, unsigned char **src, unsigned char **dst);
void pxr_isal_update(const struct pxr_kernels *kernels, int len, int k, int rows, int index,
                     unsigned char *tables, unsigned char *src, unsigned char **dst);
int pxr_isal_mul(const struct pxr_kernels *kernels, int len, unsigned char *table, void *src,
                 void *dst);

#endif
