/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Long random histories: operations of all kinds and lengths, many under way at once, crashes,
 * members that fail, come back, are replaced and rebuilt, errors of requests, flipped bits, and
 * lost and misdirected writes.  At any time, no more than m members are missing or have faults.
 */
#ifndef PXR_UNIT_SIM_RANDOM_H
#define PXR_UNIT_SIM_RANDOM_H

#include "sim_crash.h"

/* Runs history `number` of a seed.  Whatever is wrong goes into the tally. */
void sim_random_run(struct sim_tally *tally, uint64_t seed, uint64_t number);

#endif
