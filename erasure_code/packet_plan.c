/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How lost shards of packets follow from surviving ones.
 *
 * Number all packets of a unit, w for each shard.  Each parity packet gives an equation of
 * packets that add up to zero: the packets of its row in the code's matrix, and the parity
 * packet itself.  Gauss-Jordan elimination solves the equations of surviving parity packets for
 * the lost data packets.  Each lost data packet gets an equation of its own, which contains no
 * other lost data packet.  It contains only those parity packets whose equations were added to
 * it, and these survive.  A wanted packet is the sum of a row of the generator.  A lost packet
 * in that sum is replaced by the rest of its equation; that means that the whole equation is
 * added.
 *
 * Equations are taken in the order of helpers, until there are as many equations as lost
 * packets.  The equations of an MDS code are independent, so as many parity shards are used as
 * data shards are lost.  With another code, a single packet of a shard may be useful.
 */
#include <stdlib.h>
#include <string.h>

#include "arithmetic.h"
#include "packet_plan.h"

/* ---------------------------------------------------------- elimination -- */

struct solver {
    const struct pxr_code *code;
    unsigned w, count;  /* number of lost packets */
    unsigned equations; /* number of equations found so far */
    uint16_t lost[PXR_MAX_SHARDS];
    struct pxr_bits rows; /* equations over all packets, as many rows as packets are lost */
    uint16_t *row_of;     /* for each data packet: its equation, or NO_ROW */
    uint64_t *scratch;    /* one row */
};
#define NO_ROW UINT16_MAX

static unsigned all_packets(const struct pxr_code *code)
{
    return (code->k + code->m) * code->map.w;
}

static void add_row(uint64_t *row, const uint64_t *other, size_t words)
{
    for (size_t i = 0; i < words; i++)
        row[i] ^= other[i];
}

/* Returns the packet that is number i of the lost packets. */
static unsigned lost_packet(const struct solver *s, unsigned i)
{
    return s->lost[i / s->w] * s->w + i % s->w;
}

/* Adds the equations of the lost packets that are in a row, so that these packets vanish. */
static void substitute(const struct solver *s, uint64_t *row)
{
    const size_t words = PXR_BIT_WORDS(s->rows.columns);
    for (unsigned i = 0; i < s->count; i++) {
        const unsigned packet = lost_packet(s, i);
        if (pxr_bit(row, packet) && s->row_of[packet] != NO_ROW)
            add_row(row, pxr_bits_row(&s->rows, s->row_of[packet]), words);
    }
}

/* Writes a row of the generator (the identity above the code's matrix) over all packets. */
static void generator_row(const struct pxr_code *code, unsigned packet, uint64_t *row)
{
    const unsigned data = code->k * code->map.w;
    memset(row, 0, PXR_BIT_WORDS(all_packets(code)) * sizeof *row);
    if (packet < data)
        pxr_set_bit(row, packet);
    else
        memcpy(row, pxr_bits_row(&code->bits, packet - data),
               PXR_BIT_WORDS(data) * sizeof *row);
}

/* Takes the equation of a parity packet, unless the equations before it already say the same
   about the lost packets. */
static void take_equation(struct solver *s, unsigned packet)
{
    const size_t words = PXR_BIT_WORDS(s->rows.columns);
    uint64_t *const row = pxr_bits_row(&s->rows, s->equations);
    generator_row(s->code, packet, row);
    pxr_set_bit(row, packet);
    substitute(s, row);
    unsigned i = 0;
    while (i < s->count && !pxr_bit(row, lost_packet(s, i)))
        i++;
    if (i == s->count)
        return;
    const unsigned pivot = lost_packet(s, i);
    for (unsigned r = 0; r < s->equations; r++)
        if (pxr_bit(pxr_bits_row(&s->rows, r), pivot))
            add_row(pxr_bits_row(&s->rows, r), row, words);
    s->row_of[pivot] = (uint16_t)s->equations++;
}

/* Returns the number of data shards that a parity shard depends on. */
static unsigned weight(const struct pxr_code *code, unsigned shard)
{
    const unsigned w = code->map.w;
    unsigned count = 0;
    for (unsigned j = 0; j < code->k; j++) {
        bool any = false;
        for (unsigned i = 0; i < w * w; i++)
            any |= pxr_bit(pxr_bits_row(&code->bits, (shard - code->k) * w + i / w),
                           j * w + i % w);
        count += any;
    }
    return count;
}

