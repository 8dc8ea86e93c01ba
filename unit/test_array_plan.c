/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans: every state of small rows.
 *
 * A plan is carried out on a row of one byte for each block, with what it reads and nothing
 * else, and the result is compared with an encoding by the reference's arithmetic.  How few
 * reads are possible is found out by trying every set of reads: a set suffices if the new
 * parity is a linear combination of the blocks that are known then.
 */
#include "check.h"
#include "permxor_array.h"
#include "permxor_raid.h"
#include "reference.h"
#include "row_space.h"

#include <string.h>

enum { MOST = SPACE_MOST, IMPOSSIBLE = 99 };

static unsigned k, m;
static uint8_t rows[MOST][MOST]; /* the parity rows of ISA-L's Cauchy matrix */
static pxr_code *code;

static void make_code(unsigned data, unsigned parity)
{
    k = data;
    m = parity;
    for (unsigned r = 0; r < m; r++)
        for (unsigned j = 0; j < k; j++)
            rows[r][j] = reference_inv((uint8_t)((k + r) ^ j));
    CHECK_INT(pxr_code_create(&code, k, m, PXR_ISAL_CAUCHY, NULL), PXR_OK);
}

static bool has(pxa_mask mask, unsigned i)
{
    return mask >> i & 1;
}

static unsigned count(pxa_mask mask)
{
    unsigned bits = 0;
    for (; mask != 0; mask >>= 1)
        bits += mask & 1;
    return bits;
}

static void encode(uint8_t *row)
{
    for (unsigned r = 0; r < m; r++) {
        row[k + r] = 0;
        for (unsigned j = 0; j < k; j++)
            row[k + r] ^= reference_mul(rows[r][j], row[j]);
    }
}

/* -------------------------------------------------------------- knowledge -- */

static void block_vector(unsigned block, uint8_t *v)
{
    memset(v, 0, MOST);
    if (block < k)
        v[block] = 1;
    else
        memcpy(v, rows[block - k], k);
}

static struct space span_of(pxa_mask known)
{
    struct space space = {0};
    for (unsigned i = 0; i < k + m; i++)
        if (has(known, i)) {
            uint8_t v[MOST];
            block_vector(i, v);
            space_add(&space, v, k);
        }
    return space;
}

/* Whether the part of a parity row that belongs to the blocks that keep their data is known. */
static bool knows_parity(const struct space *space, unsigned r, pxa_mask changed)
{
    uint8_t v[MOST] = {0};
    for (unsigned j = 0; j < k; j++)
        v[j] = has(changed, j) ? 0 : rows[r][j];
    return !space_lacks(space, v, k);
}

/* Whether this knowledge suffices for a write.  Of a block that changes in part, some bytes are
   as in one that changes, and others as in one that does not; those that are kept are written.
 */
static bool suffices(pxa_mask known, pxa_mask whole, pxa_mask partial, pxa_mask lost)
{
    const struct space space = span_of(known);
    for (unsigned r = 0; r < m; r++)
        if (!has(lost, k + r) &&
            (!knows_parity(&space, r, whole) || !knows_parity(&space, r, whole | partial)))
            return false;
    for (unsigned j = 0; j < k; j++) {
        uint8_t v[MOST];
        block_vector(j, v);
        if (has(partial, j) && !has(lost, j) && space_lacks(&space, v, k))
            return false;
    }
    return true;
}

/* The fewest reads that suffice, by trying all. */
static unsigned fewest(const struct pxa_state *state, pxa_mask whole, pxa_mask partial)
{
    unsigned best = IMPOSSIBLE;
    for (pxa_mask read = 0; read < (pxa_mask)1 << (k + m); read++)
        if ((read & state->lost) == 0 && count(read) < best &&
            suffices(read | state->cached, whole, partial, state->lost))
            best = count(read);
    return best;
}

/* ---------------------------------------------------------- carrying out -- */

/* Computes blocks from the known ones by the library. */
static void rebuild(uint8_t *bytes, pxa_mask known, pxa_mask wanted)
{
    uint8_t *have[2 * MOST] = {NULL}, *want[2 * MOST] = {NULL};
    for (unsigned i = 0; i < k + m; i++) {
        if (has(known, i))
            have[i] = &bytes[i];
        if (has(wanted, i))
            want[i] = &bytes[i];
    }
    CHECK_INT(pxr_reconstruct(code, 1, have, want), PXR_OK);
}

