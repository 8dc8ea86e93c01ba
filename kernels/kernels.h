/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operations that every instruction set provides.  The dot product with several outputs
 * encodes, decodes and computes RAID parity.  Multiplication by constants (mad: multiply and
 * add) updates.  Plain xor is a dot product whose coefficients are all one.  There are also
 * checks, which compare the results of a dot product, and Adler-32.
 */
#ifndef PXR_KERNELS_H
#define PXR_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gf256.h"
#include "inline.h"

/* The most output rows that one pass over the sources computes. */
#define PXR_MAX_ROWS 6

/* The levels of structured passes, and the number of cosets of outputs that passes of these
   levels have.  Other numbers would never be the cheapest: one coset of 2 has too few rows to
   gain, and one of 8 costs more than two of 4. */
#define PXR_PASS_LEVELS 3
#define PXR_MAX_COSETS 4
#define PXR_LEAST_COSETS_OF(levels) ((levels) == 2 ? 1 : 2)
#define PXR_MOST_COSETS_OF(levels) (PXR_MAX_COSETS + 1 - (levels))
/* The fewest levels of transforms by themselves.  PXR_MAX_LEVELS is the most. */
#define PXR_WIDE_LEVELS 3

/* The rows that are cheaper to compute than by multiplication.  They come first in a pass. */
enum pxr_special {
    PXR_SPECIAL_NONE, /* general rows only */
    PXR_SPECIAL_P,    /* first output: all coefficients 1, a plain xor */
    PXR_SPECIAL_PQ,   /* second output: coefficient 2^j, by Horner's rule */
    PXR_SPECIALS
};

/* The forms of a coefficient c.  Each form holds the products of c with all bytes. */
enum pxr_form {
    PXR_TABLES,   /* PXR_TABLE bytes: gf256.h, pxr_nibble[c] */
    PXR_MATRICES, /* 8 bytes: gf256.h, pxr_affine[c] */
    PXR_FORMS
};

/* How a pass does its work, apart from what it computes. */
enum pxr_flags {
    PXR_STREAM = 1,     /* dot: write the outputs around the caches */
    PXR_ACCUMULATE = 2, /* mad: add to the outputs; for dot see pxr_dot_fn */
    /* For a dot product of P and Q alone, where c and d are the coefficients of the first two
       tables: */
    PXR_SHIFT = 4, /* Q is multiplied by c before anything is added to it */
    PXR_MIX = 8,   /* afterwards Q is replaced by c*P + d*Q, */
    PXR_FOLD = 16, /* and then P by P + Q */

    PXR_DOWNWARDS = 32,    /* visit sources from the last to the first, in small blocks */
    PXR_SMALL_BLOCKS = 64, /* use blocks of two vectors where the set's own are larger */
    PXR_BY_MATRIX = 128    /* not passed to kernels: code by the matrix, not its structure */
};

/* In the bits above: how many cache lines of 64 bytes ahead of its use a source is prefetched,
   and an output. 0 means no prefetching. */
#define PXR_AHEAD_SOURCES(lines) ((uint32_t)(lines) << 8)
#define PXR_AHEAD_OUTPUTS(lines) ((uint32_t)(lines) << 16)
#define PXR_SOURCE_LINES(flags) ((flags) >> 8 & 0xff)
#define PXR_OUTPUT_LINES(flags) ((flags) >> 16 & 0xff)
#define PXR_AHEAD_L2 (UINT32_C(1) << 29) /* sources are prefetched into L2, not into L1 */
#define PXR_AHEAD (PXR_AHEAD_SOURCES(0xff) | PXR_AHEAD_OUTPUTS(0xff) | PXR_AHEAD_L2)

/* In the bits above these, not passed to kernels: how many sources a group has at most
   (groups.h). 0 means that there are no groups. */
#define PXR_IN_GROUPS(sources) ((uint32_t)(sources) << 24)
#define PXR_GROUP_SOURCES(flags) ((flags) >> 24 & 0x1f)
#define PXR_MOST_OF_GROUP 16

/* Changes that a dot product makes to its sums before it writes them. */
#define PXR_CHANGES (PXR_ACCUMULATE | PXR_SHIFT | PXR_MIX | PXR_FOLD)

