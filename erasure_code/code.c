/* SPDX-License-Identifier: BSD-3-Clause */
/* The code object of permxor.h.  It is made once, and then encodes and updates. */
#include <stdlib.h>
#include <string.h>

#include "arithmetic.h"
#include "call.h"
#include "plan_cache.h"

const char *pxr_strerror(int status)
{
    switch (status) {
    case PXR_OK:
        return "success";
    case PXR_EINVAL:
        return "an argument is NULL or out of range";
    case PXR_ENOMEM:
        return "out of memory";
    case PXR_ENOTMDS:
        return "the matrix is not MDS: some k shards are not enough to restore the data";
    case PXR_EUNPROVEN:
        return "the custom matrix is too large to test whether it is MDS";
    case PXR_ETOOFEW:
        return "too few shards or blocks are left to restore the data";
    case PXR_ESINGULAR:
        return "these shards are not enough to restore the data: the matrix is not MDS";
    case PXR_EMISMATCH:
        return "parity and data disagree";
    case PXR_EAMBIGUOUS:
        return "parity and data disagree, and no single wrong shard explains it";
    case PXR_EUNUSABLE:
        return "this CPU cannot run the kernel set";
    }
    return "unknown status";
}

#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *pxr_version(void)
{
    return VERSION(PXR_VERSION_MAJOR, PXR_VERSION_MINOR, PXR_VERSION_PATCH);
}

/* -------------------------------------------------------------- object -- */

struct pxr_code *pxr_code_allocate(unsigned k, unsigned m, enum pxr_matrix matrix,
                                   struct pxr_error *why)
{
    struct pxr_code *const code = malloc(sizeof *code);
    if (code)
        *code = (struct pxr_code){.k = k, .m = m, .matrix = matrix, .mds = true};
    else
        pxr_explain(why, "out of memory");
    return code;
}

int pxr_code_no_memory(struct pxr_code *code, struct pxr_error *why)
{
    pxr_code_free(code);
    pxr_explain(why, "out of memory");
    return PXR_ENOMEM;
}

int pxr_flags_check(unsigned flags, struct pxr_error *why)
{
    if (!(flags & ~PXR_ASSUME_MDS))
        return PXR_OK;
    pxr_explain(why, "flags=0x%x: unknown bits are set", flags);
    return PXR_EINVAL;
}

/* Allocates a code of bytes with a checked shape.  Its rows are still to be filled in. */
static struct pxr_code *allocate(unsigned k, unsigned m, enum pxr_matrix matrix,
                                 struct pxr_error *why)
{
    struct pxr_code *code = pxr_code_allocate(k, m, matrix, why);
    if (!code)
        return NULL;
    code->map =
        (struct pxr_map){.arithmetic = &pxr_byte_arithmetic, .k = k, .count = m, .unit = 1};
    code->rows = malloc((size_t)m * k);
    code->room = malloc(pxr_rows_bytes(k, m));
    if (code->rows && code->room)
        return code;
    pxr_code_no_memory(code, why);
    return NULL;
}

/* Finds the structure of a code's rows, if there is one.  Returns false when memory ran out. */
static bool find_structure(struct pxr_code *code)
{
    struct pxr_structure *const s = &code->structure;
    struct pxr_wide *const w = &code->wide;
    const struct pxr_wide_matrix matrix = {code->k, code->m, code->rows, NULL, NULL};
    const size_t n = pxr_cheaper_find(&matrix, pxr_kernels()->transform_levels, s, w);
    const bool wide = w->levels > 0;
    if (n == 0)
        return true;
    uint8_t *const bytes = malloc(n);
    code->constants = malloc(pxr_rows_bytes(1, (unsigned)n));
    if (bytes && code->constants) {
        pxr_cheaper_fill(&matrix, s, w, bytes);
        pxr_expand_both(n, bytes, code->constants, wide ? w->constants : s->constants);
        code->map.rows.structure = wide ? NULL : s;
        code->map.rows.wide = wide ? w : NULL;
    }
    free(bytes);
    return code->map.rows.structure || code->map.rows.wide;
}

/* The last step of making a code: computes everything that follows from its rows. */
static int finish(struct pxr_code *made, struct pxr_code **code, struct pxr_error *why)
{
    made->map.rows = pxr_rows_expand(made->k, made->m, made->rows, made->room);
    if (!find_structure(made))
        return pxr_code_no_memory(made, why);
    *code = made;
    return PXR_OK;
}