/* Finds an equation for every lost data packet.  Returns PXR_OK or PXR_ESINGULAR. */
static int eliminate(struct solver *s, const struct pxr_shard_set *survivors)
{
    uint16_t helper[PXR_MAX_SHARDS];
    const unsigned helpers = pxr_list_helpers(s->code, survivors, weight, helper);
    for (unsigned i = 0; i < helpers * s->w && s->equations < s->count; i++)
        take_equation(s, helper[i / s->w] * s->w + i % s->w);
    return s->equations == s->count ? PXR_OK : PXR_ESINGULAR;
}

static void end(struct solver *s)
{
    free(s->rows.word);
    free(s->row_of);
    free(s->scratch);
}

/* Lists the lost data, and allocates memory for their equations. end() frees it. */
static int begin(struct solver *s, const struct pxr_code *code,
                 const struct pxr_shard_set *survivors)
{
    const unsigned packets = all_packets(code);
    const size_t words = PXR_BIT_WORDS(packets);
    *s = (struct solver){.code = code, .w = code->map.w};
    for (unsigned j = 0; j < code->k; j++)
        if (!pxr_set_has(survivors, j))
            s->lost[s->count++] = (uint16_t)j;
    s->count *= s->w;
    /* There is one more row, to which an equation that is not taken is written. */
    s->rows = (struct pxr_bits){s->count + 1, packets, calloc((s->count + 1) * words, 8)};
    s->row_of = malloc(packets * sizeof *s->row_of);
    s->scratch = malloc(words * sizeof *s->scratch);
    if (!s->rows.word || !s->row_of || !s->scratch)
        return PXR_ENOMEM;
    memset(s->row_of, 0xff, packets * sizeof *s->row_of);
    return PXR_OK;
}

/* ----------------------------------------------------------------- plans -- */

/* Expresses the targets' packets by survivors, with one row for each, over all packets. */
static int solve_targets(struct solver *s, const uint16_t *target, unsigned targets,
                         struct pxr_bits *solution)
{
    const size_t words = PXR_BIT_WORDS(s->rows.columns);
    *solution = (struct pxr_bits){targets * s->w, s->rows.columns,
                                  calloc(targets * s->w * words + 1, 8)};
    if (!solution->word)
        return PXR_ENOMEM;
    for (unsigned r = 0; r < solution->rows; r++) {
        uint64_t *const row = pxr_bits_row(solution, r);
        generator_row(s->code, target[r / s->w] * s->w + r % s->w, row);
        substitute(s, row);
    }
    return PXR_OK;
}

/* Lists the shards of which a row contains any packet, in ascending order. */
static unsigned list_sources(const struct solver *s, const struct pxr_bits *solution,
                             uint16_t *source)
{
    const size_t words = PXR_BIT_WORDS(solution->columns);
    unsigned n = 0;
    memset(s->scratch, 0, words * sizeof *s->scratch);
    for (unsigned r = 0; r < solution->rows; r++)
        for (size_t i = 0; i < words; i++)
            s->scratch[i] |= pxr_bits_row(solution, r)[i];
    for (unsigned i = 0; i < s->code->k + s->code->m; i++) {
        bool any = false;
        for (unsigned x = 0; x < s->w; x++)
            any |= pxr_bit(s->scratch, i * s->w + x);
        if (any)
            source[n++] = (uint16_t)i;
    }
    return n;
}

bool pxr_bits_select(struct pxr_bits *out, const struct pxr_bits *in, unsigned w,
                     unsigned count, const uint16_t *shard)
{
    *out = (struct pxr_bits){in->rows, count * w, NULL};
    out->word = calloc(PXR_BIT_WORDS(out->columns) * in->rows + 1, 8);
    if (!out->word)
        return false;
    for (unsigned r = 0; r < in->rows; r++)
        for (unsigned c = 0; c < out->columns; c++)
            if (pxr_bit(pxr_bits_row(in, r), shard[c / w] * w + c % w))
                pxr_set_bit(pxr_bits_row(out, r), c);
    return true;
}

