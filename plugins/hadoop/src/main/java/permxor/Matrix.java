// SPDX-License-Identifier: BSD-3-Clause
package permxor;

/**
 * The formula of a code's parity rows. Row r and column j hold the coefficient with which data
 * shard j goes into parity shard r. The order of the values is that of enum pxr_matrix in
 * permxor.h.
 */
public enum Matrix {
  /** ISA-L's gf_gen_rs_matrix, 2^(r*j). Only small codes of it survive any m losses. */
  ISAL_VAND,
  /** ISA-L's gf_gen_cauchy1_matrix and HDFS's codec rs, 1/((k+r) xor j). */
  ISAL_CAUCHY,
  /** Jerasure's reed_sol_van with w = 8. */
  JERASURE_VAN,
  /** Jerasure's reed_sol_r6_op with w = 8, which is RAID-6. It has two parity shards. */
  JERASURE_R6,
  /** The matrix of klauspost/reedsolomon for Go and of Backblaze's JavaReedSolomon. */
  KLAUSPOST_VAND
}
