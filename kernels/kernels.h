/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operations that every instruction set provides.  The multi-output dot product encodes,
 * decodes and yields RAID parity, multiplication by constants (mad: multiply and add) updates;
 * plain xor is a dot product whose coefficients are all one.  Beside them checks, which are dot
 * products that are compared, and Adler-32.
 */
#ifndef PXR_KERNELS_H
#define PXR_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gf256.h"
#include "inline.h"

/* Most output rows that one pass over the sources computes. */
#define PXR_MAX_ROWS 6

/* Levels of structured passes, and how many cosets of outputs they have.  Others would never be
   the cheapest: one coset of 2 is fewer rows than gain, and one of 8 costs more than two of 4.
 */
#define PXR_PASS_LEVELS 3
#define PXR_MAX_COSETS 4
#define PXR_LEAST_COSETS_OF(levels) ((levels) == 2 ? 1 : 2)
#define PXR_MOST_COSETS_OF(levels) (PXR_MAX_COSETS + 1 - (levels))
/* Least levels of transforms by themselves; PXR_MAX_LEVELS are the most. */
#define PXR_WIDE_LEVELS 3

/* Rows with a cheaper way than multiplication, which come first in a pass. */
enum pxr_special {
    PXR_SPECIAL_NONE, /* general rows only */
    PXR_SPECIAL_P,    /* first output: all coefficients 1, a plain xor */
    PXR_SPECIAL_PQ,   /* second output: coefficient 2^j, by Horner's rule */
    PXR_SPECIALS
};

/* The forms of a coefficient c, the products of which with all bytes define it. */
enum pxr_form {
    PXR_TABLES,   /* PXR_TABLE bytes: gf256.h, pxr_nibble[c] */
    PXR_MATRICES, /* 8 bytes: gf256.h, pxr_affine[c] */
    PXR_FORMS
};

/* How a pass goes about it, beside what it computes. */
enum pxr_flags {
    PXR_STREAM = 1,     /* dot: write the outputs around the caches */
    PXR_ACCUMULATE = 2, /* mad: add to the outputs; dot: see there */
    /* dot of P and Q alone, c and d being the coefficients of the first two tables: */
    PXR_SHIFT = 4, /* Q is multiplied by c, before anything is added to it */
    PXR_MIX = 8,   /* afterwards Q is replaced by c*P + d*Q, */
    PXR_FOLD = 16, /* and then P by P + Q */

    PXR_DOWNWARDS = 32,    /* sources from the last to the first, in small blocks */
    PXR_SMALL_BLOCKS = 64, /* blocks of two vectors where the set's own are larger */
    PXR_BY_MATRIX = 128    /* no kernel is told: what has structure goes without it */
};

/* Beside them, how many cache lines of 64 bytes ahead of its use a source is prefetched, and
   an output; 0: not at all. */
#define PXR_AHEAD_SOURCES(lines) ((uint32_t)(lines) << 8)
#define PXR_AHEAD_OUTPUTS(lines) ((uint32_t)(lines) << 16)
#define PXR_SOURCE_LINES(flags) ((flags) >> 8 & 0xff)
#define PXR_OUTPUT_LINES(flags) ((flags) >> 16 & 0xff)
#define PXR_AHEAD (PXR_AHEAD_SOURCES(0xff) | PXR_AHEAD_OUTPUTS(0xff))

/* What a dot product does with its sums before it writes them. */
#define PXR_CHANGES (PXR_ACCUMULATE | PXR_SHIFT | PXR_MIX | PXR_FOLD)

/*
 * One pass: for every byte i < len
 *     dst[s+g][i] = sum over j < k of  c(g, j) * src[j][i]
 * where s is the number of special rows, which stand first in dst, and c(g, j) is
 * coefficient g*k + j of those at `rows`: the general rows lie one behind the other, in the
 * form that the set's `form` says.  With PXR_ACCUMULATE dst has twice
 * as many entries: what output r is added to before it is written follows at
 * dst[outputs + r], which may be dst[r] itself, or NULL: nothing is added.
 * In a pass of P and Q alone a source that is NULL stands for zeros.
 * Any len and k (k = 0 gives zeros), any alignment.  An output may be the same
 * buffer as a source; partial overlap is not allowed.
 */
