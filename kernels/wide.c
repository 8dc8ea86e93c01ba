/* SPDX-License-Identifier: BSD-3-Clause */
#include "wide.h"

#include <string.h>

#include "call.h"
#include "encode.h"
#include "gf256.h"
#include "permxor.h"
#include "structure.h"

/* ----------------------------------------------------------------- matrix -- */

static uint8_t source_point(const struct pxr_wide_matrix *m, unsigned j)
{
    return (uint8_t)(m->source_points ? m->source_points[j] : j);
}

static uint8_t output_point(const struct pxr_wide_matrix *m, unsigned r)
{
    return (uint8_t)(m->output_points ? m->output_points[r] : m->k + r);
}

static uint8_t coefficient(const struct pxr_wide_matrix *m, unsigned r, unsigned j)
{
    return m->coefficients ? m->coefficients[(size_t)r * m->k + j]
                           : pxr_inverse[output_point(m, r) ^ source_point(m, j)];
}

/* b[r] * a[j] */
static uint8_t scale(const struct pxr_wide_matrix *m, unsigned r, unsigned j)
{
    if (!m->coefficients)
        return 1;
    return pxr_mul(coefficient(m, r, j), output_point(m, r) ^ source_point(m, j));
}

/* The scales of sources and outputs. b[0] is one, because only the products of the two are
   known. */
struct scales {
    uint8_t a[PXR_MAX_SHARDS], b[PXR_MAX_SHARDS];
};

/* Returns false when the matrix does not have the form. */
static bool find_scales(const struct pxr_wide_matrix *m, struct scales *s)
{
    for (unsigned j = 0; j < m->k; j++)
        s->a[j] = scale(m, 0, j);
    for (unsigned r = 0; r < m->count; r++)
        s->b[r] = pxr_mul(scale(m, r, 0), pxr_inverse[s->a[0]]);
    bool good = true;
    for (unsigned r = 0; r < m->count && m->coefficients && good; r++)
        for (unsigned j = 0; j < m->k; j++)
            good &= s->a[j] != 0 && scale(m, r, j) == pxr_mul(s->b[r], s->a[j]);
    return good;
}

/* ------------------------------------------------------------------- plan -- */

/* Sorts shards into the lanes of cosets, in ascending order of the cosets.  Returns the number
   of cosets. */
static unsigned sort(unsigned levels, unsigned shards, const uint8_t *points, uint8_t *cosets,
                     uint8_t *lanes)
{
    uint8_t shard_at[256];
    unsigned n = 0;
    memset(shard_at, PXR_NO_SHARD, sizeof shard_at);
    for (unsigned i = 0; i < shards; i++)
        shard_at[points[i]] = (uint8_t)i;
    for (unsigned coset = 0; coset < 256u >> levels; coset++) {
        bool used = false;
        for (unsigned i = 0; i < 1u << levels; i++) {
            lanes[(n << levels) + i] = shard_at[(coset << levels) + i];
            used |= lanes[(n << levels) + i] != PXR_NO_SHARD;
        }
        cosets[n] = (uint8_t)coset;
        n += used;
        if (n == 256u >> levels)
            break;
    }
    return n;
}

/* Returns the group that has the points of a coset of outputs, or w->groups if there is none.
 */
static unsigned group_of(const struct pxr_wide *w, unsigned q)
{
    unsigned group = 0;
    while (group < w->groups && w->group[group] != w->coset[q])
        group++;
    return group;
}

static unsigned lanes_in_use(const struct pxr_wide *w, const uint8_t *lanes, unsigned coset)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 1u << w->levels; i++)
        n += lanes[(coset << w->levels) + i] != PXR_NO_SHARD;
    return n;
}

/* Returns the first shard of a coset. */
static unsigned first_of(const struct pxr_wide *w, const uint8_t *lanes, unsigned coset)
{
    unsigned lane = coset << w->levels;
    while (lanes[lane] == PXR_NO_SHARD)
        lane++;
    return lanes[lane];
}

/* Returns whether, in each coset, all lanes have the same scale.  The scale of an output is
   zero if its row of the matrix is zeros. */
