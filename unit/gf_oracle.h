/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The real gf-complete, for the test that compares ours with it: libgf_complete.so.1 of the
 * system, or the file that PXR_GF_ORACLE names.
 */
#ifndef PXR_UNIT_GF_ORACLE_H
#define PXR_UNIT_GF_ORACLE_H

#include <stdbool.h>

#include "gf_complete.h"
#include "gf_general.h"

/* Its error number and its functions. */
struct gf_oracle {
    int *error; /* _gf_errno */
    int (*init_hard)(gf_t *gf, int w, int mult, int region, int divide, uint64_t poly, int arg1,
                     int arg2, gf_t *base, void *scratch);
    int (*scratch_size)(int w, int mult, int region, int divide, int arg1, int arg2);
    uint8_t *(*table_8[4])(gf_t *gf);   /* w4 mult, w4 div, w8 mult, w8 div */
    uint16_t *(*table_16[3])(gf_t *gf); /* log, mult_alog, div_alog */
    void (*seed)(uint32_t seed);
    uint32_t (*random_w)(int w, int zero_ok);
    void (*random_128)(uint64_t *x);
    void (*fill)(void *region, int size);
    void (*val_to_s)(gf_general_t *v, int w, char *s, int hex);
    int (*s_to_val)(gf_general_t *v, int w, char *s, int hex);
};
extern struct gf_oracle gf_oracle;

/* Loads the library and finds its functions.  Returns false, after giving the reason, when one
   is missing.  Also runs a case which checks that this is another library than ours. */
bool gf_oracle_open(void);

#endif
