/* SPDX-License-Identifier: BSD-3-Clause */
/* A product of regions by gf_complete/, checked word by word against gf_reference.h. */
#ifndef PXR_UNIT_GF_TRIAL_H
#define PXR_UNIT_GF_TRIAL_H

#include "check.h"
#include "gf_complete.h"
#include "gf_reference.h"

/* A field, and the mapping of its regions. */
struct gf_subject {
    gf_t *gf;
    const struct gf_field *field;
    enum gf_layout layout;
    int w;
};

struct gf_trial {
    size_t len;
    uint8_t *src, *dst;
    struct gf_number val;
    bool add;
};

/* Memory for the regions of a trial.  gf_trial_start() allocates it. */
#define GF_MOST_BYTES 8192
extern struct check_guard gf_src_guard, gf_dst_guard;
void gf_trial_start(void);

/* Fills both regions with random bytes and multiplies.  Checks every word, every byte that
   makes no word, extract_word, the source, and the canaries. */
void gf_attempt(const struct gf_subject *s, const struct gf_trial *t);

/* The parts of gf_attempt(): the call, a word by extract_word, and a copy of a region in
   `room`.  The copy has the same address modulo 64, because mappings depend on it. */
void gf_trial_multiply(const struct gf_subject *s, const struct gf_trial *t);
struct gf_number gf_trial_extract(const struct gf_subject *s, uint8_t *region, size_t len,
                                  size_t i);
struct gf_copy {
    _Alignas(64) uint8_t bytes[GF_MOST_BYTES + 64];
};
extern struct gf_copy gf_src_copy, gf_dst_copy;
uint8_t *gf_trial_copy(uint8_t *room, const uint8_t *bytes, size_t len);

#endif
