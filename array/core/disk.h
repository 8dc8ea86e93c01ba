/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is on a member, as structures and as bytes.  doc/array-core.md has the tables.  There is
 * no input or output and no allocation here.
 */
#ifndef PXA_CORE_DISK_H
#define PXA_CORE_DISK_H

#include "core.h"

/* Where the parts of a member are.  All members of an array have the same. */
struct disk_layout {
    uint64_t map_at, map_pages;   /* each page has two slots, side by side */
    uint64_t log_at, log_blocks;  /* the ring */
    uint64_t sums_at, sums_pages; /* each page has two slots */
    uint64_t data_at, stripes;
};

/* A role of the array, as every superblock describes it. */
struct disk_role {
    uint8_t uuid[16];
    enum core_member_state state;
    /* If failed: the events of the first superblocks that say so.  If it is being rebuilt: what
       was written since then is, or all if 0. */
    uint64_t left;
    /* If it is being rebuilt: the stripes below are done, durably.  If failed: 1 if it had all
       of its blocks when it left, else 0. */
    uint64_t cursor;
    uint64_t log_start; /* where the member's log begins */
    uint64_t log_chain; /* what it follows; of a failed one the last sequence that it had */
};

struct disk_super {
    uint32_t incompatible; /* features that all have to know who use it; 0: there are none */
    uint32_t read_only; /* features that only those have to know who write; 0: there are none */
    uint8_t uuid[16];
    char name[32];
    unsigned data, parity;
    uint32_t chunk;
    uint64_t region, matrix_hash;
    struct disk_layout layout;
    unsigned place; /* 0 and 1: the slots; 2: the end of the member */
    unsigned role;
    uint8_t member_uuid[16];
    uint64_t sequence;  /* grows with each writing */
    uint64_t events;    /* grows with each change of a role's state */
    uint64_t tail;      /* the first epoch to replay */
    uint64_t committed; /* epochs up to it are known to be committed */
    struct disk_role roles[PXA_MAX_MEMBERS];
};

enum { DISK_PLACES = 3 };

/* The first eight bytes of each. */
#define DISK_SUPER_MAGIC "PXRARRAY"

/* A number on disk that grows is at most this.  With a million steps in each second, an array
   would come to it in more than 2000 years. */
#define DISK_MOST (UINT64_C(1) << 56)

/* Where the superblock of a place is on a member of that size. */
uint64_t disk_super_at(unsigned place, uint64_t member_size);

/* Works out the layout for the smallest member.  Returns PXR_OK or PXR_EINVAL with *why. */
int disk_layout_make(const struct core_shape *shape, uint64_t member_size, uint64_t *region,
                     struct disk_layout *layout, struct pxr_error *why);

/* Whether the layout of a superblock is possible on a member of that size.  Sets the numbers of
   pages, which are not on disk. */
bool disk_layout_fits(struct disk_super *super, uint64_t member_size);

void disk_super_put(uint8_t *block, const struct disk_super *super);

/* Returns PXR_OK, PXA_ENONE (there is no magic number), PXA_EREFUSED (a format or features that
   this version does not know; no other field is set then) or PXA_EDAMAGED. */
int disk_super_get(const uint8_t *block, unsigned place, struct disk_super *super);

/* The same, and PXA_EDAMAGED if the layout is impossible on a member of that size. */
int disk_super_check(const uint8_t *block, unsigned place, uint64_t member_size,
                     struct disk_super *super);

/*
 * Adds what one more place of a member says to what the places before it have said: `status`,
 * at first PXA_ENONE, and *best.  Returns what they say together.  One that this version does
 * not know is enough to refuse the member.  Else a right one counts, of these the one with the
 * highest sequence; else a damaged one, else one that could not be read (PXA_EIO).
 */
int disk_super_join(int status, struct disk_super *best, int here,
                    const struct disk_super *super);

/* The part that superblocks with the same events have in common. */
uint64_t disk_config_hash(const struct disk_super *super);

/* ------------------------------------------------------------ table pages -- */

enum disk_table { DISK_MAP = 1, DISK_SUMS = 2 };

