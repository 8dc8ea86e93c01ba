/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries of the system with which tests compare ours. */
#ifndef PXR_UNIT_SYSTEM_LIBRARY_H
#define PXR_UNIT_SYSTEM_LIBRARY_H

/*
 * Loads the file that this variable of the environment names, else the system's library of this
 * name.  NULL where there is none: the comparison with `whose` is then skipped by name, or, of
 * the variable's file, has failed.
 */
void *system_library_open(const char *variable, const char *name, const char *whose);

#endif
