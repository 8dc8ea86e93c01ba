/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISA-L's umbrella header, as far as this library goes: erasure coding,
 * RAID, zero detection and Adler-32.  Compression, crc and the rest are not here.
 */
#ifndef PXR_ISA_L_H
#define PXR_ISA_L_H

#include <isa-l/erasure_code.h>
#include <isa-l/gf_vect_mul.h>
#include <isa-l/igzip_lib.h>
#include <isa-l/isal_api.h>
#include <isa-l/mem_routines.h>
#include <isa-l/raid.h>
#include <isa-l/types.h>

#endif
