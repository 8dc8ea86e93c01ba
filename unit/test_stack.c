/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much stack the functions of permxor.h need, compared with what the header says.  Each
 * call runs in a thread of its own, on a stack that was painted before.  The depth to which the
 * paint is gone afterwards is what the call has used, with the C library's functions in it.
 * --bench prints the numbers.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "check.h"
#include "code.h"
#include "dispatch.h"
#include "encode.h"
#include "judge.h"
#include "packet_stripe.h"
#include "permxor_hash.h"
#include "permxor_raid.h"
#include "word_stripe.h"

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) &&          \
    !defined(__SANITIZE_THREAD__) && !HAS_FEATURE(address_sanitizer) && \
    !HAS_FEATURE(thread_sanitizer)

#define STACK_BYTES ((size_t)1 << 18)
#define PAINT 0xA7

/* The limits in KiB.  Those for comparing shards, for shards in pieces and for all other
   functions are from permxor.h, the one for tables is from isa-l/erasure_code.h, and the one
   for hashes is from permxor_hash.h. */
#define COMPARING_KIB 64
#define TABLES_KIB 64
#define IOV_KIB 64
#define HASH_KIB 64
#define OTHER_KIB 48

/* One code, and the arguments of the calls below.  As many shards as possible are lost. */
static struct {
    pxr_code *code;
    pxr_plan *plan;
    struct stripe full;
    size_t len;
    uint8_t have[PXR_MAX_WORD_SHARDS], want[PXR_MAX_WORD_SHARDS];
    uint8_t *have_bytes[PXR_MAX_WORD_SHARDS];
    uint8_t *want_bytes[PXR_MAX_WORD_SHARDS];
} now;

static int encode(void)
{
    return pxr_encode(now.code, now.len, stripe_in(&now.full), stripe_parity(&now.full));
}

/* Does what ec_encode_data() does, with tables in which structure is found. */
static int encode_tables(void)
{
    enum { MOST = 128 * 128 }; /* the most coefficients of the shapes below */
    static uint64_t tables[PXR_TABLE / sizeof(uint64_t) * MOST];
    const unsigned k = now.full.k, m = now.full.m;
    pxr_expand(PXR_TABLES, (size_t)k * m, pxr_code_coefficients(now.code), tables);
    pxr_encode_tables(pxr_kernels(), now.len, k, m, (const uint8_t *)tables,
                      pxr_read_only(stripe_in(&now.full)), stripe_parity(&now.full));
    return PXR_OK;
}

static int update(void)
{
    const uint8_t *same = now.full.shard[0];
    return pxr_update(now.code, now.len, 0, same, same, stripe_parity(&now.full));
}

static int reconstruct(void)
{
    return pxr_reconstruct(now.code, now.len, now.have_bytes, now.want_bytes);
}

static int create_plan(void)
{
    pxr_plan *plan;
    const int status = pxr_plan_create(&plan, now.code, now.have, now.want, NULL);
    pxr_plan_free(plan);
    return status;
}

static int apply_plan(void)
{
    return pxr_plan_apply(now.plan, now.len, now.have_bytes, now.want_bytes);
}

/* Each shard is one piece. */
static int reconstruct_pieces(void)
{
    static struct iovec piece[2][PXR_MAX_WORD_SHARDS];
    static struct pxr_iov have[PXR_MAX_WORD_SHARDS], want[PXR_MAX_WORD_SHARDS];
    for (unsigned i = 0; i < now.full.k + now.full.m; i++) {
        piece[0][i] = (struct iovec){now.have_bytes[i], now.len};
        piece[1][i] = (struct iovec){now.want_bytes[i], now.len};
        have[i] = (struct pxr_iov){&piece[0][i], now.have[i]};
        want[i] = (struct pxr_iov){&piece[1][i], now.want[i]};
    }
    return pxr_reconstruct_iov(now.code, now.len, have, want);
}

static int verify(void)
{
    size_t first[PXR_MAX_WORD_SHARDS];
    return pxr_verify(now.code, now.len, stripe_in(&now.full), first);
}

/* measure_shape() has damaged a shard before this call. */
static int locate(void)
{
    unsigned index;
    const int status = pxr_locate(now.code, now.len, stripe_in(&now.full), &index);
    return now.code && status == PXR_EINVAL ? PXR_OK : status; /* m = 1 is refused */
}