static void modify(uint8_t *bytes, const uint8_t *fresh, pxa_mask changed, pxa_mask parity)
{
    uint8_t *to[MOST] = {NULL};
    for (unsigned r = 0; r < m; r++)
        if (has(parity, k + r))
            to[r] = &bytes[k + r];
    for (unsigned j = 0; j < k; j++)
        if (has(changed, j)) {
            CHECK_INT(pxr_update(code, 1, j, &bytes[j], &fresh[j], to), PXR_OK);
            bytes[j] = fresh[j];
        }
}

static void reconstruct(uint8_t *bytes, const uint8_t *fresh, pxa_mask changed)
{
    uint8_t *data[MOST], *parity[MOST];
    for (unsigned j = 0; j < k; j++) {
        if (has(changed, j))
            bytes[j] = fresh[j];
        data[j] = &bytes[j];
    }
    for (unsigned r = 0; r < m; r++)
        parity[r] = &bytes[k + r];
    CHECK_INT(pxr_encode(code, 1, data, parity), PXR_OK);
}

/*
 * Writes by the plan.  `bytes` has noise for every block that is neither cached nor read, so a
 * plan that reads too little gives wrong bytes.
 */
static void carry_out(const struct pxa_state *state, const struct pxa_plan *plan,
                      const uint8_t *old, const uint8_t *fresh, pxa_mask changed)
{
    uint8_t bytes[MOST], wanted[MOST];
    const pxa_mask known = state->cached | plan->read;
    for (unsigned i = 0; i < k + m; i++)
        bytes[i] = has(known, i) ? old[i] : (uint8_t)(old[i] ^ (1 + check_below(255)));
    if (plan->rebuild != 0)
        rebuild(bytes, known, plan->rebuild);
    if (plan->method == PXA_READ_MODIFY_WRITE)
        modify(bytes, fresh, changed, plan->write);
    else
        reconstruct(bytes, fresh, changed);
    for (unsigned j = 0; j < k; j++)
        wanted[j] = has(changed, j) ? fresh[j] : old[j];
    encode(wanted);
    for (unsigned i = 0; i < k + m; i++)
        if (has(plan->write, i))
            CHECK_INT(bytes[i], wanted[i]);
}

/* ---------------------------------------------------------------- write -- */

static void try_write(const struct pxa_state *state, pxa_mask whole, pxa_mask partial)
{
    struct pxa_plan plan;
    uint8_t old[MOST], fresh[MOST];
    const pxa_mask all = ((pxa_mask)1 << (k + m)) - 1, changed = whole | partial;
    const pxa_mask parity = all & ~(((pxa_mask)1 << k) - 1);
    const int status = pxa_plan_write(state, whole, partial, &plan, sizeof plan);
    if (count(state->lost) > m) {
        CHECK_INT(status, PXR_ETOOFEW);
        return;
    }
    if (!CHECK(status == PXR_OK))
        return;
    CHECK((plan.read & state->lost) == 0);
    CHECK((plan.read & state->cached) == 0);
    CHECK((plan.rebuild & ~(all & ~parity)) == 0);
    CHECK(plan.write == (changed != 0 ? (changed | parity) & ~state->lost : 0));
    CHECK_INT(count(plan.read), plan.reads[plan.method]);
    CHECK_INT(count(plan.read), changed != 0 ? fewest(state, whole, partial) : 0);
    for (unsigned other = 0; other < 4; other++)
        CHECK(plan.reads[other] >= plan.reads[plan.method]);
    check_fill(old, sizeof old);
    encode(old);
    for (unsigned j = 0; j < k; j++)
        fresh[j] = (uint8_t)(old[j] ^ (1 + check_below(255)));
    if (changed != 0)
        carry_out(state, &plan, old, fresh, changed);
}

/* Every lost and cached set, and for each block of data: unchanged, changed, changed in part.
 */
