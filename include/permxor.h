/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor.h - erasure codes over GF(2^4), GF(2^8), GF(2^16) and GF(2^32), and of packets.
 *
 * A code turns k shards of data into m shards of parity.  With a matrix that is MDS, any k of
 * these k + m shards are enough to compute the others.
 *
 *     pxr_code *code;
 *     struct pxr_error why;
 *     if (pxr_code_create(&code, 10, 4, PXR_ISAL_CAUCHY, &why) != PXR_OK)
 *         give_up(why.text);
 *     int status = pxr_encode(code, len, data, parity);
 *     ...
 *     status = pxr_reconstruct(code, len, have, want);
 *     if (status != PXR_OK)
 *         give_up(pxr_strerror(status));
 *     pxr_code_free(code);
 *
 * permxor_raid.h is the header for RAID-5 and RAID-6; it includes this one, and it also
 * declares comparing, looking for zeros and Adler-32.  ISA-L's functions for all of this are
 * in another library, the drop-in libisal.so.2; libpermxor defines the names of these two
 * headers and no others.
 *
 * Terms.  A shard is a buffer of len bytes.  Shards 0 to k-1 are data, and shards k to k+m-1
 * are parity.  Parity shard k + r is the dot product of the data with row r of the matrix,
 *
 *     shard[k + r][i] = sum over j < k of  coefficient[r*k + j] * shard[j][i]
 *
 * in GF(2^8) = GF(2)[x]/(x^8+x^4+x^3+x^2+1), that is polynomial 0x11d and generator 2.
 *
 * Codes of packets (pxr_code_create_bits) multiply nothing.  Their shards consist of units of w
 * packets, of packetsize bytes each, and a parity packet is the xor of those packets of the
 * data, of the same unit, that a matrix of zeros and ones names.  Every function below takes
 * such codes as well.  Lengths are then multiples of the unit, w * packetsize bytes, and
 * PXR_EINVAL is returned for others.
 *
 * Codes of words (pxr_code_create_words) are as those of bytes, with words of 4, 16 or 32 bits
 * in the place of bytes.  Every function takes them, too, and lengths are multiples of a word,
 * or with 4 bits any number of bytes.
 *
 * What holds for every function below, unless its comment says something else:
 *   lengths    Lengths are in bytes.  Any length is allowed, but packets and words have to
 *              be whole units.  With length 0 nothing is done, and the status is PXR_OK.
 *   alignment  Buffers may have any alignment.  Calls are a little faster when all buffers are
 *              aligned to 64 bytes.
 *   aliasing   An output may overlap neither an input nor another output.
 *   errors     A call returns its status, and PXR_OK is 0.  When the status is another one,
 *              no output byte has been written, unless the comment says so.
 *   structures A structure that a call fills in is given together with its size, as in
 *              pxr_tune_info(&info, sizeof info).  A later release may add fields at the end
 *              of it; the call fills in those fields that your size has room for, and writes
 *              zeros to fields that it does not know.
 *   threads    Every function may be called from any thread at any time.  A pxr_code and a
 *              pxr_plan never change, so threads may share them without a lock;
 *              pxr_code_free() and pxr_plan_free() must be the last calls on them.
 *   locks      This library takes no lock, so no call waits for another thread.  A call that
 *              allocates may wait in malloc().
 *   fork       A forked child may use the codes and plans of its parent, whatever the parent's
 *              other threads were doing, and each process frees its own.  Calls that allocate
 *              need a malloc() that works in the child, as glibc, musl and the BSDs have.
 *   signals    pxr_encode, pxr_update, pxr_verify, pxr_plan_apply, their forms for shards in
 *              pieces and the functions of permxor_raid.h do not allocate.  They are
 *              async-signal-safe once a kernel set has been chosen (see pxr_kernel_select).
 *              pxr_reconstruct, pxr_reconstruct_iov and pxr_locate are not: they allocate
 *              when they see a pattern of losses for the first time.
 *   leaving    Once a kernel set has been chosen, no call that codes is a cancellation point.
 *              A thread may leave an async-signal-safe call by asynchronous cancellation or
 *              siglongjmp(), for example because a mapped file turned out to end within a
 *              shard.  The call's outputs are undefined then, and nothing else is.  A thread
 *              that leaves pxr_reconstruct while it codes also keeps one plan in the code
 *              until pxr_code_free.
 *   clock      On x86-64 long calls may read the time stamp counter (doc/machine.md:
 *              look-from), unless reading it was an error when the library was loaded.  A
 *              process that forbids it later (Linux: PR_SET_TSC, seccomp's strict mode) has to
 *              call pxr_tune_apply("look-from = 1024M") before.
 *   stack      pxr_verify, pxr_locate and the functions for shards in pieces need at most
 *              64 KiB of stack, and every other function at most 48 KiB; unit/test_stack.c
 *              measures it.
 */
#ifndef PERMXOR_H
#define PERMXOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library's own files are compiled with hidden symbols; these are not. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* The status of such a function tells whether its outputs are valid, so compilers warn of a
   call that ignores it. */
#ifdef __GNUC__
#define PXR_CHECKED __attribute__((warn_unused_result))
#else
#define PXR_CHECKED
#endif

#define PXR_VERSION_MAJOR 0
#define PXR_VERSION_MINOR 1
#define PXR_VERSION_PATCH 0

/* The most shards that a code of bytes or of packets has.  Cauchy and Vandermonde matrices need
   a point of the field for each shard, and there are 256. */
#define PXR_MAX_SHARDS 256

/*
 * The most shards that a code of words of 16 or 32 bits has.  The fields have points for far
 * more.  The bound is what calls can keep on the stack, the addresses of all shards, and what a
 * code keeps of its matrix: for each of the m*k coefficients 320 bytes with 16 bits and 1280
 * with 32, which for 512+512 are 84 MB and 336 MB.
 */
#define PXR_MAX_WORD_SHARDS 1024

/*
 * The addresses of shards that a call reads and does not write.  You can give a `uint8_t
 * *shards[]` without a cast.  In C++ you can give a `const uint8_t *shards[]` as well; C does
 * not convert the one to the other, so there you cast such an array to pxr_inputs.
 */
#ifdef __cplusplus
typedef const uint8_t *const *pxr_inputs;
#else
typedef uint8_t *const *pxr_inputs;
#endif

/* What calls return. */
enum pxr_status {
    PXR_OK = 0,
    PXR_EINVAL = 1,     /* an argument is NULL or out of range */
    PXR_ENOMEM = 2,     /* there is not enough memory */
    PXR_ENOTMDS = 3,    /* some k of the k+m shards would not be enough */
    PXR_EUNPROVEN = 4,  /* the custom matrix is too large to be proved MDS */
    PXR_ETOOFEW = 5,    /* too few shards or blocks survive */
    PXR_ESINGULAR = 6,  /* the survivors do not determine the data; only a code
                           made with PXR_ASSUME_MDS can get this */
    PXR_EMISMATCH = 7,  /* parity and data disagree */
    PXR_EAMBIGUOUS = 8, /* they disagree, and no single shard explains it */
    PXR_EUNUSABLE = 9   /* this CPU cannot run the kernel set */
};

/* Returns one line of English for a status.  It is never NULL, and you never free it. */
const char *pxr_strerror(int status);

/* Returns the version of the library that is running, as "major.minor.patch". */
const char *pxr_version(void);

/* ------------------------------------------------------------ matrices -- */

/*
 * The coding matrices.  Each gives the same bytes as the program that it is named for.
 * r is the row, 0 to m-1, and j the column, 0 to k-1.
 */
enum pxr_matrix {
    /* ISA-L's gf_gen_rs_matrix: 2^(r*j).  It is MDS only for m <= 3 with any k, m = 4 with
       k <= 21, m = 5 with k <= 5, m <= 21 with k = 4, and any m with k <= 3. */
    PXR_ISAL_VAND = 0,
    /* ISA-L's gf_gen_cauchy1_matrix and HDFS's RS: 1/((k+r) ^ j).  It is always MDS. */
    PXR_ISAL_CAUCHY = 1,
    /* jerasure's reed_sol_van with w = 8, or with the w of pxr_code_create_words(): an extended
       Vandermonde matrix made systematic, its first row and first column scaled to ones.  It is
       always MDS. */
    PXR_JERASURE_VAN = 2,
    /* jerasure's reed_sol_r6_op with these w, and RAID-6: a row of ones, and 2^j.  m is 2. */
    PXR_JERASURE_R6 = 3,
    /* klauspost/reedsolomon's default: the Vandermonde matrix i^j of k+m rows, times the
       inverse of its top square.  It is always MDS. */
    PXR_KLAUSPOST_VAND = 4,
    /* Rows that the caller gives, by pxr_code_create_custom(). */
    PXR_CUSTOM = 5,

    /* The others are matrices of packets, for pxr_code_create_bits().  Their bytes are those of
       jerasure's technique of that name, with its w and packetsize. */

    /* 1/(r ^ (m+j)) in GF(2^w), each element as the w by w matrix of multiplying by it.  It is
       always MDS; k+m is at most 2^w. */
    PXR_JERASURE_CAUCHY_ORIG = 6,
    /* A matrix that is made from it, with fewer ones; for m = 2 and w from 2 to 11 those with
       the fewest, where k is at most 2^w - 1. */
    PXR_JERASURE_CAUCHY_GOOD = 7,
    /* Plank's Liberation codes: m = 2, k <= w; MDS where w is a prime number above 2. */
    PXR_JERASURE_LIBERATION = 8,
    /* Blaum's and Roth's codes: m = 2, k <= w; MDS where w+1 is a prime number above 2.  Ceph's
       default is w = 7, which is MDS for k = 2 alone: it takes PXR_ASSUME_MDS. */
    PXR_JERASURE_BLAUM_ROTH = 9,
    /* Plank's Liber8tion code: m = 2, w = 8, k <= 8.  It is always MDS. */
    PXR_JERASURE_LIBER8TION = 10,
    /* Bits that the caller gives, by pxr_code_create_bits_custom(). */
    PXR_CUSTOM_BITS = 11
};

/* Returns "isal_vand", "isal_cauchy" and so on, or NULL for a value that is no matrix. */
const char *pxr_matrix_name(enum pxr_matrix matrix);

/* The reverse: writes the matrix of this name to *matrix.  Returns PXR_EINVAL for an unknown
   name, and does not write then. */
int pxr_matrix_parse(const char *name, enum pxr_matrix *matrix) PXR_CHECKED;

/* ---------------------------------------------------------------- codes -- */

typedef struct pxr_code pxr_code;

/* Why a call failed, in a sentence that names the values concerned. */
struct pxr_error {
    char text[192];
};

/*
 * Makes a code of k data and m parity shards.  k and m are at least 1, and k + m at most
 * PXR_MAX_SHARDS.  When the call fails, *code is NULL and *why, which may be NULL, holds a
 * message:
 *   PXR_EINVAL   k, m or matrix is out of range, or matrix is PXR_CUSTOM
 *   PXR_ENOTMDS  the matrix is not MDS at this size
 *   PXR_ENOMEM
 */
int pxr_code_create(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                    struct pxr_error *why) PXR_CHECKED;

/*
 * Makes a code from m*k coefficients, row by row: those of the parity rows alone.  They are
 * copied.  The call proves that the matrix is MDS by looking at each of its square submatrices,
 * which takes C(k+m, k) steps; where these are more than some millions, it does not try, and
 * returns PXR_EUNPROVEN.  With the flag PXR_ASSUME_MDS it proves nothing, and a
 * reconstruction may return PXR_ESINGULAR later.
 *
 *     const uint8_t rows[] = {1, 1, 1, 1,   1, 2, 4, 8};
 *     int status = pxr_code_create_custom(&code, 4, 2, rows, 0, &why);
 *
 *   PXR_EINVAL, PXR_ENOTMDS, PXR_EUNPROVEN, PXR_ENOMEM, as above
 */
#define PXR_ASSUME_MDS 1u
int pxr_code_create_custom(pxr_code **code, unsigned k, unsigned m, const uint8_t *rows,
                           unsigned flags, struct pxr_error *why) PXR_CHECKED;

/*
 * Makes a code of packets: a unit of each shard is w packets of packetsize bytes, one behind
 * the other.  w is 1 to 257, and to 32 for cauchy_orig and cauchy_good; w * (k+m) is at most
 * 2048.  packetsize is at least 1, and multiples of 64 are the fastest.  With the flag
 * PXR_ASSUME_MDS a matrix is also taken where it is known not to be MDS, and a reconstruction
 * may return PXR_ESINGULAR later.
 *
 *     int status = pxr_code_create_bits(&code, 10, 4, PXR_JERASURE_CAUCHY_GOOD, 8, 2048, 0,
 *                                       &why);
 *
 *   PXR_EINVAL   an argument is out of range, or matrix is not one of packets, or is
 *                PXR_CUSTOM_BITS
 *   PXR_ENOTMDS  the matrix is not MDS with this w
 *   PXR_ENOMEM
 * doc/bitmatrix.md has the formulas.
 */
int pxr_code_create_bits(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                         unsigned w, size_t packetsize, unsigned flags,
                         struct pxr_error *why) PXR_CHECKED;

/*
 * Makes a code of packets from m*w rows of k*w entries each, row by row, all of them 0 or 1.
 * They are copied.  Row r*w + x says which packets packet x of parity shard k + r is the xor
 * of: those of the columns j*w + y, packet y of data shard j, in which it has a one.  The xor
 * of none is zeros.  The call proves that the matrix is MDS by trying each way to lose m
 * shards; where these are too many, it returns PXR_EUNPROVEN.  PXR_ASSUME_MDS is as above.
 *   PXR_EINVAL, PXR_ENOTMDS, PXR_EUNPROVEN, PXR_ENOMEM
 */
int pxr_code_create_bits_custom(pxr_code **code, unsigned k, unsigned m, unsigned w,
                                size_t packetsize, const uint8_t *rows, unsigned flags,
                                struct pxr_error *why) PXR_CHECKED;

/*
 * Makes a code whose elements are words of w = 4, 16 or 32 bits, in
 *     GF(2^4)  = GF(2)[x]/(x^4+x+1),
 *     GF(2^16) = GF(2)[x]/(x^16+x^12+x^3+x+1)  or
 *     GF(2^32) = GF(2)[x]/(x^32+x^22+x^2+x+1),
 * which are gf-complete's fields.  Words of 16 and 32 bits are in the byte order of the
 * machine, and the unit is a word, w / 8 bytes.  A byte has two words of 4 bits, one in each
 * nibble, and the unit is 1 byte.  k + m is at most PXR_MAX_WORD_SHARDS, and with w = 4 at most
 * 16, as many as that field has points.
 *
 * matrix is PXR_JERASURE_VAN or PXR_JERASURE_R6, and the bytes are those of jerasure's
 * technique with this w.  (Of w = 4 jerasure has the matrix alone, and gf-complete multiplies
 * by it.)  Both are always MDS.  Codes of bytes are faster; these are for shards that exist,
 * and for more shards than bytes can have.
 *
 * Codes of many shards take memory (see PXR_MAX_WORD_SHARDS), and so do their plans: for each
 * wanted shard and each of the k that are read, half of what a code has for a coefficient.  A
 * plan of more than 8 MiB is not kept by pxr_reconstruct(), so it is worked out in every call;
 * for such losses make a plan of your own.
 *
 *     int status = pxr_code_create_words(&code, 10, 4, PXR_JERASURE_VAN, 16, &why);
 *
 *   PXR_EINVAL  an argument is out of range, or matrix is another one
 *   PXR_ENOMEM
 */
int pxr_code_create_words(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                          unsigned w, struct pxr_error *why) PXR_CHECKED;

/* Frees a code.  NULL is allowed. */
void pxr_code_free(pxr_code *code);

/* What the code was made of.  The coefficients are m*k bytes, row by row; they are valid as
   long as the code.  Codes of packets and of words have none: NULL is
   returned. */
unsigned pxr_code_k(const pxr_code *code);
unsigned pxr_code_m(const pxr_code *code);
enum pxr_matrix pxr_code_matrix(const pxr_code *code);
const uint8_t *pxr_code_coefficients(const pxr_code *code);

/* The bits of an element, which is 8 where elements are bytes; the bytes of a packet, or 0
   where there are no packets; and the unit, which lengths are multiples of: w * packetsize, a
   word of w / 8 bytes, or 1 byte (also with w = 4). */
unsigned pxr_code_w(const pxr_code *code);
size_t pxr_code_packetsize(const pxr_code *code);
size_t pxr_code_unit(const pxr_code *code);

/* Writes the matrix of a code of packets to m*w * k*w bytes, in the form that
   pxr_code_create_bits_custom() takes.  Returns PXR_EINVAL for other codes, and when rows is
   NULL. */
int pxr_code_bits(const pxr_code *code, uint8_t *rows) PXR_CHECKED;

/* --------------------------------------------------------------- coding -- */

/*
 * Computes all m parity shards from the k data shards.  data has k pointers and parity has m;
 * none of them may be NULL.
 *   PXR_EINVAL  a pointer is NULL, or the length is not in whole units
 */
int pxr_encode(const pxr_code *code, size_t len, pxr_inputs data,
               uint8_t *const *parity) PXR_CHECKED;

/*
 * Rebuilds shards from others.  Both arrays have k+m pointers.
 *   have[i]  is shard i, or NULL where it is lost; at least k shards are needed
 *   want[i]  is where to write shard i, or NULL where you do not want it
 *
 *     uint8_t *have[6] = {NULL, d1, d2, d3, p0, p1}, *want[6] = {d0};
 *     int status = pxr_reconstruct(code, len, have, want);
 *
 * Where more than k shards are there, the call reads as few as it needs: first the data
 * shards, and then parity shards in order.  (With PXR_ASSUME_MDS, parity shards that are made
 * of fewer data shards come first.)  pxr_plan_reads() tells which ones.
 *   PXR_EINVAL     a pointer is NULL, or a shard is both there and wanted
 *   PXR_ETOOFEW    fewer than k shards are there
 *   PXR_ESINGULAR  those that are there do not determine the data
 *   PXR_ENOMEM
 *
 * The code keeps what it has worked out for a pattern of losses, so that later calls with the
 * same pattern neither invert a matrix nor allocate.  It keeps up to 1024 patterns and 8 MiB,
 * and needs 90 KB more from the first one on.  When there is no more room, a new pattern takes
 * the place of one that has not been used for long and that no call is using.
 */
int pxr_reconstruct(const pxr_code *code, size_t len, pxr_inputs have,
                    uint8_t *const *want) PXR_CHECKED;

/*
 * Brings the parity up to date after data shard `index` changed from old_data to new_data:
 *
 *     parity[r] ^= coefficient[r*k + index] * (old_data ^ new_data)
 *
 * (Of packets, the xor of those packets that the matrix names; a parity packet that none of
 * the changed shard's packets goes into is left alone.)
 * old_data may be NULL, which stands for zeros: then new_data is the difference itself, or the
 * first contents of a shard that was all zeros.  parity has m pointers; where one is NULL, that
 * parity shard is left as it is.  old_data and new_data may be the same buffer, and then
 * nothing changes.
 *   PXR_EINVAL  index is not below k, or code, new_data or parity is NULL
 */
int pxr_update(const pxr_code *code, size_t len, unsigned index, const uint8_t *old_data,
               const uint8_t *new_data, uint8_t *const *parity) PXR_CHECKED;

/*
 * Does the same after `count` data shards changed, in one pass over the parity.  index,
 * old_data and new_data have an entry for each changed shard; the indices are distinct, and
 * their order does not matter.  old_data, or any entry of it, may be NULL, which stands for
 * zeros.
 *   PXR_EINVAL  an index is not below k or is there twice, or a pointer is NULL
 */
int pxr_update_many(const pxr_code *code, size_t len, unsigned count, const unsigned *index,
                    pxr_inputs old_data, pxr_inputs new_data,
                    uint8_t *const *parity) PXR_CHECKED;

/*
 * Compares the parity with what the data would give.  shards has k+m pointers: all of the data
 * are needed, and a parity shard that is NULL is not looked at.  first may be NULL; otherwise
 * it has m entries, and first[r] becomes the offset of the first byte at which parity shard
 * k + r disagrees with the data, or len where it agrees or was not looked at.
 *   PXR_OK         all that was looked at agrees
 *   PXR_EMISMATCH  something disagrees
 *   PXR_EINVAL     code, shards or a data shard is NULL
 */
int pxr_verify(const pxr_code *code, size_t len, pxr_inputs shards, size_t *first) PXR_CHECKED;

/*
 * Finds the one shard that is wrong.  shards has k+m pointers, none of which may be NULL, and
 * m is at least 2.
 *   PXR_OK          all shards agree, and *index becomes k+m
 *   PXR_EMISMATCH   *index becomes the one shard that explains it: when its bytes change,
 *                   all agree, and no other single shard has this property
 *   PXR_EAMBIGUOUS  more than one shard is wrong, and *index becomes k+m (with a code that is
 *                   not MDS, two shards may also explain it equally well)
 *   PXR_EINVAL, PXR_ENOMEM
 * An MDS code with m >= 2 finds any one wrong shard.  With m = 2, two wrong shards may look
 * like a third one; each further parity shard makes this 255 times less likely for each
 * wrong byte, and 2^w - 1 times for each wrong word of w bits.  A code of packets that is not
 * MDS may return PXR_ESINGULAR, where a single shard does not follow from the others.
 */
int pxr_locate(const pxr_code *code, size_t len, pxr_inputs shards,
               unsigned *index) PXR_CHECKED;

/* ---------------------------------------------------------------- plans -- */

/*
 * A plan is how certain shards follow from certain others.  It is worked out once, and then
 * applied to any number of stripes:
 *
 *     pxr_plan *plan;
 *     const uint16_t *shards;
 *     if (pxr_plan_create(&plan, code, have, want, &why) != PXR_OK)
 *         give_up(why.text);
 *     for (unsigned i = 0, n = pxr_plan_reads(plan, &shards); i < n; i++)
 *         buffer[shards[i]] = read_shard(shards[i]);
 *     if (pxr_plan_apply(plan, len, buffer, rebuilt) != PXR_OK)
 *         give_up("a shard is missing");
 *     pxr_plan_free(plan);
 *
 * So you know which shards to read before you read any.  When these are there, applying the
 * plan cannot fail: it takes no lock, allocates nothing, and is async-signal-safe.
 * pxr_reconstruct() does the same in one call, with plans that the code keeps.
 *
 * A plan never changes, so any threads may apply it at the same time.  It does not refer to its
 * code, which you may free before.  It suits every kernel set, so it stays right after
 * pxr_kernel_select().
 */
typedef struct pxr_plan pxr_plan;

/*
 * Makes a plan.  have and want are k+m flags each, one for each shard; any value but 0 means
 * yes.  (They are flags because there need not be any buffers yet.)
 *   have[i]  shard i is there and may be read; at least k are, and the plan leaves out those
 *            that it does not need
 *   want[i]  shard i is to be rebuilt
 * When the call fails, *plan is NULL and *why, which may be NULL, holds a message:
 *   PXR_EINVAL     a pointer is NULL, or a shard is both there and wanted
 *   PXR_ETOOFEW    fewer than k shards are there
 *   PXR_ESINGULAR  those that are there do not determine the data
 *   PXR_ENOMEM
 */
int pxr_plan_create(pxr_plan **plan, const pxr_code *code, const uint8_t *have,
                    const uint8_t *want, struct pxr_error *why) PXR_CHECKED;

/* Frees a plan.  NULL is allowed. */
void pxr_plan_free(pxr_plan *plan);

/*
 * Returns how many shards the plan reads.  *shards becomes their numbers in ascending order,
 * valid as long as the plan; shards may be NULL.  With an MDS code and a lost data shard there
 * are k of them.  A shard on which no wanted shard depends is not among them: where a custom
 * matrix has local parity rows, a shard of one group is rebuilt from its group alone.
 */
unsigned pxr_plan_reads(const pxr_plan *plan, const uint16_t **shards);

/* Tells the same of the shards that the plan writes, which are those that you wanted. */
unsigned pxr_plan_writes(const pxr_plan *plan, const uint16_t **shards);

/*
 * Rebuilds the wanted shards of one stripe.  Both arrays have k+m entries, by shard number, as
 * in pxr_reconstruct(), but the call looks at these alone:
 *   have[i]  is shard i, for each one that the plan reads
 *   want[i]  is where to write shard i, for each one that the plan writes
 *   PXR_EINVAL  one of these, or an argument, is NULL
 */
int pxr_plan_apply(const pxr_plan *plan, size_t len, pxr_inputs have,
                   uint8_t *const *want) PXR_CHECKED;

/* ----------------------------------------------------- shards in pieces -- */

/*
 * A shard whose bytes lie in memory in pieces, one piece behind the other, as in a list of
 * buffers.
 *
 *     struct iovec pieces[] = {{header, 100}, {body, len - 100}};
 *     struct pxr_iov shard = {pieces, 2};
 *
 * The shard is the first len bytes of its iovcnt pieces.  Pieces of no bytes are passed over,
 * and what follows the first len bytes is not looked at.  The pieces of different shards need
 * not end at the same bytes.  A call works on as many bytes at a time as lie in one piece of
 * every shard, so for pieces of less than some 200 bytes it is cheaper to copy them into
 * memory that is in a cache.
 */
struct pxr_iov {
    const struct iovec *iov;
    unsigned iovcnt; /* 0: there is no shard, as NULL says elsewhere */
};

/*
 * Do what pxr_encode(), pxr_reconstruct() and pxr_plan_apply() do, for shards in pieces.  The
 * arrays have the same entries.  All pieces are looked at before anything is written.  Besides
 * the errors of those functions:
 *   PXR_EINVAL  the pieces of a shard hold less than len bytes, or the address of a piece that
 *               has bytes is NULL
 */
int pxr_encode_iov(const pxr_code *code, size_t len, const struct pxr_iov *data,
                   const struct pxr_iov *parity) PXR_CHECKED;
int pxr_reconstruct_iov(const pxr_code *code, size_t len, const struct pxr_iov *have,
                        const struct pxr_iov *want) PXR_CHECKED;
int pxr_plan_apply_iov(const pxr_plan *plan, size_t len, const struct pxr_iov *have,
                       const struct pxr_iov *want) PXR_CHECKED;

/* -------------------------------------------------------------- kernels -- */

/* One row of the registry of kernel sets. */
struct pxr_kernel_info {
    const char *name;  /* also the value that PERMXOR_KERNELS takes */
    const char *needs; /* the CPU features that it asks for, as "avx2 gfni" */
    int usable;        /* this CPU and operating system have them */
    int selected;      /* calls use this set */
};

/*
 * Tells row `index` of the registry, whose first row is the best set.
 *
 *     struct pxr_kernel_info row;
 *     for (unsigned i = 0; pxr_kernel_info(i, &row, sizeof row) == PXR_OK; i++)
 *         printf("%s\n", row.name);
 *
 *   PXR_EINVAL  there is no such row, or info is NULL
 */
int pxr_kernel_info(unsigned index, struct pxr_kernel_info *info, size_t size) PXR_CHECKED;

/*
 * When the library is loaded, a constructor chooses a kernel set and fills in the record of
 * the machine (below).  For this it reads the environment, the tune file and, where the CPU
 * does not tell its caches, sysfs.  From then on
 *   signals      every function that codes, checks or recovers may be called in a signal
 *                handler, but for those that create, pxr_reconstruct(),
 *                pxr_reconstruct_iov() and pxr_locate(): it takes no lock, allocates nothing
 *                and calls nothing of the system, in its first call as in every other one
 *   fork         a child may go on with codes and selections of its parent, whatever the
 *                parent's other threads were doing
 *   cancellation none of these functions is a cancellation point
 * Only pxr_kernel_select(NULL) and pxr_tune_info() read the environment and open files
 * afterwards; no other thread may change the environment meanwhile (setenv, putenv).  A call
 * before the constructor has run, from a constructor of another library, obeys the same
 * rules.  It uses the best set that the CPU can run, and knows nothing of the machine's caches.
 */

/*
 * Returns why the selected set was selected, in one English phrase.  The rules, in order:
 *   - the environment variable PERMXOR_KERNELS names a set
 *   - the tune file names one (see pxr_tune_info)
 *   - the first row of the registry that is usable here, and preferred on this CPU, is taken
 * The environment is ignored in set-user-ID programs.  When PERMXOR_KERNELS names a set that is
 * unknown or not usable here, or the file that PERMXOR_TUNE names is ignored, the best usable
 * set is taken.  This phrase then says so, and so does one line on standard error when the
 * library is loaded.
 */
const char *pxr_kernel_reason(void);

/*
 * Makes all later calls of this library use the set of this name.  NULL chooses anew by the
 * rules above, with the environment and the tune file as they are now, and takes back what
 * pxr_tune_apply() did.  The drop-in libisal.so.2 and libpermxor-preload are copies of their
 * own, which choose for themselves when they are loaded.
 *
 * The change is atomic, so any thread may make it at any time; a call that is running goes on
 * with the set that it began with, which gives the same bytes.  When several threads select at
 * the same time, one of them prevails, and pxr_kernel_reason() may be another's.
 *   PXR_EINVAL     no set has this name, and the selection stays as it is
 *   PXR_EUNUSABLE  this CPU cannot run it, and the selection stays as it is
 */
int pxr_kernel_select(const char *name);

/*
 * What is known of the tune file.  It says which set `permxor tune` found to be the fastest on
 * this model of CPU, and which values of the machine record.  Its path is the value of the
 * environment variable PERMXOR_TUNE, or a default when that is not set; when it is set but
 * empty, there is no tune file.
 */
struct pxr_tune_info {
    const char *path;         /* NULL: none; valid while the environment stays as it is */
    const char *default_path; /* where it is looked for without PERMXOR_TUNE */
    const char *state;        /* "used", "none", "ignored: it is malformed", ... */
    const char *family;       /* whose rules the machine record follows: "intel_server", ... */
    const char *evidence;     /* what they rest on, in one English phrase */
    char cpu[512];            /* the model of this CPU, "" where the system does not tell */
    int used;                 /* a choice made now would follow it */
};

/* Looks at the tune file and at /proc/cpuinfo in each call, and selects nothing.  It does not
   look at PERMXOR_KERNELS.  Returns PXR_EINVAL when info is NULL. */
int pxr_tune_info(struct pxr_tune_info *info, size_t size);

/*
 * One value of the machine record, which holds the sizes of the caches, and how calls that are
 * too long for some of them use memory (doc/tune.md).
 */
struct pxr_tune_setting {
    char name[32];    /* "own", "way dot memory", ... */
    char value[64];   /* as in the tune file: "2097152", "sources 8 outputs 4", ... */
    char reason[160]; /* why it has this value, in one English phrase */
};

/* Tells value `index`.  Returns PXR_EINVAL beyond the last one, or when setting is NULL. */
int pxr_tune_setting(unsigned index, struct pxr_tune_setting *setting, size_t size) PXR_CHECKED;

/*
 * Changes values of the machine record for all later calls.  The text has lines NAME = VALUE
 * with names and values as pxr_tune_setting() tells them; empty lines, and lines that begin
 * with #, are passed over.  Values that the text does not name become what they were when the
 * library was loaded, or when pxr_kernel_select(NULL) was last called; with NULL all do.
 *
 * Any thread may call it at any time: results are the same with any values.  When several
 * threads call it at the same time, each value becomes that of one of them.
 *   PXR_EINVAL  a line is none of these, or names a value twice; then nothing has changed
 */
int pxr_tune_apply(const char *text);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