typedef void pxr_dot_fn(size_t len, unsigned k, const uint8_t *rows, const uint8_t *const *src,
                        uint8_t *const *dst, uint32_t flags);

/*
 * A pass of general rows without any flag, over the bytes from pos on, `len` of them: what
 * short calls are, and the end of long ones.  Where a pointer to a source or an output is NULL,
 * nothing is written, and true is returned, but for no bytes.
 */
typedef bool pxr_plain_fn(size_t len, unsigned k, const uint8_t *rows,
                          const uint8_t *const *src, uint8_t *const *dst, size_t pos);

/*
 * What a structured pass works on (structure.h): `groups` (1 or more) of sources, of which the
 * first one stands at point 0, and behind them `direct` sources.  Outputs are `count` lanes of
 * its cosets, from lane `first` on.
 */
struct pxr_cosets {
    uint16_t groups, direct, first, count;
};

/*
 * The sums of a dot product, with fewer products.  The constants are in the form that the
 * set's `form` says: for each group its twiddles and its coefficient for each coset, for each
 * coset its twiddles, and for each direct source its coefficient for each lane.
 * Any alignment; an output may be the same buffer as a source.  Flags as for dot, but none of
 * PXR_CHANGES.  Whole blocks alone are done: returns how many bytes they are.
 */
typedef size_t pxr_structured_fn(size_t len, struct pxr_cosets shape, const uint8_t *constants,
                                 const uint8_t *const *src, uint8_t *const *dst,
                                 uint32_t flags);

/*
 * T or F of 2^levels lanes (structure.h), by the twiddles of their coset, which are in the
 * form that the set's `form` says.  Any len and alignment; dst may be src.
 */
typedef void pxr_transform_fn(size_t len, const uint8_t *twiddles, const uint8_t *const *src,
                              uint8_t *const *dst);
enum pxr_direction { PXR_TRANSFORM_IN, PXR_TRANSFORM_OUT, PXR_DIRECTIONS };

/* What mad takes besides: the tables of its rows lie k tables apart. */
struct pxr_mad_mode {
    uint32_t k, flags;
};

/*
 * dst[s+g][i] = c(g) * src[i], or += with PXR_ACCUMULATE; c(g) is the coefficient of the
 * nibble table at tables + g*k*PXR_TABLE, and the coefficient of a special row, which stands
 * first and has no table, is one.  Where old is not NULL, the products of src[i] + old[i] are
 * added to the outputs.  Any len and alignment.  One output alone may be the source itself.
 * Where an output is NULL, nothing is written.
 */
typedef void pxr_mad_fn(size_t len, struct pxr_mad_mode mode, const uint8_t *tables,
                        const uint8_t *src, const uint8_t *old, uint8_t *const *dst);

/*
 * Mad of general rows with PXR_ACCUMULATE alone, and no old: what short updates are.  The
 * tables are those of all k sources, and the arguments stand where ec_encode_data_update() has
 * them, `rows` among them, so that its call becomes this one by a jump.
 */
typedef void pxr_add_fn(size_t len, unsigned k, unsigned rows, unsigned index,
                        const uint8_t *tables, const uint8_t *src, uint8_t *const *dst);

/* Short passes of one row: a plain pass of at least one byte and one source, and an update of
   one output, with its arguments where gf_vect_mad() has them.  Where a pointer is NULL,
   nothing is written. */
typedef void pxr_plain_one_fn(size_t len, unsigned k, const uint8_t *tables,
                              const uint8_t *const *src, uint8_t *dst);
typedef void pxr_add_one_fn(size_t len, unsigned k, unsigned index, const uint8_t *tables,
                            const uint8_t *src, uint8_t *dst);

/*
 * Whether dst[] holds what the pass of P, or of P and Q, over k sources gives: the
 * offset of the first block of at most `step` bytes in which it does not, or len.
 * P of no source is zero.
 */
typedef size_t pxr_check_fn(size_t len, unsigned k, const uint8_t *const *src,
                            uint8_t *const *dst, uint32_t flags);

