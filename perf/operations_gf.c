/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of regions in gf-complete's fields. */
#include <stdlib.h>

#include "operations.h"
#include "gf_complete/gf_complete.h"

struct gf_field {
    gf_t gf;
    __typeof__(gf_free) *free;
};

/* The multiplier is its high w bits, which are neither few ones nor a pattern. */
#define CONSTANT UINT64_C(0xd3a5c96e71b8f29d)

/* ---------------------------------------------------------------- batches -- */

#define MULTIPLY(member, constant)                                                       \
    s->field->gf.multiply_region.member(&s->field->gf, row[0], target[0], constant, len, \
                                        w->shape.operation->adds)

static uint64_t constant_128[] = {CONSTANT, ~CONSTANT};

BATCH(region_32, MULTIPLY(w32, (gf_val_32_t)(CONSTANT >> (64 - w->shape.operation->field))))
BATCH(region_64, MULTIPLY(w64, CONSTANT))
BATCH(region_128, MULTIPLY(w128, constant_128))

/* ------------------------------------------------------------ preparation -- */

static bool fill_field(gf_t *gf, const struct operation *op, __typeof__(gf_init_hard) *init)
{
    return op->altmap ? init(gf, op->field, GF_MULT_SPLIT_TABLE, GF_REGION_ALTMAP,
                             GF_DIVIDE_DEFAULT, 0, op->field, 4, NULL, NULL) != 0
                      : init(gf, op->field, GF_MULT_DEFAULT, GF_REGION_DEFAULT,
                             GF_DIVIDE_DEFAULT, 0, 0, 0, NULL, NULL) != 0;
}

static const char *make_field(struct subject *s)
{
    const struct library *library = &s->entry->library;
    __typeof__(gf_init_hard) *init;
    struct gf_field *const field = calloc(1, sizeof *field);
    if (field == NULL)
        return out_of_memory;
    library_lookup(library, "gf_init_hard", "", &init);
    library_lookup(library, "gf_free", "", &field->free);
    if (init != NULL && field->free != NULL &&
        fill_field(&field->gf, s->work->shape.operation, init)) {
        s->field = field;
        return NULL;
    }
    free(field);
    return "has no such field of gf-complete";
}

void gf_field_close(struct gf_field *field)
{
    if (field == NULL)
        return;
    field->free(&field->gf, 0);
    free(field);
}

/* -------------------------------------------------------------- the table -- */

#define REGION(bits, end, text, batch_, ...)                                                  \
    OPERATION("region_" #bits end, "multiply_region with w = " #bits text, .group = GROUP_GF, \
              .reads = READS_ONE, .parity = 1, .code = CODE_NONE, .sized = true,              \
              .aligned = true, .whole = true, .field = bits, .batch = batch_,                 \
              .prepare = make_field, __VA_ARGS__)
#define BOTH(bits, batch_)                       \
    REGION(bits, "", "", batch_, .adds = false), \
        REGION(bits, "_add", ", added to the target", batch_, .adds = true)
#define ALTMAP(bits, batch_)                                                                \
    REGION(bits, "_altmap", ", SPLIT " #bits " 4 with ALTMAP, added", batch_, .adds = true, \
           .altmap = true)

const struct operation gf_operations[] = {
    BOTH(8, region_32),    BOTH(16, region_32),   BOTH(32, region_32),   BOTH(64, region_64),
    BOTH(128, region_128), ALTMAP(16, region_32), ALTMAP(32, region_32), ALTMAP(64, region_64),
};
const size_t gf_operation_count = sizeof(gf_operations) / sizeof(gf_operations[0]);
