/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries of the system, for tests that compare ours with them. */
#ifndef PXR_UNIT_SYSTEM_LIBRARY_H
#define PXR_UNIT_SYSTEM_LIBRARY_H

/*
 * Loads the file that the environment variable `variable` names or, if it is not set, the
 * system's library `name`.  Returns NULL if this fails.  Then the comparison with `whose` is
 * skipped by name or, if the variable is set, a case has failed.
 */
void *system_library_open(const char *variable, const char *name, const char *whose);

#endif