static void every_write(unsigned data, unsigned parity)
{
    make_code(data, parity);
    const pxa_mask end = (pxa_mask)1 << (k + m), data_end = (pxa_mask)1 << k;
    for (pxa_mask lost = 0; lost < end; lost++)
        for (pxa_mask cached = 0; cached < end; cached++)
            for (pxa_mask whole = 0; whole < data_end; whole++)
                for (pxa_mask partial = 0; partial < data_end; partial++) {
                    const struct pxa_state state = {k, m, lost, cached};
                    if ((whole & partial) != 0 || (k + m > 4 && !check_sampled()))
                        continue;
                    check_at("lost %lx cached %lx whole %lx partial %lx", (long)lost,
                             (long)cached, (long)whole, (long)partial);
                    try_write(&state, whole, partial);
                }
    pxr_code_free(code);
}

/* For RAID, the older function of permxor_raid.h has to choose the same way. */
static void same_as_raid(unsigned data, unsigned parity)
{
    for (unsigned round = check_effort(20000); round > 0; round--) {
        const pxa_mask all = ((pxa_mask)1 << (data + parity)) - 1;
        const struct pxa_state state = {data, parity, check_random() & check_random() & all,
                                        check_random() & check_random() & all};
        const pxa_mask whole = check_random() & (((pxa_mask)1 << data) - 1);
        uint8_t flags[MOST + 2] = {0};
        struct pxr_raid_plan theirs;
        struct pxa_plan ours;
        flags[data + 1] = PXR_RAID_FAILED; /* in case there is no Q */
        for (unsigned i = 0; i < data + parity; i++)
            flags[i] = (uint8_t)((has(whole, i) ? PXR_RAID_CHANGED : 0) |
                                 (has(state.cached, i) ? PXR_RAID_CACHED : 0) |
                                 (has(state.lost, i) ? PXR_RAID_FAILED : 0));
        if ((state.lost & state.cached) != 0 || whole == 0 ||
            pxa_plan_write(&state, whole, 0, &ours, sizeof ours) != PXR_OK)
            continue;
        if (pxr_raid_write_plan(data, flags, flags[data], flags[data + 1], &theirs,
                                sizeof theirs) != PXR_OK) {
            CHECK_INT(ours.method, PXA_REBUILD);
            continue;
        }
        if (ours.method == PXA_DIRECT)
            continue;
        CHECK(ours.reads[PXA_READ_MODIFY_WRITE] == theirs.read_modify_write);
        CHECK(ours.reads[PXA_RECONSTRUCT_WRITE] == theirs.reconstruct_write);
        if (ours.method != PXA_REBUILD)
            CHECK((ours.method == PXA_RECONSTRUCT_WRITE) ==
                  (theirs.method == PXR_RAID_RECONSTRUCT_WRITE));
    }
}

/* ----------------------------------------------------------------- read -- */

static unsigned fewest_for_read(const struct pxa_state *state, pxa_mask wanted)
{
    unsigned best = IMPOSSIBLE;
    for (pxa_mask read = 0; read < (pxa_mask)1 << (k + m); read++) {
        if ((read & state->lost) != 0 || count(read) >= best)
            continue;
        const struct space space = span_of(read | state->cached);
        bool all = true;
        for (unsigned i = 0; i < k + m; i++) {
            uint8_t v[MOST];
            block_vector(i, v);
            /* a block that can be read is read, not computed */
            all = all &&
                  (!has(wanted, i) || (has(state->lost, i) ? !space_lacks(&space, v, k)
                                                           : has(read | state->cached, i)));
        }
        if (all)
            best = count(read);
    }
    return best;
}

static void try_read(const struct pxa_state *state, pxa_mask wanted)
{
    struct pxa_plan plan;
    uint8_t old[MOST], bytes[MOST];
    const unsigned best = fewest_for_read(state, wanted);
    const int status = pxa_plan_read(state, wanted, &plan, sizeof plan);
    if (best == IMPOSSIBLE) {
        CHECK_INT(status, PXR_ETOOFEW);
        return;
    }
    if (!CHECK(status == PXR_OK))
        return;
    CHECK((plan.read & (state->lost | state->cached)) == 0 && plan.write == 0);
    CHECK_INT(count(plan.read), best);
    CHECK((plan.rebuild & ~wanted) == 0);
    check_fill(old, sizeof old);
    encode(old);
    for (unsigned i = 0; i < k + m; i++)
        bytes[i] = has(plan.read | state->cached, i)
                       ? old[i]
                       : (uint8_t)(old[i] ^ (1 + check_below(255)));
    if (plan.rebuild != 0)
        rebuild(bytes, plan.read | state->cached, plan.rebuild);
    for (unsigned i = 0; i < k + m; i++)
        if (has(wanted, i))
            CHECK_INT(bytes[i], old[i]);
}