static int create_code(void)
{
    int status = PXR_OK;
    for (int matrix = PXR_ISAL_CAUCHY; matrix < PXR_CUSTOM; matrix++) {
        pxr_code *code;
        struct pxr_error why;
        if (matrix == PXR_JERASURE_R6 && pxr_code_m(now.code) != 2)
            continue;
        status |= pxr_code_create(&code, pxr_code_k(now.code), pxr_code_m(now.code),
                                  (enum pxr_matrix)matrix, &why);
        pxr_code_free(code);
    }
    return status;
}

static int create_custom(void)
{
    pxr_code *code;
    struct pxr_error why;
    const int status = pxr_code_create_custom(&code, pxr_code_k(now.code), pxr_code_m(now.code),
                                              pxr_code_coefficients(now.code), 0, &why);
    pxr_code_free(code);
    return status == PXR_EUNPROVEN ? PXR_OK : status;
}

static int create_bits(void)
{
    pxr_code *code;
    struct pxr_error why;
    const int status = pxr_code_create_bits(&code, pxr_code_k(now.code), pxr_code_m(now.code),
                                            pxr_code_matrix(now.code), pxr_code_w(now.code),
                                            pxr_code_packetsize(now.code), 0, &why);
    pxr_code_free(code);
    return status;
}

static int create_custom_bits(void)
{
    uint8_t *const bits = packet_bits(now.code);
    pxr_code *code;
    struct pxr_error why;
    const int status = pxr_code_create_bits_custom(
        &code, pxr_code_k(now.code), pxr_code_m(now.code), pxr_code_w(now.code),
        pxr_code_packetsize(now.code), bits, 0, &why);
    pxr_code_free(code);
    free(bits);
    return status == PXR_EUNPROVEN ? PXR_OK : status;
}

static int create_words(void)
{
    pxr_code *code;
    struct pxr_error why;
    const int status =
        pxr_code_create_words(&code, pxr_code_k(now.code), pxr_code_m(now.code),
                              pxr_code_matrix(now.code), pxr_code_w(now.code), &why);
    pxr_code_free(code);
    return status;
}

/* Hashes of every size.  The smallest have the longest rows, and the largest the most. */
static int hashes(void)
{
    int status = PXR_OK;
    for (unsigned size = 4; size <= PXR_MAX_HASH; size *= 2) {
        pxr_hash *hash;
        struct pxr_error why;
        static uint8_t sum[PXR_MAX_HASH * 257]; /* w is at most 257 */
        status |= pxr_hash_create(&hash, size, NULL, &why);
        status |= pxr_hash_shard(hash, now.code, 0, now.len, now.full.shard[0], sum);
        pxr_hash_free(hash);
    }
    return status;
}

/* Zeros are the hashes of a stripe of zeros. */
static int check_hashes(void)
{
    static uint8_t sum[PXR_MAX_PACKETS * PXR_MAX_HASH]; /* of all packets, or all shards */
    uint8_t *sums[PXR_MAX_SHARDS];
    unsigned index;
    pxr_hash *hash;
    int status = pxr_hash_create(&hash, PXR_MAX_HASH, NULL, NULL);
    for (unsigned i = 0; i < now.full.k + now.full.m; i++)
        sums[i] = sum + i * pxr_hash_bytes(hash, now.code);
    status |= pxr_hash_encode(hash, now.code, sums, sums + now.full.k);
    status |= pxr_hash_check(hash, now.code, sums);
    if (now.full.m >= 2)
        status |= pxr_hash_locate(hash, now.code, sums, &index);
    pxr_hash_free(hash);
    return status;
}

static int select_kernels(void)
{
    struct pxr_tune_info info;
    return pxr_kernel_select(NULL) | pxr_tune_info(&info, sizeof info);
}

static int raid(void)
{
    const unsigned n = now.full.k;
    uint8_t *const *data = stripe_in(&now.full);
    uint8_t *const *parity = stripe_parity(&now.full);
    struct pxr_raid_report report;
    if (now.full.m < 2)
        return PXR_OK;
    return pxr_raid_generate(n, now.len, data, parity[0], parity[1]) |
           pxr_raid_check(n, now.len, data, parity[0], parity[1], &report, sizeof report) |
           pxr_raid_update(0, now.len, data[0], data[n - 1], parity[0], parity[1]) |
           pxr_raid_recover(n, now.len, now.full.shard, parity[0], parity[1], 2,
                            (const unsigned[]){0, n});
}

/* The kinds of codes that a function takes. */
enum kind { BYTES = 1, PACKETS = 2, WORDS = 4, ALL_KINDS = 7 };

