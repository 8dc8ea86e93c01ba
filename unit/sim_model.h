/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each block of a simulated array may hold.
 *
 * A write gives the sectors that it covers a tag, which no other write has.  The bytes of a
 * sector follow from its tag.  So the model keeps tags instead of bytes, and a failure says
 * which write a block holds.
 *
 * Each block has versions: what it held at first, and what each write made of it.  A version is
 * **over** when a later write of the block is sure to have replaced it.  Write y is later than
 * write x if x had been answered before y was submitted.  While the array runs, y is sure when
 * it has been answered.  After a crash, y is sure only if it is durable: a flush that was
 * submitted after y's answer has been answered, or y had FUA and has been answered.  A write
 * that failed is never sure, and its version may be there or not.
 *
 * The model says what a block may hold, and not what two blocks may hold together: a block
 * device promises no order without a flush.
 */
#ifndef PXR_UNIT_SIM_MODEL_H
#define PXR_UNIT_SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_BLOCK = 4096, SIM_TAGS = 8, SIM_TAGGED = SIM_BLOCK / SIM_TAGS };

/* The tags of the sectors of a block.  Tag 0 is a sector of zeros. */
struct sim_content {
    uint32_t tag[SIM_TAGS];
};

struct sim_version {
    struct sim_content content;
    uint32_t write; /* the number of the write */
    bool durable, failed;
    uint64_t submitted, answered; /* by the model's clock; UINT64_MAX: not yet */
};

struct sim_block {
    unsigned count, room;
    struct sim_version *version;
};

struct sim_model {
    size_t blocks;
    struct sim_block *block;
    uint64_t clock;
    uint64_t
        oldest_read; /* when the oldest read under way was submitted; UINT64_MAX: none is */
    uint32_t writes; /* how many there were: the last tag */
};

/* A model of blocks of zeros. */
struct sim_model sim_model_new(size_t blocks);
struct sim_model sim_model_copy(const struct sim_model *from);
void sim_model_free(struct sim_model *model);

/*
 * A write of these bytes is submitted.  Returns its number, which is also the tag that the
 * sectors get that lie in the range as a whole; `zeros` gives them tag 0.  Everything else in
 * the blocks stays as it is in the last version, so the blocks at the ends have to be known if
 * the range does not cover them.
 */
uint32_t sim_model_write(struct sim_model *model, uint64_t offset, uint64_t len, bool zeros);

/*
 * A trim is submitted.  The rows that it covers as a whole get tag 0, and all else stays.  The
 * sizes are those of a stripe's data and of a chunk.  Returns the number of this write, or 0 if
 * it covers no row.
 */
uint32_t sim_model_trim(struct sim_model *model, uint64_t stripe, uint64_t chunk,
                        uint64_t offset, uint64_t len);

/* The array has answered a write, with success or with an error. */
void sim_model_answer(struct sim_model *model, uint32_t write, bool fua, bool failed);

/* A point in time, for a flush or a read that is submitted now. */
uint64_t sim_model_now(struct sim_model *model);

/* A flush that was submitted at this time has been answered. */
void sim_model_flushed(struct sim_model *model, uint64_t submitted);

/* Returns the content of a block that can hold this one only and that nothing is writing, or
   NULL. */
const struct sim_content *sim_model_known(const struct sim_model *model, size_t block);

/* Whether a read that was submitted at this time may return these bytes, which begin at byte
   `from` of the block. */
bool sim_model_may_read(const struct sim_model *model, size_t block, size_t from, size_t len,
                        const uint8_t *bytes, uint64_t submitted);

/* Whether the block may hold this content after a crash now. */
bool sim_model_may_survive(const struct sim_model *model, size_t block,
                           const struct sim_content *content);

/* From now on, the block holds this content. */
void sim_model_settle(struct sim_model *model, size_t block, const struct sim_content *content);

/* Prints the versions of a block for a message. */
void sim_model_print(const struct sim_model *model, size_t block);

/* ------------------------------------------------------------- contents -- */

/* Writes the bytes of sector `number` of the array with this tag. */
void sim_fill(uint8_t bytes[SIM_TAGGED], uint64_t number, uint32_t tag);

/* Writes the bytes of a block. */
void sim_render(const struct sim_content *content, size_t block, uint8_t bytes[SIM_BLOCK]);

/* Reads the tags of a block.  Returns whether each sector has exactly the bytes of its tag. */
bool sim_parse(const uint8_t bytes[SIM_BLOCK], size_t block, struct sim_content *content);

#endif
