/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes codes of words. */
#include <stdlib.h>

#include "arithmetic.h"
#include "word_matrix.h"

/* The checks that making a code begins with. */
static int check(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix, unsigned w,
                 struct pxr_error *why)
{
    const int status = pxr_code_begin(code, k, m, PXR_MAX_WORD_SHARDS, why);
    if (status != PXR_OK)
        return status;
    if (w != 4 && w != 16 && w != 32)
        pxr_explain(why, "w=%u: words have 4, 16 or 32 bits; use pxr_code_create() for 8 bits",
                    w);
    else if (w == 4 && k + m > 16)
        pxr_explain(why, "k=%u, m=%u: at most k+m=16 shards are possible with w=4", k, m);
    else if (matrix != PXR_JERASURE_VAN && matrix != PXR_JERASURE_R6)
        pxr_explain(why, "matrix=%d: only jerasure_van and jerasure_r6 have words",
                    (int)matrix);
    else if (matrix == PXR_JERASURE_R6 && m != 2)
        pxr_explain(why, "m=%u: jerasure_r6 needs m=2", m);
    else
        return PXR_OK;
    return PXR_EINVAL;
}

/* Makes the column of each data shard, which updates need.  Returns false when memory ran out.
 */
static bool make_columns(struct pxr_code *code, struct pxr_word_field field)
{
    const size_t step = pxr_words_room(field, 1, code->m) / sizeof(uint64_t);
    uint32_t column[PXR_MAX_WORD_SHARDS];
    code->word_columns = malloc(code->k * sizeof *code->word_columns);
    code->columns_room = malloc(code->k * step * sizeof(uint64_t));
    if (!code->word_columns || !code->columns_room)
        return false;
    for (unsigned j = 0; j < code->k; j++) {
        for (unsigned r = 0; r < code->m; r++)
            column[r] = code->words[(size_t)r * code->k + j];
        code->word_columns[j] =
            pxr_words_expand_both(field, 1, code->m, column, code->columns_room + j * step);
    }
    return true;
}

static bool fill(struct pxr_code *code, struct pxr_word_field field)
{
    const unsigned k = code->k, m = code->m;
    code->words = malloc(sizeof *code->words * m * k);
    code->room = malloc(pxr_words_room(field, k, m));
    if (!code->words || !code->room)
        return false;
    pxr_word_matrix_fill(field, code->words, k, m, code->matrix);
    code->map = (struct pxr_map){
        .arithmetic = &pxr_word_arithmetic,
        .k = k,
        .count = m,
        .unit = pxr_word_bytes(field.w),
        .w = field.w,
        .words = pxr_words_expand_both(field, k, m, code->words, code->room),
    };
    return make_columns(code, field);
}

int pxr_code_create_words(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                          unsigned w, struct pxr_error *why)
{
    const int status = check(code, k, m, matrix, w, why);
    if (status != PXR_OK)
        return status;
    struct pxr_code *const made = pxr_code_allocate(k, m, matrix, why);
    if (!made)
        return PXR_ENOMEM;
    if (!fill(made, pxr_word_field_of(w)))
        return pxr_code_no_memory(made, why);
    *code = made;
    return PXR_OK;
}