static const struct {
    const char *name;
    int (*call)(void);
    unsigned kib, kinds;
} functions[] = {
    {"pxr_encode", encode, OTHER_KIB, ALL_KINDS},
    {"ec_encode_data", encode_tables, TABLES_KIB, BYTES},
    {"pxr_update", update, OTHER_KIB, ALL_KINDS},
    {"pxr_reconstruct", reconstruct, OTHER_KIB, ALL_KINDS},
    {"pxr_reconstruct_iov", reconstruct_pieces, IOV_KIB, ALL_KINDS},
    {"pxr_plan_create", create_plan, OTHER_KIB, ALL_KINDS},
    {"pxr_plan_apply", apply_plan, OTHER_KIB, ALL_KINDS},
    {"pxr_code_create", create_code, OTHER_KIB, BYTES},
    {"pxr_code_create_custom", create_custom, OTHER_KIB, BYTES},
    {"pxr_code_create_bits", create_bits, OTHER_KIB, PACKETS},
    {"pxr_code_create_bits_custom", create_custom_bits, OTHER_KIB, PACKETS},
    {"pxr_code_create_words", create_words, OTHER_KIB, WORDS},
    {"pxr_kernel_select", select_kernels, OTHER_KIB, BYTES},
    {"pxr_hash_shard", hashes, HASH_KIB, BYTES | PACKETS},
    {"pxr_hash_check", check_hashes, HASH_KIB, BYTES | PACKETS},
    {"pxr_verify", verify, COMPARING_KIB, ALL_KINDS},
    {"pxr_locate", locate, COMPARING_KIB, ALL_KINDS},
    {"RAID", raid, OTHER_KIB, BYTES}, /* last, because it replaces the parity by P and Q */
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* ------------------------------------------------------------ painting -- */

struct measurement {
    int (*call)(void);
    int status;
    uint8_t *top; /* the address of the caller's frame */
};

static void *call_once(void *argument)
{
    struct measurement *m = argument;
    m->top = __builtin_frame_address(0);
    m->status = m->call();
    return NULL;
}

/* Returns how many bytes of stack the call uses. */
static size_t measure(int (*call)(void), int *status)
{
    struct measurement m = {.call = call};
    pthread_attr_t attributes;
    pthread_t thread;
    uint8_t *stack = aligned_alloc(65536, STACK_BYTES);
    if (!stack)
        exit(2);
    memset(stack, PAINT, STACK_BYTES);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack, STACK_BYTES) != 0 ||
        pthread_create(&thread, &attributes, call_once, &m) != 0)
        exit(2);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    const uint8_t *deepest = stack;
    while (*deepest == PAINT)
        deepest++;
    const size_t used = (size_t)(m.top - deepest);
    free(stack);
    *status = m.status;
    return used;
}

/* -------------------------------------------------------------- shapes -- */

static void begin(pxr_code *code, struct stripe full)
{
    const unsigned k = full.k, m = full.m;
    now.code = code;
    now.full = full;
    now.len = full.len;
    const unsigned lost = k < m ? k : m;
    for (unsigned i = 0; i < k + m; i++) {
        const bool is_lost = i < lost;
        now.have[i] = !is_lost;
        now.want[i] = is_lost;
        now.have_bytes[i] = is_lost ? NULL : now.full.shard[i];
        now.want_bytes[i] = is_lost ? now.full.shard[i] : NULL;
    }
    if (pxr_plan_create(&now.plan, now.code, now.have, now.want, NULL) != PXR_OK)
        exit(2);
}

static void end(void)
{
    pxr_plan_free(now.plan);
    stripe_free(&now.full);
    pxr_code_free(now.code);
}

/* Measures all functions with one code, and keeps the greatest need of each. */
static void measure_shape(enum kind kind, size_t need[FUNCTIONS])
{
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        int status;
        if (!(functions[f].kinds & kind))
            continue;
        if (functions[f].call == locate)
            now.full.shard[0][now.len - 1] ^= 1;
        const size_t used = measure(functions[f].call, &status);
        check_at("k=%ld m=%ld len=%ld function %ld", now.full.k, now.full.m, (long)now.len, f);
        CHECK_INT(status,
                  functions[f].call == locate && now.full.m > 1 ? PXR_EMISMATCH : PXR_OK);
        need[f] = used > need[f] ? used : need[f];
    }
    end();
}

/* Measures codes of bytes of up to `most` shards: one pass and many, special rows, short calls,
   and calls that are cut into pieces. */