/*
 * One pass: for every byte i < len
 *     dst[s+g][i] = sum over j < k of  c(g, j) * src[j][i]
 * where s is the number of special rows, which come first in dst. c(g, j) is coefficient g*k +
 * j at `rows`: the general rows are stored one after the other, in the form that the set's
 * `form` names.  With PXR_ACCUMULATE dst has twice as many entries: output r is added to
 * dst[outputs + r] before it is written.  That may be dst[r] itself, or NULL, and then nothing
 * is added.  In a pass of P and Q alone, a source that is NULL stands for zeros.  Any len, k (k
 * = 0 gives zeros) and alignment is allowed.  An output may be the same buffer as a source, but
 * must not overlap it partly.
 */
typedef void pxr_dot_fn(size_t len, unsigned k, const uint8_t *rows, const uint8_t *const *src,
                        uint8_t *const *dst, uint32_t flags);

/*
 * A pass of general rows without any flag, over the `len` bytes from pos on.  Short calls, and
 * the ends of long ones, are such passes.  When a pointer to a source or an output is NULL,
 * nothing is written and 1 is returned, else 0; with len = 0 this does not hold.  The result is
 * an int, so that a function that returns a status can end in a jump to the pass.
 */
typedef int pxr_plain_fn(size_t len, unsigned k, const uint8_t *rows, const uint8_t *const *src,
                         uint8_t *const *dst, size_t pos);

/*
 * What a structured pass works on (structure.h): `groups` (at least 1) of sources, of which the
 * first one is at point 0, followed by `direct` sources.  The outputs are `count` lanes of its
 * cosets, starting with lane `first`.
 */
struct pxr_cosets {
    uint16_t groups, direct, first, count;
};

/*
 * The sums of a dot product, computed with fewer products.  The constants are in the form that
 * the set's `form` names: for each group its twiddles and its coefficient for each coset, for
 * each coset its twiddles, and for each direct source its coefficient for each lane.  Any
 * alignment is allowed, and an output may be the same buffer as a source.  The flags are those
 * of dot, without PXR_CHANGES.  Only whole blocks are done: the function returns how many bytes
 * they cover.
 */
typedef size_t pxr_structured_fn(size_t len, struct pxr_cosets shape, const uint8_t *constants,
                                 const uint8_t *const *src, uint8_t *const *dst,
                                 uint32_t flags);

/*
 * The transform T or F of 2^levels lanes (structure.h), by the twiddles of their coset.  These
 * are in the form that the set's `form` names.  Any len and alignment is allowed, and dst may
 * be src.
 */
typedef void pxr_transform_fn(size_t len, const uint8_t *twiddles, const uint8_t *const *src,
                              uint8_t *const *dst);
enum pxr_direction { PXR_TRANSFORM_IN, PXR_TRANSFORM_OUT, PXR_DIRECTIONS };

/* More arguments of mad.  The tables of its rows are k tables apart. */
struct pxr_mad_mode {
    uint32_t k, flags;
};

/*
 * dst[s+g][i] = c(g) * src[i], or += with PXR_ACCUMULATE. c(g) is the coefficient of the nibble
 * table at tables + g*k*PXR_TABLE.  The special row comes first, has no table, and its
 * coefficient is one.  When old is not NULL, the products of src[i] + old[i] are added to the
 * outputs.  Any len and alignment is allowed.  With a single output, that output may be the
 * source itself.  When an output is NULL, nothing is written.
 */
typedef void pxr_mad_fn(size_t len, struct pxr_mad_mode mode, const uint8_t *tables,
                        const uint8_t *src, const uint8_t *old, uint8_t *const *dst);

/*
 * Mad of general rows with only PXR_ACCUMULATE, and without old: short updates are of this
 * kind.  The tables are those of all k sources.  The arguments are in the order of
 * ec_encode_data_update(), which is why `rows` is among them: its call becomes this one by a
 * jump.
 */
typedef void pxr_add_fn(size_t len, unsigned k, unsigned rows, unsigned index,
                        const uint8_t *tables, const uint8_t *src, uint8_t *const *dst);

