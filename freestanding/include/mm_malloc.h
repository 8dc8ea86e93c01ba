/* SPDX-License-Identifier: BSD-3-Clause */
/* immintrin.h includes a header of this name, which asks for a C library. */