/* Makes the plan of a solution. */
static int make(const struct solver *s, const struct pxr_plan_key *key,
                const struct pxr_bits *solution, struct pxr_plan **made)
{
    uint16_t source[PXR_MAX_SHARDS];
    struct pxr_bits bits;
    const unsigned sources = list_sources(s, solution, source);
    if (!pxr_bits_select(&bits, solution, s->w, sources, source))
        return PXR_ENOMEM;
    struct pxr_plan *const plan = pxr_plan_allocate(
        s->code, key, sources, source, solution->rows / s->w, pxr_packet_rows_bytes(&bits));
    if (plan)
        plan->map.packets = pxr_packet_rows_make(&bits, plan->room);
    free(bits.word);
    *made = plan;
    return plan ? PXR_OK : PXR_ENOMEM;
}

/* When nothing is wanted, no lost packet needs an equation. */
int pxr_packets_solve(const struct pxr_code *code, const struct pxr_plan_key *key,
                      struct pxr_plan **plan)
{
    struct solver s;
    struct pxr_bits solution = {0, 0, NULL};
    uint16_t target[PXR_MAX_SHARDS];
    const unsigned targets = pxr_set_list(&key->wanted, code->k + code->m, target);
    int status = begin(&s, code, &key->survivors);
    if (status == PXR_OK && targets > 0)
        status = eliminate(&s, &key->survivors);
    if (status == PXR_OK)
        status = solve_targets(&s, target, targets, &solution);
    if (status == PXR_OK)
        status = make(&s, key, &solution, plan);
    free(solution.word);
    end(&s);
    return status;
}

/* ------------------------------------------------------------ MDS test -- */

/* The most words that are added: this takes some tenths of a second. */
#define MDS_STEPS (UINT64_C(1) << 29)

/* Returns whether all C(k+m, m) ways to lose m shards can be tested.  Each takes an elimination
   of up to m*w rows with as many pivots. */
static bool is_feasible(const struct pxr_code *code)
{
    const uint64_t rows = (uint64_t)code->m * code->map.w;
    const uint64_t each = rows * rows * PXR_BIT_WORDS(all_packets(code));
    uint64_t count = 1;
    for (unsigned i = 1; i <= (code->k < code->m ? code->k : code->m); i++) {
        count = count * (code->k + code->m + 1 - i) / i;
        if (count > MDS_STEPS / each)
            return false;
    }
    return each <= MDS_STEPS;
}

/* Finds the next choice of `count` of `total` numbers, which are in ascending order.  Returns
   false behind the last choice. */
static bool next_choice(uint16_t *chosen, unsigned count, unsigned total)
{
    unsigned i = count;
    while (i > 0 && chosen[i - 1] == total - count + i - 1)
        i--;
    if (i == 0)
        return false;
    chosen[i - 1]++;
    for (; i < count; i++)
        chosen[i] = (uint16_t)(chosen[i - 1] + 1);
    return true;
}

/* Returns PXR_OK, PXR_ESINGULAR or PXR_ENOMEM. */
static int try_losses(const struct pxr_code *code, const uint16_t *lost)
{
    struct pxr_shard_set survivors;
    struct solver s;
    pxr_set_clear(&survivors, code->k + code->m);
    for (unsigned i = 0, l = 0; i < code->k + code->m; i++) {
        if (l < code->m && lost[l] == i)
            l++;
        else
            pxr_set_add(&survivors, i);
    }
    int status = begin(&s, code, &survivors);
    if (status == PXR_OK)
        status = eliminate(&s, &survivors);
    end(&s);
    return status;
}

int pxr_packets_prove_mds(const struct pxr_code *code, struct pxr_error *why)
{
    uint16_t lost[PXR_MAX_SHARDS];
    int status = PXR_OK;
    if (!is_feasible(code)) {
        pxr_explain(why,
                    "custom matrix with k=%u, m=%u, w=%u has too many ways to lose shards to "
                    "test; use PXR_ASSUME_MDS to skip the test",
                    code->k, code->m, code->map.w);
        return PXR_EUNPROVEN;
    }
    for (unsigned i = 0; i < code->m; i++)
        lost[i] = (uint16_t)i;
    do
        status = try_losses(code, lost);
    while (status == PXR_OK && next_choice(lost, code->m, code->k + code->m));
    if (status == PXR_ENOMEM)
        pxr_explain(why, "out of memory");
    if (status != PXR_ESINGULAR)
        return status;
    pxr_explain(
        why,
        "custom matrix with k=%u, m=%u, w=%u is not MDS: %u lost shards, of which the first "
        "is %u and the last is %u, cannot be restored",
        code->k, code->m, code->map.w, code->m, lost[0], lost[code->m - 1]);
    return PXR_ENOTMDS;
}