/* Short passes of one row: a plain pass of at least one byte and one source, and an update of
   one output, whose arguments are in the order of gf_vect_mad().  When a pointer is NULL,
   nothing is written. */
typedef void pxr_plain_one_fn(size_t len, unsigned k, const uint8_t *tables,
                              const uint8_t *const *src, uint8_t *dst);
typedef void pxr_add_one_fn(size_t len, unsigned k, unsigned index, const uint8_t *tables,
                            const uint8_t *src, uint8_t *dst);

/*
 * Checks whether dst[] holds the result of the pass of P, or of P and Q, over k sources.
 * Returns the offset of the first block of at most `step` bytes that differs, or len.  P of no
 * source is zero.
 */
typedef size_t pxr_check_fn(size_t len, unsigned k, const uint8_t *const *src,
                            uint8_t *const *dst, uint32_t flags);

/* Split words of 2 or of 4 bytes into planes, one for each byte of a word, `stride` bytes
   apart; and join them again. */
typedef void pxr_split_fn(size_t words, const uint8_t *src, uint8_t *planes, size_t stride);
typedef void pxr_join_fn(size_t words, const uint8_t *planes, size_t stride, uint8_t *dst);

/* The lengths of words that kernels multiply in registers. */
enum pxr_word_length { PXR_WORDS_16, PXR_WORDS_32, PXR_WORDS_64, PXR_WORD_LENGTHS };
/* The most rows of words, besides a row of ones, that one pass computes in registers. */
#define PXR_MAX_WORD_ROWS 4

/*
 * One pass of words of n bytes, in registers, over the bytes from pos to end: for every word
 *     dst[s+g] = sum over j < k of  map (g, j) of src[j]
 * where s = 1 with PXR_SPECIAL_P, and then dst[0] is the sum of all sources.  A map of words is
 * n*n maps of bytes in the set's form.  The one of map (g, j) from byte i of a word to byte o
 * has the number ((g*n + o)*k + j)*n + i, with bytes counted as they lie in memory.  The flags
 * are PXR_ACCUMULATE, to add to what is in dst, and PXR_AHEAD_SOURCES.  Any alignment is
 * allowed, and with k = 1 and one output, dst[0] may be src[0].  Only whole blocks are done:
 * the function returns where they end.  Less than PXR_WORD_BLOCK bytes are left.
 */
typedef size_t pxr_words_fn(unsigned k, const uint8_t *maps, const uint8_t *const *src,
                            uint8_t *const *dst, size_t pos, size_t end, uint32_t flags);
#define PXR_WORD_BLOCK 512

/*
 * A 0/1 matrix in both forms that kernels take.  Its columns are packets that are read, and its
 * rows are packets that are written. packets.h makes it.
 */
struct pxr_packet_rows {
    unsigned columns, rows;
    unsigned ones; /* in the whole matrix */
    /* For each row, how many ones it has, and in which columns. */
    const uint16_t *lists;
    /* One word for each 8 rows and each 8 columns within them: byte n is row n, and its top bit
       is the first column.  Rows and columns beyond the matrix are zero. */
    const uint64_t *masks;
};

/* How many groups of 8 hold this many rows or columns. */
#define PXR_GROUPS_OF(n) (((size_t)(n) + 7) / 8)

/* What xors of packets work on: len bytes of every packet in each of `units` units.  Unit u
   begins u * stride bytes behind unit 0. */
struct pxr_packets {
    const struct pxr_packet_rows *rows;
    size_t len, units, stride;
    size_t run; /* how many bytes of an output direct lists compute before they compute the next
                   output; a block at least */
    const uint8_t *const *src; /* the packets of unit 0, by column */
    const uint8_t *const *old; /* NULL, or buffers to add to src, each of which may be NULL */
    uint8_t *const *dst;       /* by row; one that is NULL is not computed */
    bool add;                  /* add to what is in dst */
    bool reread;               /* the outputs are read again at once, and should stay in the
                                  caches */
    bool stream;               /* write around the caches; all vectors are whole and aligned */
    size_t ahead;              /* 0, or the packets come from memory, and the kernel prefetches
                                  this many bytes of each at a time; the first ones of the
                                  first unit have been loaded, and there is a row */
};

