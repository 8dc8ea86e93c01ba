/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * peer.h - the functions of ISA-L's interface that a peer's adapter exports.
 *
 * An adapter is a shared library that ec_perf loads like any other.  It works on the
 * coefficients that ec_init_tables is given, over the field of 0x11d, so its bytes must equal
 * those of every other library.  It leaves out what the peer cannot do; matrices come from the
 * reference.  An adapter may fill the 32 bytes for each coefficient that the interface provides
 * in its own way.
 *
 * A runtime that is costly to enter may export ec_encode_data_walk and
 * ec_encode_data_update_walk as well, which do the calls of a whole batch (library.h).  The
 * single functions are then walks of one call, so that what is timed is also what was compared.
 */
#ifndef PERF_PEER_H
#define PERF_PEER_H

typedef unsigned char u8;

#define PEER_EXPORT __attribute__((visibility("default")))

PEER_EXPORT const char *isal_get_version_str(void); /* names the peer */

PEER_EXPORT void ec_init_tables(int k, int rows, u8 *matrix, u8 *tables);
PEER_EXPORT void ec_encode_data(int len, int k, int rows, u8 *tables, u8 **sources,
                                u8 **targets);
PEER_EXPORT void ec_encode_data_update(int len, int k, int rows, int vec_i, u8 *tables,
                                       u8 *source, u8 **targets);
PEER_EXPORT void gf_vect_mul_init(u8 c, u8 *table);
PEER_EXPORT int gf_vect_mul(int len, u8 *table, void *source, void *target);

#endif
