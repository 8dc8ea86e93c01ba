/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISA-L's umbrella header, as far as this library goes: erasure coding.
 * Compression, crc and the rest of ISA-L are not here.
 */
#ifndef PXR_ISA_L_H
#define PXR_ISA_L_H

#include <isa-l/erasure_code.h>
#include <isa-l/gf_vect_mul.h>
#include <isa-l/isal_api.h>
#include <isa-l/types.h>

#endif
