/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_model.h"

#include "sim_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint64_t never = UINT64_MAX;

struct sim_model sim_model_new(size_t blocks)
{
    struct sim_model model = {.blocks = blocks, .clock = 1, .oldest_read = never};
    model.block = sim_allocate(blocks * sizeof *model.block);
    for (size_t i = 0; i < blocks; i++)
        sim_model_settle(&model, i, &(struct sim_content){{0}});
    return model;
}

struct sim_model sim_model_copy(const struct sim_model *from)
{
    struct sim_model model = *from;
    model.block = sim_allocate(model.blocks * sizeof *model.block);
    for (size_t i = 0; i < model.blocks; i++) {
        struct sim_block *block = &model.block[i];
        block->count = block->room = from->block[i].count;
        block->version = sim_allocate(block->room * sizeof *block->version);
        memcpy(block->version, from->block[i].version, block->count * sizeof *block->version);
    }
    return model;
}

void sim_model_free(struct sim_model *model)
{
    for (size_t i = 0; i < model->blocks; i++)
        free(model->block[i].version);
    free(model->block);
    *model = (struct sim_model){0};
}

uint64_t sim_model_now(struct sim_model *model)
{
    return model->clock++;
}

/* ------------------------------------------------------------- versions -- */

/* Whether a later write that is sure has replaced x.  `sure` is the time before which a write
   has to be answered, or 0 if it has to be durable. */
static bool is_over(const struct sim_block *block, const struct sim_version *x, uint64_t sure)
{
    for (unsigned i = 0; i < block->count; i++) {
        const struct sim_version *y = &block->version[i];
        const bool is_sure = sure == 0 ? y->durable : !y->failed && y->answered < sure;
        if (is_sure && x->answered < y->submitted)
            return true;
    }
    return false;
}

/* Whether no crash and no read that is under way can bring a version back. */
static bool is_gone(const struct sim_model *model, const struct sim_block *block,
                    const struct sim_version *x)
{
    for (unsigned i = 0; i < block->count; i++) {
        const struct sim_version *y = &block->version[i];
        if (y->durable && x->answered < y->submitted && y->answered < model->oldest_read)
            return true;
    }
    return false;
}

static void forget(const struct sim_model *model, struct sim_block *block)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < block->count; i++)
        if (!is_gone(model, block, &block->version[i]))
            block->version[kept++] = block->version[i];
    block->count = kept;
}

static void add(struct sim_block *block, const struct sim_version *version)
{
    if (block->count == block->room) {
        const unsigned room = block->room * 2 + 2;
        struct sim_version *more = sim_allocate(room * sizeof *more);
        if (block->count > 0)
            memcpy(more, block->version, block->count * sizeof *more);
        free(block->version);
        block->version = more;
        block->room = room;
    }
    block->version[block->count++] = *version;
}

void sim_model_settle(struct sim_model *model, size_t number, const struct sim_content *content)
{
    struct sim_block *block = &model->block[number];
    block->count = 0;
    add(block, &(struct sim_version){*content, 0, true, false, 0, 0});
}

uint32_t sim_model_write(struct sim_model *model, uint64_t offset, uint64_t len, bool zeros)
{
    const uint32_t number = ++model->writes;
    const uint64_t now = sim_model_now(model), end = offset + len;
    for (uint64_t which = offset / SIM_BLOCK; which * SIM_BLOCK < end; which++) {
        struct sim_block *block = &model->block[which];
        struct sim_version version = block->version[block->count - 1];
        version.write = number;
        version.durable = version.failed = false;
        version.submitted = now;
        version.answered = never;
        for (unsigned s = 0; s < SIM_TAGS; s++) {
            const uint64_t at = which * SIM_BLOCK + s * SIM_TAGGED;
            if (at >= offset && at + SIM_TAGGED <= end)
                version.content.tag[s] = zeros ? 0 : number;
        }
        add(block, &version);
    }
    return number;
}

/* Whether all blocks of data that are in the row of this block are in the range. */
static bool row_is_covered(size_t block, uint64_t stripe, uint64_t chunk, uint64_t offset,
                           uint64_t end)
{
    const uint64_t at = (uint64_t)block * SIM_BLOCK, begin = at / stripe * stripe;
    const uint64_t first = begin + at % chunk, last = first + stripe - chunk;
    return first >= offset && last + SIM_BLOCK <= end;
}

uint32_t sim_model_trim(struct sim_model *model, uint64_t stripe, uint64_t chunk,
                        uint64_t offset, uint64_t len)
{
    const uint64_t now = sim_model_now(model);
    const uint32_t number = model->writes + 1;
    for (size_t i = 0; i < model->blocks; i++) {
        if (!row_is_covered(i, stripe, chunk, offset, offset + len))
            continue;
        model->writes = number;
        add(&model->block[i],
            &(struct sim_version){.write = number, .submitted = now, .answered = never});
    }
    return model->writes == number ? number : 0;
}

