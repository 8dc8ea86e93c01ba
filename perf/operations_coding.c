/* SPDX-License-Identifier: BSD-3-Clause */
/* Coding by ISA-L's functions. */
#include <stdint.h>
#include <string.h>

#include "operations.h"

/* ---------------------------------------------------------------- batches -- */

BATCH(encode_singly, s->call.ec_encode_data(len, k, m, s->tables, row, target))

static void encode_batch(void *context, size_t calls)
{
    struct subject *s = context;
    struct workload *w = s->work;
    if (s->call.ec_encode_data_walk == NULL)
        encode_singly(s, calls);
    else
        s->call.ec_encode_data_walk(w->shape.len, w->shape.k, w->shape.m, s->tables, w->sources,
                                    w->targets, w->walk.stripes, walk_steps(&w->walk, calls),
                                    calls);
}

BATCH(code_singly, s->value = s->call.pxr_encode(s->code, size, row, target) != PXR_OK)

/* Where there is no code object, ISA-L's call does the same. */
static void code_batch(void *context, size_t calls)
{
    const struct subject *s = context;
    if (s->code == NULL)
        encode_batch(context, calls);
    else
        code_singly(context, calls);
}

BATCH(update_singly, s->call.ec_encode_data_update(len, k, m, k - 1, s->tables, row[0], target))

static void update_batch(void *context, size_t calls)
{
    struct subject *s = context;
    struct workload *w = s->work;
    if (s->call.ec_encode_data_update_walk == NULL)
        update_singly(s, calls);
    else
        s->call.ec_encode_data_update_walk(w->shape.len, w->shape.k, w->shape.m, w->shape.k - 1,
                                           s->tables, w->sources, w->targets, w->walk.stripes,
                                           walk_steps(&w->walk, calls), calls);
}

BATCH(dot_batch, s->call.gf_vect_dot_prod(len, k, s->last_row, row, target[0]))
BATCH(mad_batch, s->call.gf_vect_mad(len, k, k - 1, s->last_row, row[0], target[0]))
BATCH(mul_batch, s->call.gf_vect_mul(len, s->tables, row[0], target[0]))
BATCH(tables_batch, s->call.ec_init_tables(k, m, s->rows, s->tables))

static void copy_and_invert(struct subject *s, u8 *from, u8 *to)
{
    memcpy(s->consumed, from, (size_t)s->work->shape.len);
    s->call.gf_invert_matrix(s->consumed, to, s->work->shape.k);
}

/* The copy is part of the time, because the function destroys its input. */
BATCH(invert_batch, copy_and_invert(s, row[0], target[0]))

/* ------------------------------------------------------------ preparation -- */

static void reverse_sources(u8 *rows, int m, int k)
{
    for (int r = 0; r < m; r++, rows += k)
        for (int j = 0; j < k / 2; j++) {
            const u8 kept = rows[j];
            rows[j] = rows[k - 1 - j];
            rows[k - 1 - j] = kept;
        }
}

static void make_generator(struct subject *s)
{
    const struct shape *shape = &s->work->shape;
    if (shape->matrix.kind == MATRIX_VAND)
        s->setup.gf_gen_rs_matrix(s->generator, shape->k + shape->m, shape->k);
    else
        s->setup.gf_gen_cauchy1_matrix(s->generator, shape->k + shape->m, shape->k);
    if (shape->matrix.kind == MATRIX_REVERSED)
        reverse_sources(s->generator + shape->k * shape->k, shape->m, shape->k);
}

static void make_encode_tables(struct subject *s)
{
    const struct shape *shape = &s->work->shape;
    size_t k = (size_t)shape->k;
    make_generator(s);
    memcpy(s->rows, s->generator + k * k, (size_t)shape->m * k);
    s->call.ec_init_tables(shape->k, shape->m, s->rows, s->tables);
    s->last_row = s->tables + 32 * k * (size_t)(shape->m - 1);
}

static const char *prepare_encode(struct subject *s)
{
    if (s->call.ec_encode_data == NULL)
        return "no such variant of ec_encode_data";
    make_encode_tables(s);
    return NULL;
}

static const char *prepare_code(struct subject *s)
{
    if (s->call.pxr_code_create == NULL || s->call.pxr_encode == NULL)
        return prepare_encode(s);
    return make_code(s);
}

/* An adapter (perf/peers) makes its tables in its own way, which is mostly a copy. */
static const char *prepare_tables(struct subject *s)
{
    if (s->call.gf_gen_rs_matrix == NULL)
        return "no gf_gen_rs_matrix: this is an adapter, and the peer does not make its tables";
    return prepare_encode(s);
}

static const char *prepare_mul(struct subject *s)
{
    s->setup.gf_vect_mul_init(0x8e, s->tables);
    return NULL;
}

/*
 * The worst case of a decode: data shards 0..m-1 are lost.  The survivors, data m..k-1 and all
 * parity, are the generator's rows m..k+m-1 times the data, so the first m rows of the inverse
 * of these rows give the lost shards.
 */
static const char *prepare_decode(struct subject *s)
{
    const struct shape *shape = &s->work->shape;
    size_t k = (size_t)shape->k, m = (size_t)shape->m;
    u8 inverse[256 * 256];
    if (m > k)
        return "decode needs m <= k";
    make_generator(s);
    memcpy(s->consumed, s->generator + m * k, k * k);
    if (s->setup.gf_invert_matrix(s->consumed, inverse, shape->k) != 0)
        return "the survivors' matrix is singular";
    memcpy(s->rows, inverse, m * k);
    s->call.ec_init_tables(shape->k, shape->m, s->rows, s->tables);
    return NULL;
}

