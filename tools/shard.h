/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shard format, versions 1 and 2, as pure functions on bytes: there is no input, no output
 * and no allocation here. doc/format.md is the specification.
 *
 *     header   512 bytes
 *     record   for each stripe: checksum (16 bytes), cell
 *     trailer  512 bytes, a copy of the header
 *
 * The file is cut into stripes of k cells.  The last stripe is shorter, and so are its cells.
 * Shard i holds cell i of every stripe.
 */
#ifndef PXR_TOOLS_SHARD_H
#define PXR_TOOLS_SHARD_H

#include "permxor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHARD_HEADER_SIZE 512
#define SHARD_CHECK_SIZE 16
#define SHARD_ID_SIZE 16
#define SHARD_HASH_SIZE 32

/* Leaves room for ".000.pxr" in a file name of 255 bytes. */
#define SHARD_NAME_MAX 247

#define SHARD_CELL_MIN 64u
#define SHARD_CELL_MAX (64u << 20)

/* Above it, the size of a shard would not fit in an off_t. */
#define SHARD_LENGTH_MAX (UINT64_C(1) << 62)

/* The newest version of the format.  New sets are written in it. */
enum { SHARD_FORMAT = 2 };

/* What a header of version 2 records about the file. */
#define SHARD_HAS_HASH 1u   /* its SHA-256 */
#define SHARD_HAS_STATUS 2u /* its mode and its time of modification */
#define SHARD_IS_SPARSE 4u  /* it had holes: blocks of zeros need not be written */

struct shard_header {
    unsigned format;           /* version: 1, or SHARD_FORMAT */
    uint8_t id[SHARD_ID_SIZE]; /* the same in all shards of a set, and in no other set */
    unsigned k, m;
    enum pxr_matrix matrix;
    /* For codes of words and of packets; both are 0 for codes of bytes. */
    unsigned w;          /* bits of a word, or packets of a unit */
    uint32_t packetsize; /* bytes of a packet; 0: there are none */
    unsigned index;      /* which of the k + m shards this is */
    uint32_t cell;       /* bytes per cell, except in the last stripe */
    uint64_t length;     /* bytes in the file */
    char name[SHARD_NAME_MAX + 1];

    /* Fields of version 2.  They are zero in version 1, and when the attribute is not set. */
    unsigned attributes;           /* SHARD_HAS_..., SHARD_IS_... */
    unsigned disks;                /* shard i was written to folder i mod disks; 0: not known */
    unsigned mode;                 /* of the file: the lowest 12 bits of st_mode */
    int64_t seconds;               /* time of modification, in seconds since 1970 */
    uint32_t nanoseconds;          /* to be added to seconds */
    uint8_t hash[SHARD_HASH_SIZE]; /* SHA-256 of the whole file */
};

/* What 512 bytes are, if they are no header. */
enum shard_parse {
    SHARD_PARSED = 0,
    SHARD_NO_MAGIC,
    SHARD_BAD_CHECKSUM,
    SHARD_UNKNOWN_VERSION,
    SHARD_UNKNOWN_FLAGS,
    SHARD_BAD_FIELD
};

void shard_header_encode(const struct shard_header *header, uint8_t out[SHARD_HEADER_SIZE]);

/* *header is written only when SHARD_PARSED is returned. */
enum shard_parse shard_header_decode(struct shard_header *header,
                                     const uint8_t in[SHARD_HEADER_SIZE]);

/* Returns one line of English for a parse result. */
const char *shard_parse_text(enum shard_parse result);

/* Corrects the checksum of a header.  It works for other versions, too. */
void shard_header_seal(uint8_t header[SHARD_HEADER_SIZE]);

/* Flaws with which a shard is still usable. */
#define SHARD_FLAW_HEADER 1u  /* the trailer is used instead of the header */
#define SHARD_FLAW_TRAILER 2u /* damaged, or different from the header */
#define SHARD_FLAW_SHORT 4u
#define SHARD_FLAW_LONG 8u