static bool is_even(const struct pxr_wide *w, unsigned cosets, const uint8_t *lanes,
                    const uint8_t *scales)
{
    for (unsigned coset = 0; coset < cosets; coset++) {
        const uint8_t first = scales[first_of(w, lanes, coset)];
        for (unsigned i = 0; i < 1u << w->levels; i++) {
            const uint8_t shard = lanes[(coset << w->levels) + i];
            if (shard != PXR_NO_SHARD && scales[shard] != first)
                return false;
        }
    }
    return true;
}

static unsigned butterflies(const struct pxr_wide *w)
{
    return (w->groups + w->cosets) * w->levels << w->levels >> 1;
}

static unsigned scaled(const struct pxr_wide *w)
{
    return (w->scale_sources ? w->k : 0) + (w->scale_outputs ? w->count : 0);
}

unsigned pxr_wide_products(const struct pxr_wide *w)
{
    return butterflies(w) + (w->groups * w->cosets << w->levels) + w->direct + scaled(w);
}

/* The steps store and load what lies between them, so they take half as much again as products
   and xors alone: measured on a Granite Rapids Xeon (doc/structured.md). */
static unsigned cost_of(const struct pxr_wide *w)
{
    const unsigned sums = w->groups * w->cosets << w->levels;
    const unsigned stores = ((w->groups + 2 * w->cosets) << w->levels) + scaled(w);
    return (pxr_half_cycles(pxr_wide_products(w),
                            2 * butterflies(w) + sums / 2 + w->direct / 2) +
            stores) *
           3 / 2;
}

static void look(const struct pxr_wide_matrix *m, const struct scales *s, unsigned levels,
                 struct pxr_wide *w)
{
    uint8_t points[PXR_MAX_SHARDS];
    *w = (struct pxr_wide){.k = m->k, .count = m->count, .levels = levels};
    for (unsigned j = 0; j < m->k; j++)
        points[j] = source_point(m, j);
    w->groups = sort(levels, m->k, points, w->group, w->source);
    for (unsigned r = 0; r < m->count; r++)
        points[r] = output_point(m, r);
    w->cosets = sort(levels, m->count, points, w->coset, w->output);
    for (unsigned q = 0; q < w->cosets; q++) {
        const unsigned group = group_of(w, q);
        if (group == w->groups)
            continue;
        w->shared++;
        w->direct += lanes_in_use(w, w->source, group) * lanes_in_use(w, w->output, q);
    }
    w->scale_sources = !is_even(w, w->groups, w->source, s->a);
    w->scale_outputs = !is_even(w, w->cosets, w->output, s->b);
    w->cost = cost_of(w);
}

void pxr_wide_find(const struct pxr_wide_matrix *m, unsigned most_levels, struct pxr_wide *wide)
{
    struct scales s;
    wide->levels = 0;
    wide->cost = pxr_matrix_cost(m->k, m->count);
    if (m->k == 0 || m->count == 0 || most_levels < PXR_WIDE_LEVELS || !find_scales(m, &s))
        return;
    for (unsigned levels = PXR_WIDE_LEVELS; levels <= most_levels; levels++) {
        struct pxr_wide w;
        look(m, &s, levels, &w);
        if (w.cost < wide->cost)
            *wide = w;
    }
}

/* -------------------------------------------------------------- constants -- */

/*
 * The constants are in this order: the twiddles of the groups, the twiddles of the cosets, for
 * each coset its coefficient for each group, a[j] and b[r] where these are needed, and for each
 * shared coset the coefficients of its outputs for its sources.
 */
static size_t cosets_at(const struct pxr_wide *w)
{
    return (size_t)w->groups * ((1u << w->levels) - 1);
}

static size_t sums_at(const struct pxr_wide *w)
{
    return cosets_at(w) + (size_t)w->cosets * ((1u << w->levels) - 1);
}

static size_t sources_at(const struct pxr_wide *w)
{
    return sums_at(w) + (size_t)w->cosets * w->groups;
}

static size_t outputs_at(const struct pxr_wide *w)
{
    return sources_at(w) + (w->scale_sources ? w->k : 0);
}

static size_t direct_at(const struct pxr_wide *w)
{
    return outputs_at(w) + (w->scale_outputs ? w->count : 0);
}

size_t pxr_wide_constants(const struct pxr_wide *w)
{
    return direct_at(w) + w->direct;
}

