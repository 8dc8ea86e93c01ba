/* SPDX-License-Identifier: BSD-3-Clause */
#include "cauchy_tables.h"

#include <stdatomic.h>

#include "permxor.h"
#include "rows.h"

/* Compares a row at a time without a branch: most tables are of another matrix, or wholly of
   this one. */
bool pxr_is_cauchy(unsigned k, unsigned count, const uint8_t *tables)
{
    uint8_t difference = 0;
    if (count > PXR_MAX_SHARDS || k > PXR_MAX_SHARDS - count)
        return false;
    for (unsigned r = 0; r < count && !difference; r++)
        for (unsigned j = 0; j < k; j++, tables += PXR_TABLE)
            difference |= tables[1] ^ pxr_inverse[(k + r) ^ j];
    return !difference;
}

bool pxr_is_code(const struct pxr_cauchy *code, const uint8_t *tables)
{
    uint8_t difference = 0;
    const size_t n = (size_t)code->k * code->count;
    if (!code->coefficients)
        return pxr_is_cauchy(code->k, code->count, tables);
#pragma GCC unroll 8
    for (size_t i = 0; i < n; i++)
        difference |= tables[PXR_TABLE * i + 1] ^ code->coefficients[i];
    return !difference;
}

/* --------------------------------------------------------- what is known -- */

/*
 * A coding call may run in a signal handler, and in a child that was forked while another
 * thread was in a call.  So it waits for nobody, and takes memory only from here.  A code that
 * has been published is never changed.  Two threads that work out the same code at the same
 * time keep it twice, which does no harm.
 */
enum { HASHES = 64, MOST_CODES = 128, MOST_WORDS = 16384 };

static struct {
    struct pxr_cauchy code[MOST_CODES];
    uint64_t words[MOST_WORDS];
} kept;
static struct {
    _Atomic(size_t) codes, words;
} taken;
static _Atomic(const struct pxr_cauchy *) known[HASHES];

static _Atomic(const struct pxr_cauchy *) *first_of(unsigned k, unsigned count)
{
    return &known[(k + 5 * count) % HASHES];
}

const struct pxr_cauchy *pxr_cauchy_known(const struct pxr_kernels *kernels, unsigned k,
                                          unsigned count)
{
    const struct pxr_cauchy *code =
        atomic_load_explicit(first_of(k, count), memory_order_acquire);
    while (code && (code->k != k || code->count != count || code->kernels != kernels))
        code = code->next;
    return code;
}

static void publish(struct pxr_cauchy *code)
{
    _Atomic(const struct pxr_cauchy *) *const first = first_of(code->k, code->count);
    code->next = atomic_load_explicit(first, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(first, &code->next, code,
                                                  memory_order_release, memory_order_relaxed))
        continue;
}

/* Takes n of `most`.  Returns false if not so many are left; else *first is the number of the
   first one. */
static bool take(_Atomic(size_t) *counter, size_t n, size_t most, size_t *first)
{
    *first = atomic_load_explicit(counter, memory_order_relaxed);
    do {
        if (n > most - *first)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(
        counter, first, *first + n, memory_order_relaxed, memory_order_relaxed));
    return true;
}

/* ---------------------------------------------------------- working it out -- */

/* Finds the structure, unless it has too many constants.  Returns their number. */
static size_t find(struct pxr_cauchy *code)
{
    const struct pxr_wide_matrix matrix = {.k = code->k, .count = code->count};
    const size_t n =
        pxr_cheaper_find(&matrix, code->kernels->transform_levels, &code->pass, &code->steps);
    if (n <= PXR_CAUCHY_CONSTANTS)
        return n;
    code->pass.levels = code->steps.levels = 0;
    return 0;
}

/* Computes the constants of the structure. */
static void fill(struct pxr_cauchy *code, size_t n, uint64_t *room)
{
    const struct pxr_wide_matrix matrix = {.k = code->k, .count = code->count};
    const enum pxr_form form = code->kernels->form;
    uint8_t constants[PXR_CAUCHY_CONSTANTS];
    pxr_cheaper_fill(&matrix, &code->pass, &code->steps, constants);
    code->pass.constants[form] = code->steps.constants[form] =
        pxr_expand(form, n, constants, room);
}

static const uint8_t *copy_coefficients(size_t n, const uint8_t *tables, uint64_t *room)
{
    uint8_t *const coefficients = (uint8_t *)room;
    for (size_t i = 0; i < n; i++)
        coefficients[i] = tables[PXR_TABLE * i + 1];
    return coefficients;
}

const struct pxr_cauchy *pxr_cauchy_work_out(const struct pxr_kernels *kernels, unsigned k,
                                             unsigned count, const uint8_t *tables,
                                             struct pxr_cauchy_room *room)
{
    const size_t word = sizeof(uint64_t), coefficients = (size_t)k * count;
    size_t at, first;
    room->code = (struct pxr_cauchy){.k = k, .count = count, .kernels = kernels};
    const size_t n = find(&room->code);
    const size_t words = n * pxr_form_bytes(kernels->form) / word;
    const size_t more = n ? (coefficients + word - 1) / word : 0;
    if (!take(&taken.words, words + more, MOST_WORDS, &first) ||
        !take(&taken.codes, 1, MOST_CODES, &at)) {
        fill(&room->code, n, room->constants);
        return &room->code;
    }
    struct pxr_cauchy *const code = &kept.code[at];
    *code = room->code;
    fill(code, n, &kept.words[first]);
    if (n)
        code->coefficients =
            copy_coefficients(coefficients, tables, &kept.words[first + words]);
    publish(code);
    return code;
}