/*
 * Judges a shard file by its size, its first and its last 512 bytes (which overlap in a file of
 * less than 1024 bytes).  A file of less than 512 bytes has no magic.  On SHARD_PARSED, *header
 * and *flaws are filled in.  Otherwise the result is the reason for the header, or for the
 * trailer if only the trailer has the magic.
 */
enum shard_parse shard_examine(uint64_t size, const uint8_t head[SHARD_HEADER_SIZE],
                               const uint8_t tail[SHARD_HEADER_SIZE],
                               struct shard_header *header, unsigned *flaws);

/* Returns whether two headers describe the same set.  The index is not compared. */
bool shard_same_set(const struct shard_header *a, const struct shard_header *b);

/* Returns whether a code by this matrix xors packets.  It must not be a custom matrix. */
static inline bool shard_has_packets(enum pxr_matrix matrix)
{
    return matrix > PXR_CUSTOM && matrix < PXR_CUSTOM_BITS;
}

/* Returns whether a code by this matrix may consist of words of 16 or 32 bits. */
static inline bool shard_has_words(enum pxr_matrix matrix)
{
    return matrix == PXR_JERASURE_VAN || matrix == PXR_JERASURE_R6;
}

/* Returns the unit of the code in bytes; every cell is a multiple of it.  It is 1, a word,
   whose w is a multiple of 8, or w packets. */
uint64_t shard_unit(const struct shard_header *header);

/* Geometry.  Stripes are numbered from 0. */
uint64_t shard_stripe_size(const struct shard_header *header);
uint64_t shard_stripes(const struct shard_header *header);
uint64_t shard_stripe_bytes(const struct shard_header *header, uint64_t stripe);
uint32_t shard_cell_length(const struct shard_header *header, uint64_t stripe);
uint64_t shard_record_offset(const struct shard_header *header, uint64_t stripe);
uint64_t shard_cells_size(const struct shard_header *header); /* of all cells of a shard */
uint64_t shard_file_size(const struct shard_header *header);

/* Returns the length of the cells of a stripe that has this many bytes of the file. */
uint32_t shard_cell_for(const struct shard_header *header, uint64_t stripe_bytes);

/* Returns the number of stripes whose records begin within the first `size` bytes of a shard.
 */
uint64_t shard_stripes_within(const struct shard_header *header, uint64_t size);

/*
 * The checksum of a cell covers its bytes and its place.  A cell of another set, shard or
 * stripe does not pass.
 */
void shard_cell_seal(const struct shard_header *header, unsigned index, uint64_t stripe,
                     const uint8_t *cell, size_t length, uint8_t check[SHARD_CHECK_SIZE]);
bool shard_cell_intact(const struct shard_header *header, unsigned index, uint64_t stripe,
                       const uint8_t *cell, size_t length,
                       const uint8_t check[SHARD_CHECK_SIZE]);

/*
 * Returns whether a file may be created under this name: one component, not "." or "..", of at
 * most SHARD_NAME_MAX bytes, without control characters.
 */
bool shard_name_is_safe(const char *name);

/* Writes the name with '?' for control characters, which could control a terminal. */
#define SHARD_NAME_TEXT_SIZE (SHARD_NAME_MAX + 1)
void shard_name_text(const struct shard_header *header, char out[SHARD_NAME_TEXT_SIZE]);

/* Writes "NAME.003.pxr". */
#define SHARD_FILE_NAME_SIZE (SHARD_NAME_MAX + 16)
void shard_file_name(const struct shard_header *header, unsigned index,
                     char out[SHARD_FILE_NAME_SIZE]);

/* Writes the set id in 32 hexadecimal digits. */
#define SHARD_ID_TEXT_SIZE (2 * SHARD_ID_SIZE + 1)
void shard_id_text(const struct shard_header *header, char out[SHARD_ID_TEXT_SIZE]);

/* Returns whether the set id begins with these digits, which may be NULL for any set. */
bool shard_is_of_set(const struct shard_header *header, const char *digits);

#endif