/* Returns c(y, B), times the scales of the group and of the coset where these are the same for
   all of their lanes. */
static uint8_t sum_coefficient(const struct pxr_wide *w, const struct scales *s, unsigned q,
                               unsigned group)
{
    if (w->coset[q] == w->group[group])
        return 0;
    uint8_t c = pxr_coset_quotient(w->levels, w->coset[q], w->group[group]);
    if (!w->scale_sources)
        c = pxr_mul(c, s->a[first_of(w, w->source, group)]);
    if (!w->scale_outputs)
        c = pxr_mul(c, s->b[first_of(w, w->output, q)]);
    return c;
}

static uint8_t *fill_direct(const struct pxr_wide *w, const struct pxr_wide_matrix *m,
                            unsigned q, uint8_t *constants)
{
    const unsigned size = 1u << w->levels, group = group_of(w, q);
    for (unsigned i = 0; i < size && group < w->groups; i++)
        for (unsigned j = 0; j < size; j++) {
            const uint8_t output = w->output[q * size + i],
                          source = w->source[group * size + j];
            if (output != PXR_NO_SHARD && source != PXR_NO_SHARD)
                *constants++ = coefficient(m, output, source);
        }
    return constants;
}

void pxr_wide_fill(const struct pxr_wide *w, const struct pxr_wide_matrix *m,
                   uint8_t *constants)
{
    struct scales s;
    find_scales(m, &s);
    for (unsigned group = 0; group < w->groups; group++)
        constants =
            pxr_fill_twiddles(w->levels, (unsigned)w->group[group] << w->levels, constants);
    for (unsigned q = 0; q < w->cosets; q++)
        constants = pxr_fill_twiddles(w->levels, (unsigned)w->coset[q] << w->levels, constants);
    for (unsigned q = 0; q < w->cosets; q++)
        for (unsigned group = 0; group < w->groups; group++)
            *constants++ = sum_coefficient(w, &s, q, group);
    for (unsigned j = 0; j < w->k && w->scale_sources; j++)
        *constants++ = s.a[j];
    for (unsigned r = 0; r < w->count && w->scale_outputs; r++)
        *constants++ = s.b[r];
    for (unsigned q = 0; q < w->cosets; q++)
        constants = fill_direct(w, m, q, constants);
}

/* ISA-L's Cauchy matrix with fewer rows is never the cheapest by steps, and a call waits until
   they are found. */
enum { CAUCHY_ROWS = 9 };

size_t pxr_cheaper_find(const struct pxr_wide_matrix *m, unsigned most_levels,
                        struct pxr_structure *pass, struct pxr_wide *steps)
{
    *pass = pxr_structure_find(m->k, 0, m->count, m->coefficients);
    steps->levels = 0;
    if (m->coefficients || m->count >= CAUCHY_ROWS)
        pxr_wide_find(m, most_levels, steps);
    if (steps->levels && steps->cost < pass->cost)
        pass->levels = 0;
    else
        steps->levels = 0;
    if (steps->levels)
        return pxr_wide_constants(steps);
    return pass->levels ? pxr_structure_constants(pass) : 0;
}

void pxr_cheaper_fill(const struct pxr_wide_matrix *m, const struct pxr_structure *pass,
                      const struct pxr_wide *steps, uint8_t *constants)
{
    if (steps->levels)
        pxr_wide_fill(steps, m, constants);
    else if (pass->levels)
        pxr_structure_fill(pass, m->k, 0, m->coefficients, constants);
}

/* ----------------------------------------------------------------- encode -- */

/* USUAL_ROOM is the memory in which a piece of a call is worked out.  It is on the stack, so it
   is in the first cache.  ROOM_BYTES is what a piece may take where lanes would otherwise be so
   short that calling the kernels takes longer than their work.  MOST_STRIDE is the most of a
   piece, because this many zeros stand in for missing sources. */
#define USUAL_ROOM 24576
#define ROOM_BYTES 39936
#define MOST_STRIDE PXR_ZEROS