static void every_read(unsigned data, unsigned parity)
{
    make_code(data, parity);
    const pxa_mask end = (pxa_mask)1 << (k + m);
    for (pxa_mask lost = 0; lost < end; lost++)
        for (pxa_mask cached = 0; cached < end; cached++)
            for (pxa_mask wanted = 0; wanted < end; wanted++) {
                const struct pxa_state state = {k, m, lost, cached};
                if (k + m > 4 && !check_sampled())
                    continue;
                check_at("lost %lx cached %lx wanted %lx", (long)lost, (long)cached,
                         (long)wanted, 0);
                try_read(&state, wanted);
            }
    pxr_code_free(code);
}

/* --------------------------------------------------------------- others -- */

/* The figures of the 2014 series on read-modify-write for RAID-6, with ten members: one changed
   block takes 3 reads instead of 7. */
static void test_figures(void)
{
    const struct pxa_state state = {8, 2, 0, 0}, wide = {12, 4, 0, 0};
    struct pxa_plan plan;
    CHECK_INT(pxa_plan_write(&state, 1, 0, &plan, sizeof plan), PXR_OK);
    CHECK_INT(plan.method, PXA_READ_MODIFY_WRITE);
    CHECK_INT(plan.reads[PXA_READ_MODIFY_WRITE], 3);
    CHECK_INT(plan.reads[PXA_RECONSTRUCT_WRITE], 7);
    CHECK_INT(pxa_plan_write(&wide, 0xff, 0, &plan, sizeof plan), PXR_OK);
    CHECK_INT(plan.method, PXA_RECONSTRUCT_WRITE);
    CHECK_INT(plan.reads[PXA_RECONSTRUCT_WRITE], 4);
    CHECK_INT(plan.reads[PXA_READ_MODIFY_WRITE], 12);
}

static void test_refused(void)
{
    struct pxa_plan plan;
    const struct pxa_state good = {4, 2, 0, 0}, widest = {60, 4, 0, 0};
    const struct pxa_state bad[] = {{0, 2, 0, 0},   {4, 0, 0, 0},  {63, 2, 0, 0},
                                    {~0u, 2, 0, 0}, {4, 2, 64, 0}, {4, 2, 0, 64}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_INT(pxa_plan_read(&bad[i], 0, &plan, sizeof plan), PXR_EINVAL);
        CHECK_INT(pxa_plan_write(&bad[i], 0, 0, &plan, sizeof plan), PXR_EINVAL);
    }
    CHECK_INT(pxa_plan_read(&good, 64, &plan, sizeof plan), PXR_EINVAL);
    CHECK_INT(pxa_plan_write(&good, 16, 0, &plan, sizeof plan), PXR_EINVAL);
    CHECK_INT(pxa_plan_write(&good, 1, 1, &plan, sizeof plan), PXR_EINVAL);
    CHECK_INT(pxa_plan_write(NULL, 1, 0, &plan, sizeof plan), PXR_EINVAL);
    CHECK_INT(pxa_plan_read(&good, 1, NULL, 0), PXR_EINVAL);
    CHECK_INT(pxa_plan_read(&widest, ~(pxa_mask)0, &plan, sizeof plan), PXR_OK);
    CHECK(plan.read == ~(pxa_mask)0);
}

int main(int argc, char **argv)
{
    static const unsigned shapes[][2] = {{1, 1}, {2, 1}, {3, 1}, {1, 2}, {2, 2},
                                         {3, 2}, {2, 3}, {4, 1}, {1, 3}};
    check_start("test_array_plan", argc, argv);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (check_case("every write k=%u m=%u", shapes[i][0], shapes[i][1]))
            every_write(shapes[i][0], shapes[i][1]);
        if (check_case("every read k=%u m=%u", shapes[i][0], shapes[i][1]))
            every_read(shapes[i][0], shapes[i][1]);
    }
    for (unsigned data = 2; data <= 6; data++)
        if (check_case("as permxor_raid.h k=%u", data)) {
            same_as_raid(data, 1);
            same_as_raid(data, 2);
        }
    if (check_case("figures"))
        test_figures();
    if (check_case("refused arguments"))
        test_refused();
    return check_finish();
}