static void measure_bytes(unsigned most, size_t need[FUNCTIONS])
{
    static const struct {
        unsigned k, m;
        size_t len;
    } shapes[] = {{1, 1, 100},      {10, 4, 1},     {10, 4, 9000},
                  {6, 2, 5000},     {60, 6, 17000}, {200, 55, 5000},
                  {128, 128, 5000}, {3, 253, 4096}, {40, 2, 30000}};
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const unsigned m = shapes[i].m;
        if (shapes[i].k + m > most)
            continue;
        pxr_code *const code =
            stripe_code(shapes[i].k, m, m == 2 ? PXR_JERASURE_R6 : PXR_ISAL_CAUCHY);
        begin(code, stripe_random(code, shapes[i].len));
        measure_shape(BYTES, need);
    }
}

/* Measures shapes of the other kinds, and as many packets as are possible. */
static void measure_others(size_t need[FUNCTIONS])
{
    static const struct packet_shape packets[] = {{PXR_JERASURE_CAUCHY_GOOD, 10, 4, 8, 0},
                                                  {PXR_JERASURE_LIBERATION, 5, 2, 7, 0},
                                                  {PXR_JERASURE_CAUCHY_ORIG, 248, 8, 8, 0},
                                                  {PXR_JERASURE_CAUCHY_ORIG, 128, 128, 8, 0},
                                                  {PXR_JERASURE_CAUCHY_GOOD, 60, 4, 32, 0}};
    static const struct {
        struct word_shape shape;
        size_t len;
    } words[] = {
        {{PXR_JERASURE_VAN, 10, 4, 16}, 20000},  {{PXR_JERASURE_VAN, 10, 4, 32}, 20000},
        {{PXR_JERASURE_VAN, 50, 30, 32}, 20000}, {{PXR_JERASURE_VAN, 10, 6, 4}, 20000},
        {{PXR_JERASURE_VAN, 300, 40, 32}, 900},  {{PXR_JERASURE_VAN, 1000, 24, 16}, 900},
        {{PXR_JERASURE_VAN, 24, 1000, 16}, 900}};
    for (unsigned i = 0; i < sizeof packets / sizeof packets[0]; i++) {
        if (packets[i].m == 128 && !check_thorough())
            continue; /* the equations of so many shards take long in an emulator */
        pxr_code *const code = packet_code(&packets[i], 300);
        begin(code, packet_stripe(code, 2 * pxr_code_unit(code)));
        measure_shape(PACKETS, need);
    }
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].shape.k + words[i].shape.m > 1000 && !check_thorough())
            continue;
        pxr_code *const code = word_code(&words[i].shape);
        begin(code, word_stripe(code, words[i].len));
        measure_shape(WORDS, need);
    }
}

/* The same by a record that sends every wide call through groups of sources, and then by the
   machine's own.  Wide codes take long in an emulator, so with less effort the machine's record
   gets narrow ones only. */
static void measure_all(size_t need[FUNCTIONS])
{
    CHECK_INT(pxr_tune_apply("l1 = 1K\nown = 1K\nshared = 1K\nlook-from = 1024M\n"
                             "wide-from = 13\nfar-wide-from = 13\n"
                             "way dot-wide memory = groups 16\n"
                             "way one-wide memory = groups 16\n"
                             "way p-wide memory = groups 16\nway pq-wide memory = groups 16\n"
                             "way structured-wide memory = groups 16\n"),
              PXR_OK);
    measure_bytes(PXR_MAX_SHARDS, need);
    CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
    measure_bytes(check_thorough() ? PXR_MAX_SHARDS : 100, need);
    measure_others(need);
}

static int nothing(void)
{
    return PXR_OK;
}

/* When a thread ends, glibc 2.31 returns the pages of its stack to the system, even if the
   program has allocated this stack.  Then the paint is gone. */
static bool paint_stays(void)
{
    int status;
    return measure(nothing, &status) < STACK_BYTES / 2;
}

int main(int argc, char **argv)
{
    check_start("test_stack", argc, argv);
    judge_start();
    check_forced_kernels();
    if (!paint_stays()) {
        check_skip("stack", "the C library empties the stack of a thread that ends");
    } else if (check_case("stack")) {
        size_t need[FUNCTIONS] = {0};
        measure_all(need);
        for (unsigned f = 0; f < FUNCTIONS; f++) {
            check_at("function %ld", f, 0, 0, 0);
            CHECK(need[f] > 100);
            CHECK(need[f] <= (size_t)functions[f].kib << 10);
            if (check_bench())
                printf("%-28s %6zu bytes\n", functions[f].name, need[f]);
        }
    }
    return check_finish();
}

#else

int main(int argc, char **argv)
{
    check_start("test_stack", argc, argv);
    check_skip("stack", "this build needs more stack than an optimised one without sanitizers");
    return check_finish();
}

#endif