/* Invert a dense random matrix.  Nearly all of these are regular; the first regular one is
   taken. */
static const char *prepare_invert(struct subject *s)
{
    struct workload *w = s->work;
    size_t bytes = (size_t)w->shape.len;
    if (s->call.gf_invert_matrix == NULL)
        return "no gf_invert_matrix";
    for (uint64_t seed = 1; seed <= 100; seed++) {
        buffers_fill(w->sources[0], bytes, seed);
        memcpy(s->consumed, w->sources[0], bytes);
        if (s->call.gf_invert_matrix(s->consumed, w->targets[0], w->shape.k) == 0)
            return NULL;
    }
    return "found no matrix that has an inverse";
}

/* ------------------------------------------------------------- comparison -- */

static void clear_targets(struct workload *w)
{
    for (size_t r = 0; r < w->outputs; r++)
        memset(w->targets[r], 0, (size_t)w->shape.len);
}

static void encode_check(struct subject *s)
{
    struct workload *w = s->work;
    s->call.ec_encode_data(w->shape.len, w->shape.k, w->shape.m, s->tables, w->check,
                           w->targets);
}

static void expect_last_row(struct subject *s)
{
    struct workload *w = s->work;
    s->call.ec_encode_data(w->shape.len, w->shape.k, 1, s->last_row, w->check, w->targets);
}

/* Updates of targets that hold zeros, by every source once, give the parity. */
static void produce_update(struct subject *s)
{
    struct workload *w = s->work;
    clear_targets(w);
    for (int j = 0; j < w->shape.k; j++)
        s->call.ec_encode_data_update(w->shape.len, w->shape.k, w->shape.m, j, s->tables,
                                      w->check[j], w->targets);
}

static void produce_mad(struct subject *s)
{
    struct workload *w = s->work;
    clear_targets(w);
    for (int j = 0; j < w->shape.k; j++)
        s->call.gf_vect_mad(w->shape.len, w->shape.k, j, s->last_row, w->check[j],
                            w->targets[0]);
}

/* The form of tables may differ between releases, but their effect may not. */
static void produce_tables(struct subject *s)
{
    tables_batch(s, 1);
    encode_check(s);
}

/*
 * Take what the targets hold for the lost data, and put the parity that belongs to it where
 * decode reads it.  Restore the tables of the decode afterwards.
 */
static void expect_decode(struct subject *s)
{
    struct workload *w = s->work;
    size_t k = (size_t)w->shape.k, m = (size_t)w->shape.m;
    u8 *data[256];
    memcpy(data, w->targets, m * sizeof(u8 *));
    memcpy(data + m, w->sources, (k - m) * sizeof(u8 *));
    make_encode_tables(s);
    s->call.ec_encode_data(w->shape.len, w->shape.k, w->shape.m, s->tables, data,
                           w->sources + k - m);
    prepare_decode(s);
}

const struct operation coding_operations[] = {
    OPERATION("encode", "ec_encode_data: m parity shards from k data shards",
              TIMES("ec_encode_data"), ON_CODE(READS_K, PARITY_M), .generates = true,
              .batch = encode_batch, .prepare = prepare_encode),
    OPERATION("code", "pxr_encode with a code object; ec_encode_data where a library has none",
              ON_CODE(READS_K, PARITY_M), .generates = true, .batch = code_batch,
              .prepare = prepare_code),
    OPERATION("decode", "ec_encode_data with the rows that rebuild m lost data shards",
              TIMES("ec_encode_data"), ON_CODE(READS_K, PARITY_M), .batch = encode_batch,
              .prepare = prepare_decode, .expect = expect_decode),
    OPERATION("update", "ec_encode_data_update: one source into m parity shards",
              TIMES("ec_encode_data_update"), ON_CODE(READS_ONE, PARITY_M), .generates = true,
              .adds = true, .batch = update_batch, .prepare = prepare_encode,
              .produce = produce_update, .expect = encode_check),
    OPERATION("dot", "gf_vect_dot_prod: the last parity shard from k sources",
              TIMES("gf_vect_dot_prod"), ON_CODE(READS_K, 1), .least = 32, .batch = dot_batch,
              .prepare = prepare_encode, .expect = expect_last_row),
    OPERATION("mad", "gf_vect_mad: one source into the last parity shard", TIMES("gf_vect_mad"),
              ON_CODE(READS_ONE, 1), .adds = true, .least = 64, .batch = mad_batch,
              .prepare = prepare_encode, .produce = produce_mad, .expect = expect_last_row),
    OPERATION("mul", "gf_vect_mul: one shard times a constant", TIMES("gf_vect_mul"),
              .reads = READS_ONE, .parity = 1, .code = CODE_NONE, .sized = true,
              .aligned = true, .whole = true, .batch = mul_batch, .prepare = prepare_mul),
    OPERATION("tables", "ec_init_tables of k*m coefficients", .reads = READS_K,
              .parity = PARITY_M, .code = CODE_K_M, .generates = true, .batch = tables_batch,
              .prepare = prepare_tables, .produce = produce_tables),
    OPERATION("invert", "gf_invert_matrix of a dense n*n matrix, n = k, and the copy of it",
              .reads = READS_ONE, .parity = 1, .code = CODE_N, .batch = invert_batch,
              .prepare = prepare_invert),
};
const size_t coding_operation_count = sizeof(coding_operations) / sizeof(coding_operations[0]);