int pxr_code_begin(struct pxr_code **code, unsigned k, unsigned m, unsigned most,
                   struct pxr_error *why)
{
    if (!code) {
        pxr_explain(why, "code is NULL: there is no place for the result");
        return PXR_EINVAL;
    }
    *code = NULL;
    return pxr_shape_check(k, m, most, why);
}

int pxr_code_create(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                    struct pxr_error *why)
{
    int status = pxr_code_begin(code, k, m, PXR_MAX_SHARDS, why);
    if (status == PXR_OK)
        status = pxr_matrix_check(k, m, matrix, why);
    if (status != PXR_OK)
        return status;
    struct pxr_code *made = allocate(k, m, matrix, why);
    if (!made)
        return PXR_ENOMEM;
    pxr_matrix_fill(made->rows, k, m, matrix);
    return finish(made, code, why);
}

int pxr_code_create_custom(pxr_code **code, unsigned k, unsigned m, const uint8_t *rows,
                           unsigned flags, struct pxr_error *why)
{
    int status = pxr_code_begin(code, k, m, PXR_MAX_SHARDS, why);
    if (status != PXR_OK)
        return status;
    if (!rows) {
        pxr_explain(why, "rows is NULL: a custom matrix needs its rows");
        return PXR_EINVAL;
    }
    bool assume = flags & PXR_ASSUME_MDS;
    status = pxr_flags_check(flags, why);
    if (status == PXR_OK && !assume)
        status = pxr_matrix_prove_mds(rows, k, m, why);
    if (status != PXR_OK)
        return status;
    struct pxr_code *made = allocate(k, m, PXR_CUSTOM, why);
    if (!made)
        return PXR_ENOMEM;
    made->mds = !assume;
    memcpy(made->rows, rows, (size_t)m * k);
    return finish(made, code, why);
}

void pxr_code_free(pxr_code *code)
{
    if (!code)
        return;
    pxr_plan_cache_free(atomic_load(&code->cache));
    free(code->columns_room);
    free(code->columns);
    free(code->word_columns);
    free(code->words);
    free(code->bits.word);
    free(code->constants);
    free(code->room);
    free(code->rows);
    free(code);
}

unsigned pxr_code_k(const pxr_code *code)
{
    return code->k;
}

unsigned pxr_code_m(const pxr_code *code)
{
    return code->m;
}

enum pxr_matrix pxr_code_matrix(const pxr_code *code)
{
    return code->matrix;
}

const uint8_t *pxr_code_coefficients(const pxr_code *code)
{
    return code->rows;
}

/* -------------------------------------------------------------- coding -- */

/* Handles all calls that are not brief.  Brief calls test for NULL while they code. */
static __attribute__((noinline)) int
encode_long(const pxr_code *code, size_t len, const uint8_t *const *src, uint8_t *const *parity)
{
    if (!pxr_call_present(code->k, src, code->m, parity) || !pxr_whole_units(&code->map, len))
        return PXR_EINVAL;
    pxr_map_apply(&code->map, len, src, parity);
    return PXR_OK;
}

/* Encodes bytes by rows in a known form.  The processor predicts a branch on the form, so the
   address of the rows does not have to wait until the kernel set is loaded. */
PXR_INLINE int encode_brief(const struct pxr_kernels *kernels, const enum pxr_form form,
                            size_t len, const struct pxr_rows *rows, const uint8_t *const *src,
                            uint8_t *const *parity)
{
    _Static_assert(PXR_OK == 0 && PXR_EINVAL == 1, "a plain pass returns such a status");
    return kernels->plain[form][rows->count](len, rows->k, rows->form[form], src, parity, 0);
}

/* Only a code of bytes has rows of bytes, so calls of other codes are never brief. */
int pxr_encode(const pxr_code *code, size_t len, pxr_inputs data, uint8_t *const *parity)
{
    const struct pxr_kernels *const kernels = pxr_kernels_if_chosen();
    const uint8_t *const *const src = pxr_read_only(data);
    if (!code || !data || !parity)
        return PXR_EINVAL;
    const struct pxr_rows *const rows = &code->map.rows;
    if (!kernels || len == 0 || !pxr_is_brief(kernels, len, rows->k, rows->count) ||
        (len >= PXR_STRUCTURED_FROM && rows->structure))
        return encode_long(code, len, src, parity);
    if (kernels->form == PXR_MATRICES)
        return encode_brief(kernels, PXR_MATRICES, len, rows, src, parity);
    return encode_brief(kernels, PXR_TABLES, len, rows, src, parity);
}
