/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names that the original exports without declaring them in an installed header.  They are here
 * so that programs that found them in the original find them here, too.  No program is known to
 * use them.
 */
#ifndef PXR_GF_NAMES_H
#define PXR_GF_NAMES_H

#include "gf_complete.h"

#pragma GCC visibility push(default)

/* Completes a field whose head in the scratch memory is filled in. */
int gf_w4_init(gf_t *gf);
int gf_w8_init(gf_t *gf);
int gf_w16_init(gf_t *gf);
int gf_w32_init(gf_t *gf);
int gf_w64_init(gf_t *gf);
int gf_w128_init(gf_t *gf);
int gf_wgen_init(gf_t *gf);

/* gf_scratch_size() for one w. */
int gf_w4_scratch_size(int mult_type, int region_type, int divide_type, int arg1, int arg2);
int gf_w8_scratch_size(int mult_type, int region_type, int divide_type, int arg1, int arg2);
int gf_w16_scratch_size(int mult_type, int region_type, int divide_type, int arg1, int arg2);
int gf_w32_scratch_size(int mult_type, int region_type, int divide_type, int arg1, int arg2);
int gf_w64_scratch_size(int mult_type, int region_type, int divide_type, int arg1, int arg2);
int gf_w128_scratch_size(int mult_type, int region_type, int divide_type, int arg1, int arg2);
int gf_wgen_scratch_size(int w, int mult_type, int region_type, int divide_type, int arg1,
                         int arg2);

/* Return whether gf_init_hard() accepts its arguments, and the default s over a base field. */
int gf_error_check(int w, int mult_type, int region_type, int divide_type, int arg1, int arg2,
                   uint64_t poly, gf_t *base);
uint64_t gf_composite_get_default_poly(gf_t *base);

/* Products, quotients, inverses and words of a field by a polynomial.  There is one
   implementation of each, whatever method the name mentions. */
gf_val_32_t gf_w16_split_8_8_multiply(gf_t *gf, gf_val_32_t a, gf_val_32_t b);
void gf_w128_shift_multiply(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c);
void gf_w128_clm_multiply(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c);
void gf_w128_bytwo_p_multiply(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c);
void gf_w128_bytwo_b_multiply(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c);
void gf_w128_sse_bytwo_p_multiply(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c);
void gf_w128_sse_bytwo_b_multiply(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c);
void gf_w128_group_multiply(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c);
void gf_w128_divide_from_inverse(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c);
void gf_w128_inverse_from_divide(gf_t *gf, gf_val_128_t a, gf_val_128_t b);
void gf_w128_euclid(gf_t *gf, gf_val_128_t a, gf_val_128_t b);
void gf_w128_extract_word(gf_t *gf, void *start, int bytes, int index, gf_val_128_t rv);
gf_val_32_t gf_wgen_extract_word(gf_t *gf, void *start, int bytes, int index);

/* Multiply regions in the standard mapping; the last function works in the mapping of CAUCHY.
 */
void gf_w128_bytwo_b_multiply_region(gf_t *gf, void *src, void *dest, gf_val_128_t val,
                                     int bytes, int add);
void gf_w64_clm_multiply_region(gf_t *gf, void *src, void *dest, gf_val_64_t val, int bytes,
                                int add);
void gf_w64_bytwo_p_sse_multiply_region(gf_t *gf, void *src, void *dest, gf_val_64_t val,
                                        int bytes, int add);
void gf_w64_split_4_64_lazy_multiply_region(gf_t *gf, void *src, void *dest, gf_val_64_t val,
                                            int bytes, int add);
void gf_w64_split_8_64_lazy_multiply_region(gf_t *gf, void *src, void *dest, gf_val_64_t val,
                                            int bytes, int add);
void gf_w64_split_16_64_lazy_multiply_region(gf_t *gf, void *src, void *dest, gf_val_64_t val,
                                             int bytes, int add);
void gf_wgen_cauchy_region(gf_t *gf, void *src, void *dest, gf_val_32_t val, int bytes,
                           int add);

/* A product of regions that is made in parts: standard words up to s_start, whole multiples of
   `align` from there to s_top (for dest: d_start, d_top), and standard words behind these. */
typedef struct {
    gf_t *gf;
    void *src, *dest;
    int bytes;
    uint64_t val;
    int xor_, align;
    void *s_start, *d_start, *s_top, *d_top;
} gf_region_data;
void gf_set_region_data(gf_region_data *rd, gf_t *gf, void *src, void *dest, int bytes,
                        uint64_t val, int add, int align);
void gf_do_initial_region_alignment(gf_region_data *rd);
void gf_do_final_region_alignment(gf_region_data *rd);

/* Multiplies the part from s_start to s_top by a table of the products with all words of 16
   bits. */
void gf_two_byte_region_table_multiply(gf_region_data *rd, uint16_t *base);

void gf_multby_zero(void *dest, int bytes, int add);
void gf_multby_one(void *src, void *dest, int bytes, int add);

/* Returns 1 / y modulo x^w + pp, for w up to 32. */
uint32_t gf_bitmatrix_inverse(uint32_t y, int w, uint32_t pp);

/* Prints to standard error that the regions of `s` must be aligned to this many bytes. */
void gf_alignment_error(char *s, int a);

/* Return the lowest 28 and 56 bits as digits, in memory that the caller owns. */
char *bits(uint32_t v);
char *bits_56(uint64_t v);

/* Reads leaf `type` of x86's CPUID: eax, ebx, ecx, edx.  On other processors these are zeros.
 */
void cpuid(int info[4], int type);

/* Finds out what the CPU has, for programs that look at these variables.  Nothing in this
   library depends on them. */
extern int gf_cpu_identified;
extern int gf_cpu_supports_intel_pclmul;
extern int gf_cpu_supports_intel_sse4;
extern int gf_cpu_supports_intel_ssse3;
extern int gf_cpu_supports_intel_sse3;
extern int gf_cpu_supports_intel_sse2;
extern int gf_cpu_supports_arm_neon;
void gf_cpu_identify(void);

#pragma GCC visibility pop

#endif