/* A piece of a call: n bytes from pos on. */
struct piece {
    const struct pxr_kernels *kernels;
    const struct pxr_wide *wide;
    const uint8_t *const *src;
    uint8_t *const *dst;
    size_t pos, n, stride; /* stride: the distance between lanes in the room */
    uint8_t *room, *sums;  /* transformed groups, and behind them the cosets of a pass */
    uint8_t *unused;       /* where lanes are written that are no output */
    uint32_t way;          /* which parts of the next piece are prefetched */
};

static const uint8_t *constants_from(const struct piece *p, size_t n)
{
    const enum pxr_form form = p->kernels->form;
    return p->wide->constants[form] + pxr_form_bytes(form) * n;
}

static void transform(const struct piece *p, enum pxr_direction direction, size_t twiddles,
                      const uint8_t *const *src, uint8_t *const *dst)
{
    p->kernels->transform[direction][p->wide->levels](p->n, constants_from(p, twiddles), src,
                                                      dst);
}

/* Brings a shard's part of the next piece to the second level of cache.  The first level is
   full of this piece. */
static void prefetch_next(const struct piece *p, const uint8_t *shard)
{
    for (size_t line = 0; line < p->stride; line += 64)
        __builtin_prefetch(shard + p->pos + p->stride + line, 0, 2);
}

/* dst = constant number n * src.  Multiplication by a single constant takes the constant's
   table. */
static void multiply(const struct piece *p, size_t n, const uint8_t *src, uint8_t *dst)
{
    p->kernels->mad[PXR_SPECIAL_NONE][1](p->n, (struct pxr_mad_mode){1, 0},
                                         p->wide->constants[PXR_TABLES] + PXR_TABLE * n, src,
                                         NULL, &dst);
}

static void transform_groups(const struct piece *p)
{
    const struct pxr_wide *const w = p->wide;
    const unsigned size = 1u << w->levels;
    const uint8_t *in[1 << PXR_MAX_LEVELS];
    uint8_t *out[1 << PXR_MAX_LEVELS];
    for (unsigned group = 0; group < w->groups; group++) {
        for (unsigned i = 0; i < size; i++) {
            const unsigned lane = group * size + i, j = w->source[lane];
            out[i] = p->room + p->stride * lane;
            in[i] = j != PXR_NO_SHARD ? p->src[j] + p->pos : pxr_zeros;
            if (j == PXR_NO_SHARD)
                continue;
            if (PXR_SOURCE_LINES(p->way))
                prefetch_next(p, p->src[j]);
            if (!w->scale_sources)
                continue;
            multiply(p, sources_at(w) + j, in[i], out[i]);
            in[i] = out[i];
        }
        transform(p, PXR_TRANSFORM_IN, (size_t)group * (size - 1), in, out);
    }
}

/* Computes the sums of n cosets, starting with `coset`. */
static void add_groups(const struct piece *p, unsigned coset, unsigned n)
{
    const struct pxr_wide *const w = p->wide;
    const size_t lanes = p->stride << w->levels;
    const uint8_t *in[PXR_MOST_COSETS];
    uint8_t *out[PXR_MAX_ROWS];
    for (unsigned group = 0; group < w->groups; group++)
        in[group] = p->room + lanes * group;
    for (unsigned q = 0; q < n; q++)
        out[q] = p->sums + lanes * q;
    p->kernels->dot[PXR_SPECIAL_NONE][n](
        lanes, w->groups, constants_from(p, sums_at(w) + (size_t)w->groups * coset), in, out,
        0);
}

/* Adds the sources of a group to the outputs of a coset that has the same points.  These
   outputs are n_out lanes in the room, and *constant is where their coefficients begin. */
static void add_direct(const struct piece *p, unsigned group, unsigned n_out,
                       uint8_t *const *lanes, size_t *constant)
{
    const struct pxr_wide *const w = p->wide;
    const uint8_t *in[1 << PXR_MAX_LEVELS];
    uint8_t *out[2 * PXR_MAX_ROWS];
    unsigned n_in = 0;
    for (unsigned i = 0; i < 1u << w->levels; i++) {
        const unsigned j = w->source[(group << w->levels) + i];
        if (j != PXR_NO_SHARD)
            in[n_in++] = p->src[j] + p->pos;
    }
    for (unsigned r = 0, n; r < n_out; r += n) {
        n = pxr_rows_of_pass(n_out - r);
        for (unsigned i = 0; i < n; i++)
            out[i] = out[n + i] = lanes[r + i];
        p->kernels->dot[PXR_SPECIAL_NONE][n](p->n, n_in, constants_from(p, *constant), in, out,
                                             PXR_ACCUMULATE);
        *constant += (size_t)n * n_in;
    }
}