/* The ways to compute them; doc/bitmatrix.md describes these. */
enum pxr_packet_way {
    PXR_PACKETS_DIRECT,     /* by lists, from the packets themselves; `old` has to be NULL */
    PXR_PACKETS_GATHERED,   /* by lists, from copies in a room of PXR_PACKET_ROOM bytes */
    PXR_PACKETS_TRANSPOSED, /* by masks; only in sets that multiply by matrices */
    PXR_PACKET_WAYS
};
#define PXR_PACKET_ROOM ((size_t)20480)

/* dst[r] (+)= xor of src[c] + old[c] over the ones of row r.  Any len, number of units and
   alignment is allowed.  No output may overlap a source.  The number of columns is at least 1
   for lists from copies, and at most the number of vectors in the room; for masks it is at
   least 1. */
typedef void pxr_packets_fn(const struct pxr_packets *packets);

/* The largest prime below 2^16. */
#define PXR_ADLER_MODULUS 65521

/* The Adler-32 of len more bytes, after bytes whose checksum is `adler` (1 for no bytes). */
typedef uint32_t pxr_adler_fn(uint32_t adler, const uint8_t *p, size_t len);

/* Stands for a source that is NULL.  It is as long as the largest block of any set. */
#define PXR_ZEROS 1024
extern const uint8_t pxr_zeros[PXR_ZEROS];

struct pxr_kernels {
    const char *name;
    const char *needs;  /* `requires` in words, as systems name the features */
    uint32_t requires;  /* bits of cpu.h: the set is unusable without all of these */
    uint32_t prefers;   /* without all of these the set is used only when asked for */
    enum pxr_form form; /* of the coefficients that dot takes */
    size_t vector;      /* bytes of a vector, or an upper bound for them */
    size_t step;        /* bytes of the main loop's largest block, or an upper bound for them */
    /* [special][number of general rows]; NULL where callers must not use it. [NONE][1..6],
       [P][0..5] and [PQ][0] are always present. */
    pxr_dot_fn *dot[PXR_SPECIALS][PXR_MAX_ROWS + 1];
    /* [form][number of rows, 1..6]; PXR_TABLES and `form` are always present. */
    pxr_plain_fn *plain[PXR_FORMS][PXR_MAX_ROWS + 1];
    /* [special][number of general rows]: [NONE][1..6] and [P][1] */
    pxr_mad_fn *mad[PXR_SPECIAL_P + 1][PXR_MAX_ROWS + 1];
    pxr_add_fn *add[PXR_MAX_ROWS + 1]; /* [number of rows, 1..6] */
    pxr_structured_fn
        *structured[PXR_PASS_LEVELS + 1][PXR_MAX_COSETS + 1]; /* [levels][cosets] */
    /* [direction][levels], of 3 levels and of 4 */
    pxr_transform_fn *transform[PXR_DIRECTIONS][PXR_MAX_LEVELS + 1];
    unsigned transform_levels; /* of these two, the most for which there are enough registers */
    pxr_plain_one_fn *plain_one;
    pxr_add_one_fn *add_one;
    pxr_check_fn *check[PXR_SPECIALS]; /* [P] and [PQ] */
    pxr_split_fn *split[2];            /* into 2 planes, and into 4 */
    pxr_join_fn *join[2];
    /* [length][NONE or P][number of general rows, 1..4]; with 64 bits only [NONE][1].  NULL in
       some sets */
    pxr_words_fn *words[PXR_WORD_LENGTHS][PXR_SPECIAL_P + 1][PXR_MAX_WORD_ROWS + 1];
    /* The same for one general row, and words whose bytes are in runs: of each 16 words, 16
       first bytes, then 16 second bytes, and so on.  The bytes are counted in this order. */
    pxr_words_fn *runs[PXR_WORD_LENGTHS];
    /* The last one is NULL in sets that multiply by nibble tables. */
    pxr_packets_fn *packets[PXR_PACKET_WAYS];
    pxr_adler_fn *adler32;
};

#endif
