/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The real ISA-L, for tests that compare ours with it: libisal.so.2 of the system, or the file
 * that PXR_ORACLE names.
 */
#ifndef PXR_UNIT_ORACLE_H
#define PXR_UNIT_ORACLE_H

#include "isal_functions.h"

/* Loads the library.  Returns false, after giving the reason, if there is none.  Also runs a
   case which checks that it is another library than ours. */
bool oracle_open(void);

/* A pointer to one of its functions, or NULL if the library does not have it. */
isal_code *oracle_find(const char *name);

/* A function whose name ends with an instruction set uses this set without looking at the CPU.
   Returns the set if the CPU does not have it, and NULL otherwise. */
const char *oracle_lacks(const char *name);

bool oracle_name_ends(const char *name, const char *suffix);

#endif