enum {
    DISK_MAP_ENTRIES = CORE_SIZE(504, 2),  /* of 8 bytes */
    DISK_SUMS_ENTRIES = CORE_SIZE(960, 4), /* of 4 bytes; a chunk never crosses a page */
    DISK_PAGE_HEADER = 64
};

/* What a page is.  The map is the same on all members, and its role is 0. */
struct disk_page {
    enum disk_table table;
    unsigned role;
    const uint8_t *uuid; /* of the array */
    uint64_t index, sequence;
};

/*
 * The sequence of a page is at most this much above that of the superblocks.  Pages of
 * checksums come to 2 above it, and pages of the map to 2 and one for each of their entries.
 */
enum { DISK_AHEAD = 1 << 16 };

/* Completes a page whose payload, from DISK_PAGE_HEADER on, is there. */
void disk_page_put(uint8_t *block, const struct disk_page *page);

/*
 * Checks a page against what it is to be.  `super` is the sequence of the superblocks.  Returns
 * PXR_OK and sets page->sequence, or PXA_ENONE (all zeros: never written) or PXA_EDAMAGED.
 */
int disk_page_get(const uint8_t *block, struct disk_page *page, uint64_t super);

/* -------------------------------------------------------------------- log -- */

enum { DISK_SEGMENT_ENTRIES = 250 };

struct disk_entry {
    uint64_t block; /* of the member's data */
    uint32_t sum;
    bool in_place; /* nothing of it is in the ring */
};

/* Whether the contents of an entry are where they belong, so that they have to match it. */
bool disk_entry_is_placed(const struct disk_entry *entry);

/* The header of a segment: what one epoch has written to one member. */
struct disk_segment {
    unsigned role, count;
    const uint8_t *uuid; /* of the array */
    uint64_t epoch;
    uint64_t position;  /* of the header, in blocks of the ring */
    uint64_t previous;  /* the chain value of the segment before it on this member */
    uint64_t committed; /* the last epoch that was committed when this was written */
    pxa_mask members;   /* the members that have a segment of this epoch */
    struct disk_entry entry[DISK_SEGMENT_ENTRIES];
};

/* Returns the chain value for the next segment. */
uint64_t disk_segment_put(uint8_t *block, const struct disk_segment *segment);

/*
 * The caller sets role, uuid, position and previous to what is expected.  Returns PXR_OK and
 * sets the rest and *chain, or PXA_EDAMAGED.
 */
int disk_segment_get(const uint8_t *block, struct disk_segment *segment, uint64_t *chain);

/* How many blocks of a segment are in the ring, behind its header. */
unsigned disk_segment_blocks(const struct disk_segment *segment);

/* ------------------------------------------------------------------- sums -- */

/*
 * The checksum of a block of CORE_BLOCK bytes at a place.  Three values are no sums: DISK_ZEROS
 * says that the block was never written since its region was zeroed, so it is all zeros.
 * DISK_UNKNOWN matches nothing.  DISK_TRIMMED says that the row of the block was trimmed, so
 * that what is in its place does not count; it matches nothing, too.
 */
enum { DISK_ZEROS = 0, DISK_UNKNOWN = 1, DISK_TRIMMED = 2 };

uint32_t disk_sum(const uint8_t uuid[16], unsigned role, uint64_t block, const uint8_t *bytes);
bool disk_sum_matches(uint32_t sum, const uint8_t uuid[16], unsigned role, uint64_t block,
                      const uint8_t *bytes);

/*
 * A trim of a row changes the sums of all blocks, and so does the next write to it.  So if one
 * member says that a row is trimmed and another one that it has contents, one of the two has
 * lost a write of its page.  The newer page is right: those that are written together have the
 * same sequence, and those that are written later have a higher one.
 */
struct disk_trim {
    uint64_t trimmed, written; /* the newest pages that say so; 0: none does */
};

/* A page of this sequence has this sum of a row's block. */
void disk_trim_note(struct disk_trim *trim, uint32_t sum, uint64_t sequence);
/* What counts in the place of a sum of the row, also of a member that was not noted. */
uint32_t disk_trim_settle(const struct disk_trim *trim, uint32_t sum);

#endif
