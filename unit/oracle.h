/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The real ISA-L, for tests that compare ours with it: libisal.so.2 of the system, or the file
 * that PXR_ORACLE names.
 */
#ifndef PXR_UNIT_ORACLE_H
#define PXR_UNIT_ORACLE_H

#include "isal_functions.h"

/* False where there is none; the reason was given.  Also a case that it is another
   library than ours. */
bool oracle_open(void);

/* A pointer to one of its functions; NULL where it has none. */
isal_code *oracle_find(const char *name);

/* The instruction set that a name asks for without looking at the CPU; NULL where this
   CPU has it. */
const char *oracle_lacks(const char *name);

bool oracle_name_ends(const char *name, const char *suffix);

#endif