/*
 * Computes the outputs of a coset from its sums.  When the coset is shared with sources, these
 * are read before any output of the coset is written, because such an output may be one of
 * them.
 */
static void close_coset(const struct piece *p, unsigned q, uint8_t *sums, size_t *constant)
{
    const struct pxr_wide *const w = p->wide;
    const unsigned size = 1u << w->levels, group = group_of(w, q);
    const bool shared = group < w->groups;
    uint8_t *lanes[1 << PXR_MAX_LEVELS], *out[1 << PXR_MAX_LEVELS];
    uint8_t *used_lanes[1 << PXR_MAX_LEVELS], *used_out[1 << PXR_MAX_LEVELS];
    unsigned n = 0;
    for (unsigned i = 0; i < size; i++) {
        const unsigned r = w->output[q * size + i];
        lanes[i] = sums + p->stride * i;
        out[i] = r != PXR_NO_SHARD ? p->dst[r] + p->pos : p->unused;
        if (r == PXR_NO_SHARD)
            continue;
        if (PXR_OUTPUT_LINES(p->way))
            prefetch_next(p, p->dst[r]);
        used_lanes[n] = lanes[i];
        used_out[n++] = out[i];
    }
    transform(p, PXR_TRANSFORM_OUT, cosets_at(w) + (size_t)q * (size - 1), pxr_read_only(lanes),
              shared || w->scale_outputs ? lanes : out);
    for (unsigned i = 0; i < size && w->scale_outputs; i++)
        if (w->output[q * size + i] != PXR_NO_SHARD)
            multiply(p, outputs_at(w) + w->output[q * size + i], lanes[i],
                     shared ? lanes[i] : out[i]);
    if (!shared)
        return;
    add_direct(p, group, n, used_lanes, constant);
    for (unsigned i = 0; i < n; i++)
        memcpy(used_out[i], used_lanes[i], p->n);
}

static void encode_piece(const struct piece *p)
{
    const struct pxr_wide *const w = p->wide;
    size_t direct = direct_at(w);
    transform_groups(p);
    for (unsigned first = 0, n; first < w->cosets; first += n) {
        n = pxr_rows_of_pass(w->cosets - first);
        add_groups(p, first, n);
        for (unsigned q = 0; q < n; q++)
            close_coset(p, first + q, p->sums + (p->stride << w->levels) * q, &direct);
    }
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the bytes of a lane in the room: whole cache lines, and no more than the shards have.
 */
static size_t stride_of(const struct pxr_kernels *kernels, const struct pxr_wide *w, size_t len)
{
    const size_t lanes = (size_t)(w->groups + pxr_rows_of_pass(w->cosets)) << w->levels;
    const size_t usual = USUAL_ROOM / lanes / 64 * 64, most = ROOM_BYTES / lanes / 64 * 64;
    const size_t stride = usual < kernels->step ? least_of(kernels->step, most) : usual;
    return least_of(least_of(stride, MOST_STRIDE), (len + 63) / 64 * 64);
}

void pxr_wide_encode(const struct pxr_kernels *kernels, size_t len, const struct pxr_wide *w,
                     const uint8_t *const *src, uint8_t *const *dst)
{
    uint8_t room[ROOM_BYTES + MOST_STRIDE] __attribute__((aligned(64)));
    struct piece p = {.kernels = kernels,
                      .wide = w,
                      .src = src,
                      .dst = dst,
                      .stride = stride_of(kernels, w, len),
                      .room = room,
                      .unused = room + ROOM_BYTES,
                      .way = pxr_way(PXR_WORK_STEPS,
                                     pxr_place(len, w->k + w->count,
                                               (struct pxr_sources){src, w->k, w->count}),
                                     w->k)};
    p.sums = room + (p.stride << w->levels) * w->groups;
    for (; p.pos < len; p.pos += p.n) {
        p.n = len - p.pos < p.stride ? len - p.pos : p.stride;
        encode_piece(&p);
    }
}
