/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file isa-l.h ISA-L's umbrella header, with the parts that this library has: erasure coding,
 * RAID, zero detection and Adler-32.  It has no compression, no crc and nothing else of ISA-L.
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