/* Words of 2 or of 4 bytes into planes, one for each byte, `stride` bytes apart, and back. */
typedef void pxr_split_fn(size_t words, const uint8_t *src, uint8_t *planes, size_t stride);
typedef void pxr_join_fn(size_t words, const uint8_t *planes, size_t stride, uint8_t *dst);
/*
 * A 0/1 matrix whose columns are packets that are read, and whose rows are packets that are
 * written, in both forms that kernels take.  packets.h makes it.
 */
struct pxr_packet_rows {
    unsigned columns, rows;
    unsigned ones; /* in all of it */
    /* Row by row, how many ones it has, and in which columns. */
    const uint16_t *lists;
    /* For each 8 rows and, within them, each 8 columns: byte n is row n, its top bit the first
       column.  Rows and columns beyond the matrix are zero. */
    const uint64_t *masks;
};

/* How many groups of 8 that many rows or columns are. */
#define PXR_GROUPS_OF(n) (((size_t)(n) + 7) / 8)

/* What xors of packets work on: len bytes of every packet in each of `units` units, of which
   the first one has the number `first`.  Unit u begins u * stride bytes behind unit 0. */
struct pxr_packets {
    const struct pxr_packet_rows *rows;
    size_t len, first, units, stride;
    const uint8_t *const *src; /* the packets of unit 0, by column */
    const uint8_t *const *old; /* NULL; or what is added to them, of which any may be NULL */
    uint8_t *const *dst;       /* by row; one that is NULL is not computed */
    bool add;                  /* to what is in dst */
    bool reread;               /* the outputs are read at once, and stay in the caches */
    bool stream;               /* write whole vectors, all aligned, around the caches */
};

/* The ways to compute them, of which doc/bitmatrix.md tells. */
enum pxr_packet_way {
    PXR_PACKETS_DIRECT,     /* by lists, from where the packets are; `old` has to be NULL */
    PXR_PACKETS_GATHERED,   /* by lists, from copies in a room of PXR_PACKET_ROOM bytes */
    PXR_PACKETS_TRANSPOSED, /* by masks; where the set multiplies by matrices */
    PXR_PACKET_WAYS
};
#define PXR_PACKET_ROOM ((size_t)20480)

/* dst[r] (+)= xor of src[c] + old[c] over the ones of row r.  Any len, units and alignment; no
   output may overlap a source.  Lists from copies take 1 to as many columns as the room has
   vectors, and masks take at least 1. */
typedef void pxr_packets_fn(const struct pxr_packets *packets);

/* The largest prime below 2^16. */
#define PXR_ADLER_MODULUS 65521

/* The Adler-32 of len more bytes after those that `adler` is of (1 for none). */
typedef uint32_t pxr_adler_fn(uint32_t adler, const uint8_t *p, size_t len);

/* What stands for a source that is NULL: as much as the largest block of any set. */
#define PXR_ZEROS 1024
extern const uint8_t pxr_zeros[PXR_ZEROS];

struct pxr_kernels {
    const char *name;
    const char *needs;  /* the same in words, as systems name the features */
    uint32_t requires;  /* of cpu.h: without all of these it is unusable */
    uint32_t prefers;   /* without all of these it is used only when asked for */
    enum pxr_form form; /* of the coefficients that dot takes */
    size_t vector;      /* bytes of a vector, or a bound for them */
    size_t step;        /* bytes of the main loop's largest block, or a bound for it */
    /* [special][number of general rows]; NULL where the plan is not to use it.
       [NONE][1..6], [P][0..5] and [PQ][0] are always present. */
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
    unsigned transform_levels; /* of the two, what the registers are enough for */
    pxr_plain_one_fn *plain_one;
    pxr_add_one_fn *add_one;
    pxr_check_fn *check[PXR_SPECIALS]; /* [P] and [PQ] */
    pxr_split_fn *split[2];            /* into 2 planes, and into 4 */
    pxr_join_fn *join[2];
    /* The last one is NULL in sets of nibble tables. */
    pxr_packets_fn *packets[PXR_PACKET_WAYS];
    pxr_adler_fn *adler32;
};

#endif