void sim_model_answer(struct sim_model *model, uint32_t write, bool fua, bool failed)
{
    const uint64_t now = sim_model_now(model);
    for (size_t i = 0; i < model->blocks; i++) {
        struct sim_block *block = &model->block[i];
        for (unsigned v = 0; v < block->count; v++)
            if (block->version[v].write == write && block->version[v].answered == never) {
                block->version[v].answered = now;
                block->version[v].failed = failed;
                block->version[v].durable = fua && !failed;
            }
        forget(model, block);
    }
}

void sim_model_flushed(struct sim_model *model, uint64_t submitted)
{
    for (size_t i = 0; i < model->blocks; i++) {
        struct sim_block *block = &model->block[i];
        for (unsigned v = 0; v < block->count; v++)
            if (!block->version[v].failed && block->version[v].answered < submitted)
                block->version[v].durable = true;
        forget(model, block);
    }
}

/* ------------------------------------------------------------ questions -- */

bool sim_model_may_read(const struct sim_model *model, size_t number, size_t from, size_t len,
                        const uint8_t *bytes, uint64_t submitted)
{
    const struct sim_block *block = &model->block[number];
    uint8_t want[SIM_BLOCK];
    for (unsigned i = 0; i < block->count; i++) {
        if (is_over(block, &block->version[i], submitted))
            continue;
        sim_render(&block->version[i].content, number, want);
        if (memcmp(want + from, bytes, len) == 0)
            return true;
    }
    return false;
}

bool sim_model_may_survive(const struct sim_model *model, size_t number,
                           const struct sim_content *content)
{
    const struct sim_block *block = &model->block[number];
    for (unsigned i = 0; i < block->count; i++)
        if (memcmp(&block->version[i].content, content, sizeof *content) == 0 &&
            !is_over(block, &block->version[i], 0))
            return true;
    return false;
}

const struct sim_content *sim_model_known(const struct sim_model *model, size_t number)
{
    const struct sim_block *block = &model->block[number];
    const struct sim_content *known = NULL;
    for (unsigned i = 0; i < block->count; i++) {
        const struct sim_version *version = &block->version[i];
        if (version->answered == never)
            return NULL;
        if (is_over(block, version, never))
            continue;
        if (known != NULL || version->failed)
            return NULL;
        known = &version->content;
    }
    return known;
}

void sim_model_print(const struct sim_model *model, size_t number)
{
    const struct sim_block *block = &model->block[number];
    for (unsigned i = 0; i < block->count; i++) {
        const struct sim_version *version = &block->version[i];
        printf("    version by write %" PRIu32 "%s%s%s:", version->write,
               version->answered == never ? ", not answered" : ", answered",
               version->failed ? " with an error" : "", version->durable ? ", durable" : "");
        for (unsigned s = 0; s < SIM_TAGS; s++)
            printf(" %" PRIu32, version->content.tag[s]);
        putchar('\n');
    }
}

/* ------------------------------------------------------------- contents -- */

/* Neighbouring words differ, and so do sectors with the same tag. */
static uint64_t word_of(uint64_t number, uint32_t tag, size_t i)
{
    return (number + 1) * UINT64_C(0x9e3779b97f4a7c15) ^
           (i + 1) * UINT64_C(0xd1342543de82ef95) ^
           (uint64_t)tag * UINT64_C(0xbf58476d1ce4e5b9);
}

void sim_fill(uint8_t bytes[SIM_TAGGED], uint64_t number, uint32_t tag)
{
    uint64_t word[SIM_TAGGED / sizeof(uint64_t)];
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
        word[i] = tag == 0 ? 0 : word_of(number, tag, i);
    word[0] = tag;
    memcpy(bytes, word, SIM_TAGGED);
}

void sim_render(const struct sim_content *content, size_t block, uint8_t bytes[SIM_BLOCK])
{
    for (size_t s = 0; s < SIM_TAGS; s++)
        sim_fill(bytes + s * SIM_TAGGED, block * SIM_TAGS + s, content->tag[s]);
}

bool sim_parse(const uint8_t bytes[SIM_BLOCK], size_t block, struct sim_content *content)
{
    for (size_t s = 0; s < SIM_TAGS; s++) {
        uint8_t want[SIM_TAGGED];
        uint64_t word;
        memcpy(&word, bytes + s * SIM_TAGGED, sizeof word);
        content->tag[s] = (uint32_t)word;
        sim_fill(want, block * SIM_TAGS + s, content->tag[s]);
        if (memcmp(want, bytes + s * SIM_TAGGED, SIM_TAGGED) != 0)
            return false;
    }
    return true;
}
