/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file permxor.h Erasure codes over GF(2^4), GF(2^8), GF(2^16) and GF(2^32), and codes of
 * packets.
 *
 * A code turns k data shards into m parity shards.  With an MDS matrix (maximum distance
 * separable), any k of the k + m shards are enough to compute the others.
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
 * permxor_raid.h includes this header and adds RAID-5 and RAID-6, comparing buffers, looking
 * for zeros and Adler-32. permxor_hash.h adds linear hashes of shards. libpermxor defines the
 * names of these three headers and no others.
 * ISA-L's functions for all of this are in another library, the drop-in libisal.so.2.
 *
 * Terms
 *
 * A shard is a buffer of len bytes.  Shards 0 to k-1 hold the data, and shards k to k+m-1 hold
 * the parity.  Parity shard k + r is the dot product of the data with row r of the matrix,
 *
 *     shard[k + r][i] = sum over j < k of coefficient[r*k+j] * shard[j][i]
 *
 * in GF(2^8) = GF(2)[x]/(x^8+x^4+x^3+x^2+1): the polynomial is 0x11d, and the generator is 2.
 *
 * A code of packets (pxr_code_create_bits()) does no multiplication.  Each of its shards is a
 * sequence of units, and a unit is w packets of packetsize bytes.  A matrix of zeros and ones
 * names data packets for each parity packet, and the parity packet is the xor of these data
 * packets of the same unit.  Lengths must be multiples of the unit, w * packetsize bytes; for
 * any other length a call returns PXR_EINVAL.  Every function below also takes codes of
 * packets.
 *
 * A code of words (pxr_code_create_words()) works like a code of bytes, but its elements are
 * words of 4, 16 or 32 bits.  Lengths must be multiples of a word; words of 4 bits allow any
 * number of bytes.  Every function below also takes codes of words.
 *
 * These rules hold for every function below, unless its own comment says something else:
 *
 * - Lengths: they are in bytes.  Any length is allowed, except that packets and words have to
 *   be whole units.  With length 0 a call does nothing and returns PXR_OK.
 * - Alignment: buffers may have any alignment.  Calls are a little faster when all buffers are
 *   aligned to 64 bytes.
 * - Aliasing: an output must not overlap an input or another output.
 * - Errors: a call returns its status, and PXR_OK is 0.  With any other status the call has
 *   written no output byte, unless its comment says so.
 * - Structures: a structure that a call fills in is passed together with its size, as in
 *   pxr_tune_info(&info, sizeof info).  A later release may add fields at the end of the
 *   structure.  The call fills in the fields that your size has room for, and writes zeros to
 *   fields that it does not know.
 * - Threads: any thread may call any function at any time.  A pxr_code and a pxr_plan never
 *   change, so threads may share them without a lock. pxr_code_free() and pxr_plan_free() must
 *   be the last calls on them.
 * - Locks: this library takes no lock, so no call waits for another thread.  A call that
 *   allocates memory may wait in malloc().
 * - Fork: a forked child may use the codes and plans of its parent, whatever the parent's other
 *   threads were doing.  Each process frees its own.  Calls that allocate memory need a
 *   malloc() that works in the child, as in glibc, musl and the BSDs.
 * - Signals: pxr_encode(), pxr_update(), pxr_update_many(), pxr_verify(), pxr_plan_apply(),
 *   their forms for shards in pieces and the functions of permxor_raid.h do not allocate
 *   memory.  They are async-signal-safe once a kernel set has been chosen (see
 *   pxr_kernel_select()). pxr_reconstruct(), pxr_reconstruct_iov() and pxr_locate() are not
 *   async-signal-safe, because they allocate when they see a pattern of losses for the first
 *   time.
 * - Leaving a call: once a kernel set has been chosen, no call that codes is a cancellation
 *   point.  A thread may leave an async-signal-safe call by asynchronous cancellation or by
 *   siglongjmp(), for example because a mapped file turned out to end within a shard.  Then the
 *   outputs of that call are undefined, but nothing else is.  A thread that leaves
 *   pxr_reconstruct() while it codes also keeps one plan in the code until pxr_code_free().
 * - Clock: on x86-64, long calls may read the time stamp counter (doc/machine.md: look-from),
 *   unless reading it was an error when the library was loaded.  A process that forbids this
 *   later (on Linux with PR_SET_TSC or with the strict mode of seccomp) has to call
 *   pxr_tune_apply("look-from = 1024M") before.  Each thread has 16 bytes in which such calls
 *   count how often they found shards in the caches.
 * - Stack: pxr_verify(), pxr_locate() and the functions for shards in pieces need at most 64
 *   KiB of stack, and every other function at most 48 KiB. unit/test_stack.c measures this.
 */
#ifndef PERMXOR_H
#define PERMXOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library's own files are compiled with hidden symbols.  The declarations below stay
   visible. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/**
 * Makes compilers warn of a call whose status is ignored.  Only the status tells whether the
 * outputs of the call are valid.
 */
#ifdef __GNUC__
#define PXR_CHECKED __attribute__((warn_unused_result))
#else
#define PXR_CHECKED
#endif

/**
 * The version of this header: the major number. pxr_version() returns the library's version.
 */
#define PXR_VERSION_MAJOR 0

/** The version of this header: the minor number. */
#define PXR_VERSION_MINOR 1

/** The version of this header: the patch number. */
#define PXR_VERSION_PATCH 0

/**
 * The most shards that a code of bytes or of packets has.  Cauchy and Vandermonde matrices need
 * a point of the field for each shard, and GF(2^8) has 256 points.
 */
#define PXR_MAX_SHARDS 256

/**
 * The most shards that a code of words of 16 or 32 bits has.
 *
 * The fields have points for far more shards.  Two things set this limit: each call keeps the
 * addresses of all shards on the stack, and a code stores its matrix in an expanded form.  Each
 * of the m*k coefficients takes 320 bytes with 16 bits and 1280 bytes with 32 bits.  For
 * 512+512 shards that is 84 MB and 336 MB.
 */
#define PXR_MAX_WORD_SHARDS 1024

/**
 * The addresses of shards that a call reads and does not write.
 *
 * You can pass a `uint8_t *shards[]` without a cast.  In C++ you can also pass a `const uint8_t
 * *shards[]`.  C does not convert such an array, so in C cast it to pxr_inputs.
 */
#ifdef __cplusplus
typedef const uint8_t *const *pxr_inputs;
#else
typedef uint8_t *const *pxr_inputs;
#endif

/** The status that calls return. */
enum pxr_status {
    PXR_OK = 0,         /**< The call succeeded. */
    PXR_EINVAL = 1,     /**< An argument is NULL or out of range. */
    PXR_ENOMEM = 2,     /**< There is not enough memory. */
    PXR_ENOTMDS = 3,    /**< Some k of the k+m shards are not enough. */
    PXR_EUNPROVEN = 4,  /**< The custom matrix is too large to be proved MDS. */
    PXR_ETOOFEW = 5,    /**< Too few shards or blocks survive. */
    PXR_ESINGULAR = 6,  /**< The survivors do not determine the data; only a code made with
                             PXR_ASSUME_MDS can get this. */
    PXR_EMISMATCH = 7,  /**< Parity and data disagree. */
    PXR_EAMBIGUOUS = 8, /**< Parity and data disagree, and no single shard explains it. */
    PXR_EUNUSABLE = 9   /**< This CPU cannot run the kernel set. */
};

/**
 * Returns one line of English for a status.  It is never NULL, and you must not free it.  Any
 * number is allowed as the status.
 */
const char *pxr_strerror(int status);

/** Returns the version of the library that is running, as "major.minor.patch". */
const char *pxr_version(void);

/* ------------------------------------------------------------ matrices -- */

/**
 * The coding matrices.  Each gives the same bytes as the program that it is named after.
 *
 * In the formulas r is the row, from 0 to m-1, and j is the column, from 0 to k-1.  The values
 * from PXR_JERASURE_CAUCHY_ORIG on are matrices of packets, for pxr_code_create_bits().  Their
 * bytes are those of the jerasure technique with the same name, w and packetsize.
 */
enum pxr_matrix {
    /**
     * ISA-L's gf_gen_rs_matrix(): 2^(r*j).  It is MDS only for m <= 3 with any k, for m = 4
     * with k <= 21, for m = 5 with k <= 5, for m <= 21 with k = 4, and for any m with k <= 3.
     */
    PXR_ISAL_VAND = 0,
    /** ISA-L's gf_gen_cauchy1_matrix() and HDFS's RS: 1/((k+r) ^ j).  It is always MDS. */
    PXR_ISAL_CAUCHY = 1,
    /**
     * jerasure's reed_sol_van with w = 8, or with the w of pxr_code_create_words().  It is an
     * extended Vandermonde matrix that is made systematic, with its first row and first column
     * scaled to ones.  It is always MDS.
     */
    PXR_JERASURE_VAN = 2,
    /**
     * jerasure's reed_sol_r6_op with the same w, which is also RAID-6: a row of ones, and a row
     * of 2^j, with m = 2.
     */
    PXR_JERASURE_R6 = 3,
    /**
     * klauspost/reedsolomon's default: the Vandermonde matrix i^j of k+m rows, times the
     * inverse of its top k by k square.  It is always MDS.
     */
    PXR_KLAUSPOST_VAND = 4,
    /** Rows that the caller gives to pxr_code_create_custom(). */
    PXR_CUSTOM = 5,

    /* From here on, matrices of packets. */

    /**
     * 1/(r ^ (m+j)) in GF(2^w).  Each element stands for the w by w bit matrix that multiplies
     * by it.  The matrix is always MDS, and k+m is at most 2^w.
     */
    PXR_JERASURE_CAUCHY_ORIG = 6,
    /**
     * A matrix that is derived from PXR_JERASURE_CAUCHY_ORIG and has fewer ones.  For m = 2, w
     * from 2 to 11 and k up to 2^w - 1 it is the matrix with the fewest ones.
     */
    PXR_JERASURE_CAUCHY_GOOD = 7,
    /**
     * Plank's Liberation codes, with m = 2 and k <= w.  They are MDS when w is a prime number
     * above 2.
     */
    PXR_JERASURE_LIBERATION = 8,
    /**
     * The codes of Blaum and Roth, with m = 2 and k <= w.  They are MDS when w+1 is a prime
     * number above 2.  Ceph's default is w = 7, which is MDS only for k = 2: other k need
     * PXR_ASSUME_MDS.
     */
    PXR_JERASURE_BLAUM_ROTH = 9,
    /** Plank's Liber8tion code, with m = 2, w = 8 and k <= 8.  It is always MDS. */
    PXR_JERASURE_LIBER8TION = 10,
    /** Bits that the caller gives to pxr_code_create_bits_custom(). */
    PXR_CUSTOM_BITS = 11
};

/**
 * Returns "isal_vand", "isal_cauchy" and so on, or NULL for a value that is no matrix.  You
 * must not free the text.
 */
const char *pxr_matrix_name(enum pxr_matrix matrix);

/**
 * Does the reverse of pxr_matrix_name(): writes the matrix of this name to *matrix.
 *
 * \retval PXR_OK *matrix is set.
 * \retval PXR_EINVAL No matrix has this name; *matrix is left as it is.
 */
int pxr_matrix_parse(const char *name, enum pxr_matrix *matrix) PXR_CHECKED;

/* ---------------------------------------------------------------- codes -- */

/**
 * A code: a matrix, with everything that was computed from it.  It never changes after it is
 * made.
 */
typedef struct pxr_code pxr_code;

/** Why a call failed. */
struct pxr_error {

    /** One sentence that names the values concerned. */
    char text[192];
};

/**
 * Makes a code of bytes with k data and m parity shards.
 *
 * \param code Becomes the new code, or NULL when the call fails.  The caller frees the code
 *     with pxr_code_free().
 * \param k The number of data shards, at least 1.
 * \param m The number of parity shards, at least 1. k + m is at most PXR_MAX_SHARDS.
 * \param matrix A matrix of bytes other than PXR_CUSTOM.
 * \param why May be NULL.  Otherwise it gets a message when the call fails.
 *
 * \retval PXR_OK *code is the new code.
 * \retval PXR_EINVAL k, m or matrix is out of range, or matrix is PXR_CUSTOM.
 * \retval PXR_ENOTMDS The matrix is not MDS at this size.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxr_code_create(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                    struct pxr_error *why) PXR_CHECKED;

/**
 * A flag of the calls that make a code: take the matrix without proof that it is MDS.  A
 * reconstruction may then return PXR_ESINGULAR.
 */
#define PXR_ASSUME_MDS 1u

/**
 * Makes a code of bytes from m*k coefficients.
 *
 * The call proves that the matrix is MDS: it looks at each of the matrix's square submatrices,
 * which takes C(k+m, k) steps.  When that is more than some millions of steps, the call does
 * not try, and returns PXR_EUNPROVEN.
 *
 *     const uint8_t rows[] = {1, 1, 1, 1,   1, 2, 4, 8};
 *     int status = pxr_code_create_custom(&code, 4, 2, rows, 0, &why);
 *
 * \param code As for pxr_code_create().
 * \param k As for pxr_code_create().
 * \param m As for pxr_code_create().
 * \param why As for pxr_code_create().
 * \param rows The coefficients of the parity rows alone, row by row.  The call copies them.
 * \param flags 0 or PXR_ASSUME_MDS.
 *
 * \retval PXR_OK *code is the new code.
 * \retval PXR_EINVAL An argument is NULL or out of range.
 * \retval PXR_ENOTMDS The matrix is not MDS.
 * \retval PXR_EUNPROVEN The matrix is too large for the proof.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxr_code_create_custom(pxr_code **code, unsigned k, unsigned m, const uint8_t *rows,
                           unsigned flags, struct pxr_error *why) PXR_CHECKED;

/**
 * Makes a code of packets.  A unit of each shard is w packets of packetsize bytes, one after
 * the other. doc/bitmatrix.md has the formulas.
 *
 *     int status = pxr_code_create_bits(
 *         &code, 10, 4, PXR_JERASURE_CAUCHY_GOOD, 8, 2048, 0, &why);
 *
 * \param code As for pxr_code_create().
 * \param k As for pxr_code_create().
 * \param m As for pxr_code_create().
 * \param why As for pxr_code_create().
 * \param matrix A matrix of packets other than PXR_CUSTOM_BITS.
 * \param w The number of packets in a unit: 1 to 257, and at most 32 for cauchy_orig and
 *     cauchy_good. w * (k+m) is at most 2048.
 * \param packetsize The bytes of a packet, at least 1.  Multiples of 64 are the fastest.
 * \param flags 0 or PXR_ASSUME_MDS.  With PXR_ASSUME_MDS the call also takes a matrix that is
 *     known not to be MDS, and a reconstruction may later return PXR_ESINGULAR.
 *
 * \retval PXR_OK *code is the new code.
 * \retval PXR_EINVAL An argument is out of range, or matrix is not a matrix of packets, or is
 *     PXR_CUSTOM_BITS.
 * \retval PXR_ENOTMDS The matrix is not MDS with this w.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxr_code_create_bits(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                         unsigned w, size_t packetsize, unsigned flags,
                         struct pxr_error *why) PXR_CHECKED;

/**
 * Makes a code of packets from a bit matrix of the caller.
 *
 * Row r*w + x of the matrix describes packet x of parity shard k + r: this packet is the xor of
 * all data packets whose columns hold a one.  Column j*w + y stands for packet y of data shard
 * j.  The xor of no packets is zeros.
 *
 * The call proves that the matrix is MDS: it tries each way to lose m shards.  When there are
 * too many ways, the call returns PXR_EUNPROVEN.
 *
 * \param code As for pxr_code_create().
 * \param k As for pxr_code_create().
 * \param m As for pxr_code_create().
 * \param why As for pxr_code_create().
 * \param w As for pxr_code_create_bits().
 * \param packetsize As for pxr_code_create_bits().
 * \param rows m*w rows of k*w entries, row by row.  Each entry is 0 or 1.  The call copies
 *     them.
 * \param flags 0 or PXR_ASSUME_MDS.
 *
 * \retval PXR_OK *code is the new code.
 * \retval PXR_EINVAL An argument is NULL or out of range.
 * \retval PXR_ENOTMDS The matrix is not MDS.
 * \retval PXR_EUNPROVEN The matrix is too large for the proof.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxr_code_create_bits_custom(pxr_code **code, unsigned k, unsigned m, unsigned w,
                                size_t packetsize, const uint8_t *rows, unsigned flags,
                                struct pxr_error *why) PXR_CHECKED;

/**
 * Makes a code whose elements are words of w = 4, 16 or 32 bits, in gf-complete's fields:
 *
 *     GF(2^4)  = GF(2)[x]/(x^4+x+1)
 *     GF(2^16) = GF(2)[x]/(x^16+x^12+x^3+x+1)
 *     GF(2^32) = GF(2)[x]/(x^32+x^22+x^2+x+1)
 *
 * Words of 16 and 32 bits are in the byte order of the machine, and the unit is a word, w / 8
 * bytes.  With w = 4 a byte holds two words, one in each nibble, and the unit is 1 byte.
 *
 * The bytes are those of jerasure's technique with this w.  (For w = 4 jerasure has only the
 * matrix, and gf-complete multiplies by it.) Both matrices are always MDS.  Codes of bytes are
 * faster than codes of words.  Use words to read and write shards that already exist, or for
 * more shards than a code of bytes can have.
 *
 * Codes of many shards need much memory (see PXR_MAX_WORD_SHARDS), and so do their plans.  For
 * each wanted shard and each of the k shards that are read, a plan holds half of what a code
 * holds for a coefficient. pxr_reconstruct() does not keep a plan of more than 8 MiB, but
 * computes it again in every call.  For such losses make a plan of your own.
 *
 *     int status = pxr_code_create_words(
 *         &code, 10, 4, PXR_JERASURE_VAN, 16, &why);
 *
 * \param code As for pxr_code_create().
 * \param why As for pxr_code_create().
 * \param k The number of data shards.
 * \param m The number of parity shards. k + m is at most PXR_MAX_WORD_SHARDS, and with w = 4
 *     at most 16, because that field has 16 points.
 * \param matrix PXR_JERASURE_VAN or PXR_JERASURE_R6.
 * \param w The bits of a word: 4, 16 or 32.
 *
 * \retval PXR_OK *code is the new code.
 * \retval PXR_EINVAL An argument is out of range, or matrix is none of these two.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxr_code_create_words(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                          unsigned w, struct pxr_error *why) PXR_CHECKED;

/** Frees a code.  NULL is allowed. */
void pxr_code_free(pxr_code *code);

/** Returns the number of data shards.  Here and below, code must not be NULL. */
unsigned pxr_code_k(const pxr_code *code);

/** Returns the number of parity shards. */
unsigned pxr_code_m(const pxr_code *code);

/** Returns the matrix that the code was made with. */
enum pxr_matrix pxr_code_matrix(const pxr_code *code);

/**
 * Returns the m*k coefficients, one byte each, row by row.  They are valid as long as the code.
 * Codes of packets and of words have none: for these the call returns NULL.
 */
const uint8_t *pxr_code_coefficients(const pxr_code *code);

/**
 * Returns the number of bits of an element: 8 for a code of bytes, otherwise the w that the
 * code was made with.
 */
unsigned pxr_code_w(const pxr_code *code);

/** Returns the bytes of a packet, or 0 for a code without packets. */
size_t pxr_code_packetsize(const pxr_code *code);

/**
 * Returns the unit in bytes.  Lengths have to be multiples of it.  It is w * packetsize for
 * packets, w / 8 for words of 16 and 32 bits, and 1 for bytes and for words of 4 bits.
 */
size_t pxr_code_unit(const pxr_code *code);

/**
 * Writes the matrix of a code of packets.
 *
 * \param code The code.
 * \param rows Room for m*w * k*w bytes.  They become the matrix in the form that
 *     pxr_code_create_bits_custom() takes.
 *
 * \retval PXR_OK rows holds the matrix.
 * \retval PXR_EINVAL rows is NULL, or the code is not a code of packets.
 */
int pxr_code_bits(const pxr_code *code, uint8_t *rows) PXR_CHECKED;

/* --------------------------------------------------------------- coding -- */

/**
 * Computes all m parity shards from the k data shards.
 *
 * \param code The code.
 * \param len The length of each shard in bytes.
 * \param data k pointers to data shards, none of which may be NULL.
 * \param parity m pointers to parity shards, none of which may be NULL.
 *
 * \retval PXR_OK The parity shards are written.
 * \retval PXR_EINVAL A pointer is NULL, or the length is not in whole units.
 */
int pxr_encode(const pxr_code *code, size_t len, pxr_inputs data,
               uint8_t *const *parity) PXR_CHECKED;

/**
 * Rebuilds lost shards, data or parity, from any k shards that are there.
 *
 *     uint8_t *have[6] = {NULL, d1, d2, d3, p0, p1}, *want[6] = {d0};
 *     int status = pxr_reconstruct(code, len, have, want);
 *
 * When more than k shards are there, the call reads as few as it needs: first the data shards,
 * and then parity shards in order.  (With PXR_ASSUME_MDS, parity shards that are made of fewer
 * data shards come first.) pxr_plan_reads() tells which shards a plan reads.
 *
 * The code keeps what it has computed for a pattern of losses, so later calls with the same
 * pattern neither invert a matrix nor allocate memory.  The code keeps up to 1024 patterns and
 * 8 MiB, and needs 90 KB more from the first pattern on.  When there is no more room, a new
 * pattern replaces one that has not been used for long and that no call is using.
 *
 * \param code The code.
 * \param len The length of each shard in bytes.
 * \param have k+m pointers: have[i] is shard i, or NULL when it is lost.  At least k are
 *     needed.
 * \param want k+m pointers: want[i] is where to write shard i, or NULL when you do not want it.
 *
 * \retval PXR_OK The wanted shards are written.
 * \retval PXR_EINVAL A pointer is NULL, or a shard is both there and wanted.
 * \retval PXR_ETOOFEW Fewer than k shards are there.
 * \retval PXR_ESINGULAR The shards that are there do not determine the data.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxr_reconstruct(const pxr_code *code, size_t len, pxr_inputs have,
                    uint8_t *const *want) PXR_CHECKED;

/**
 * Brings the parity up to date after data shard `index` changed from old_data to new_data:
 *
 *     parity[r] ^= coefficient[r*k + index] * (old_data ^ new_data)
 *
 * With a code of packets, the changes of the packets that the matrix names are xored into the
 * parity packets.  A parity packet that depends on no packet of the changed shard keeps its
 * bytes, but the call may write these again.
 *
 * \param code The code.
 * \param len The length of each shard in bytes.
 * \param index The number of the changed data shard.
 * \param old_data The old contents.  NULL stands for zeros: then new_data is the difference
 *     itself, or the first contents of a shard that was all zeros. old_data and new_data may be
 *     the same buffer, and then nothing changes.
 * \param new_data The new contents.
 * \param parity m pointers.  A parity shard that is NULL here is left as it is.
 *
 * \retval PXR_OK The parity shards are up to date.
 * \retval PXR_EINVAL index is not below k, or code, new_data or parity is NULL.
 */
int pxr_update(const pxr_code *code, size_t len, unsigned index, const uint8_t *old_data,
               const uint8_t *new_data, uint8_t *const *parity) PXR_CHECKED;

/**
 * Does the same as pxr_update() after `count` data shards changed, in one pass over the parity.
 *
 * \param code As for pxr_update().
 * \param len As for pxr_update().
 * \param parity As for pxr_update().
 * \param count The number of changed data shards.
 * \param index The numbers of the changed data shards.  They must be distinct, and their order
 *     does not matter.
 * \param old_data The old contents of each changed shard.  NULL, or a NULL entry, stands for
 *     zeros.
 * \param new_data The new contents of each changed shard.
 *
 * \retval PXR_OK The parity shards are up to date.
 * \retval PXR_EINVAL An index is not below k or is there twice, or a pointer is NULL.
 */
int pxr_update_many(const pxr_code *code, size_t len, unsigned count, const unsigned *index,
                    pxr_inputs old_data, pxr_inputs new_data,
                    uint8_t *const *parity) PXR_CHECKED;

/**
 * Compares the parity with what the data would give.
 *
 * \param code The code.
 * \param len The length of each shard in bytes.
 * \param shards k+m pointers.  All data shards are needed.  A parity shard that is NULL is not
 *     compared.
 * \param first NULL, or m entries: first[r] becomes the offset of the first byte at which
 *     parity shard k + r disagrees with the data.  It becomes len when the shard agrees or was
 *     not compared.
 *
 * \retval PXR_OK All compared parity shards agree with the data.
 * \retval PXR_EMISMATCH Some parity shard disagrees with the data.
 * \retval PXR_EINVAL code, shards or a data shard is NULL.
 */
int pxr_verify(const pxr_code *code, size_t len, pxr_inputs shards, size_t *first) PXR_CHECKED;

/**
 * Does what pxr_verify() does, with the tables of ISA-L's ec_init_tables() in place of a code.
 * A program that encodes by ec_encode_data() can check with the same arguments.
 *
 *     int status =
 *         pxr_verify_tables(len, k, rows, gftbls, data, coding, NULL);
 *
 * \param len The length of each shard in bytes.
 * \param k The number of data shards, 1 to PXR_MAX_SHARDS.
 * \param rows The number of parity shards, 1 to PXR_MAX_SHARDS.
 * \param gftbls The tables: 32 * k * rows bytes.  They must be those of this library or of its
 *     drop-in: on CPUs with GFNI the tables of ISA-L 2.31 and later have another layout.
 * \param data k pointers to data shards, none of which may be NULL.
 * \param coding `rows` pointers to parity shards.  A parity shard that is NULL is not compared.
 * \param first NULL, or `rows` entries, as for pxr_verify().
 *
 * \retval PXR_OK All compared parity shards agree with the data.
 * \retval PXR_EMISMATCH Some parity shard disagrees with the data.
 * \retval PXR_EINVAL k or rows is out of range, or gftbls, data, coding or a data shard is
 * NULL.
 */
int pxr_verify_tables(size_t len, unsigned k, unsigned rows, const uint8_t *gftbls,
                      pxr_inputs data, pxr_inputs coding, size_t *first) PXR_CHECKED;

/**
 * Finds the one shard that is wrong.
 *
 * An MDS code with m >= 2 finds any one wrong shard.  With m = 2, two wrong shards may look
 * like a third one.  Each further parity shard makes this 255 times less likely for each wrong
 * byte, and 2^w - 1 times less likely for each wrong word of w bits.
 *
 * \param code A code with m at least 2.
 * \param len The length of each shard in bytes.
 * \param shards k+m pointers, none of which may be NULL.
 * \param index Becomes the number of the wrong shard, or k+m.
 *
 * \retval PXR_OK All shards agree, and *index is k+m.
 * \retval PXR_EMISMATCH *index is the one shard that explains the disagreement: when its bytes
 *     change, all shards agree, and no other single shard has this property.
 * \retval PXR_EAMBIGUOUS More than one shard is wrong, and *index is k+m.  With a code that is
 *     not MDS, two shards may also explain the disagreement equally well.
 * \retval PXR_ESINGULAR The code is one of packets and not MDS, and a single shard does not
 *     follow from the others.
 * \retval PXR_EINVAL A pointer is NULL, or m is below 2.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxr_locate(const pxr_code *code, size_t len, pxr_inputs shards,
               unsigned *index) PXR_CHECKED;

/* ---------------------------------------------------------------- plans -- */

/**
 * A plan: how certain shards follow from certain other shards.  You make a plan once, and then
 * apply it to any number of stripes:
 *
 *     pxr_plan *plan;
 *     const uint16_t *shards;
 *     if (pxr_plan_create(&plan, code, have, want, &why) != PXR_OK)
 *         give_up(why.text);
 *     unsigned n = pxr_plan_reads(plan, &shards);
 *     for (unsigned i = 0; i < n; i++)
 *         buffer[shards[i]] = read_shard(shards[i]);
 *     if (pxr_plan_apply(plan, len, buffer, rebuilt) != PXR_OK)
 *         give_up("a shard is missing");
 *     pxr_plan_free(plan);
 *
 * So you know which shards to read before you read any.  When these shards are there,
 * pxr_plan_apply() cannot fail: it takes no lock, allocates no memory, and is
 * async-signal-safe. pxr_reconstruct() does the same in one call, with plans that the code
 * keeps.
 *
 * A plan never changes, so any threads may apply it at the same time.  It does not refer to its
 * code, so you may free the code first.  It suits every kernel set, so it stays valid after
 * pxr_kernel_select().
 */
typedef struct pxr_plan pxr_plan;

/**
 * Makes a plan.  It is given flags instead of buffers, because there need not be any buffers
 * yet.
 *
 * \param plan Becomes the new plan, or NULL when the call fails.  The caller frees it with
 *     pxr_plan_free().
 * \param code The code.  The plan does not refer to it afterwards.
 * \param have k+m flags, of which any value but 0 means yes: have[i] tells that shard i is
 *     there and may be read.  At least k are needed; the plan leaves out shards that it does
 *     not need.
 * \param want k+m flags: want[i] tells that shard i is to be rebuilt.
 * \param why May be NULL.  Otherwise it gets a message when the call fails.
 *
 * \retval PXR_OK *plan is the new plan.
 * \retval PXR_EINVAL A pointer is NULL, or a shard is both there and wanted.
 * \retval PXR_ETOOFEW Fewer than k shards are there.
 * \retval PXR_ESINGULAR The shards that are there do not determine the data.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxr_plan_create(pxr_plan **plan, const pxr_code *code, const uint8_t *have,
                    const uint8_t *want, struct pxr_error *why) PXR_CHECKED;

/** Frees a plan.  NULL is allowed. */
void pxr_plan_free(pxr_plan *plan);

/**
 * Returns how many shards the plan reads.
 *
 * With an MDS code and a lost data shard, the plan reads k shards.  It does not read a shard on
 * which no wanted shard depends.  For example, a custom matrix may have local parity rows; then
 * a shard of one group is rebuilt from its group alone.
 *
 * \param plan The plan.
 * \param shards May be NULL.  Otherwise *shards becomes the numbers of these shards in
 *     ascending order, valid as long as the plan.
 */
unsigned pxr_plan_reads(const pxr_plan *plan, const uint16_t **shards);

/**
 * Returns how many shards the plan writes, which are the wanted ones. *shards is as for
 * pxr_plan_reads().
 */
unsigned pxr_plan_writes(const pxr_plan *plan, const uint16_t **shards);

/**
 * Rebuilds the wanted shards of one stripe.  Both arrays have k+m entries, by shard number, as
 * in pxr_reconstruct(), but the call looks only at the entries that the plan names.
 *
 * \param plan The plan.
 * \param len The length of each shard in bytes.
 * \param have have[i] is shard i, for each shard that the plan reads.
 * \param want want[i] is where to write shard i, for each shard that the plan writes.
 *
 * \retval PXR_OK The wanted shards are written.
 * \retval PXR_EINVAL One of these entries, or an argument, is NULL.
 */
int pxr_plan_apply(const pxr_plan *plan, size_t len, pxr_inputs have,
                   uint8_t *const *want) PXR_CHECKED;

/* ----------------------------------------------------- shards in pieces -- */

/**
 * A shard whose bytes lie in several pieces of memory, one piece after the other, as in a list
 * of buffers.
 *
 *     struct iovec pieces[] = {{header, 100}, {body, len - 100}};
 *     struct pxr_iov shard = {pieces, 2};
 *
 * The shard is the first len bytes of its iovcnt pieces.  Empty pieces are skipped, and what
 * follows the first len bytes is ignored.  The pieces of different shards need not end at the
 * same offsets.  A call works on as many bytes at a time as lie in one piece of every shard.
 * So it is cheaper to copy pieces of less than some 200 bytes into memory that is in a cache.
 */
struct pxr_iov {

    /** The pieces. */
    const struct iovec *iov;
    unsigned iovcnt; /**< The number of pieces; 0: there is no shard, like NULL elsewhere. */
};

/**
 * Does what pxr_encode() does, for shards in pieces.  The arrays have the same entries.  All
 * pieces are checked before anything is written.  This call has the errors of pxr_encode(), and
 * one more:
 *
 * \retval PXR_EINVAL The pieces of a shard hold less than len bytes, or the address of a piece
 *     that has bytes is NULL.
 */
int pxr_encode_iov(const pxr_code *code, size_t len, const struct pxr_iov *data,
                   const struct pxr_iov *parity) PXR_CHECKED;

/**
 * Does what pxr_reconstruct() does, for shards in pieces.  The rules of pxr_encode_iov() hold.
 */
int pxr_reconstruct_iov(const pxr_code *code, size_t len, const struct pxr_iov *have,
                        const struct pxr_iov *want) PXR_CHECKED;

/**
 * Does what pxr_plan_apply() does, for shards in pieces.  The rules of pxr_encode_iov() hold.
 */
int pxr_plan_apply_iov(const pxr_plan *plan, size_t len, const struct pxr_iov *have,
                       const struct pxr_iov *want) PXR_CHECKED;

/* -------------------------------------------------------------- kernels -- */

/** One row of the registry of kernel sets. */
struct pxr_kernel_info {
    const char *name;  /**< The name, which PERMXOR_KERNELS also takes. */
    const char *needs; /**< The CPU features that the set requires, as in "avx2 gfni". */
    int usable;        /**< This CPU and operating system have them. */
    int selected;      /**< Calls use this set. */
};

/**
 * Describes row `index` of the registry.  The first row is the best set.
 *
 *     struct pxr_kernel_info row;
 *     unsigned i = 0;
 *     while (pxr_kernel_info(i++, &row, sizeof row) == PXR_OK)
 *         printf("%s\n", row.name);
 *
 * \param index The row, from 0 on.
 * \param info Becomes the row.
 * \param size The size of *info.
 *
 * \retval PXR_OK *info is the row.
 * \retval PXR_EINVAL There is no such row, or info is NULL.
 */
int pxr_kernel_info(unsigned index, struct pxr_kernel_info *info, size_t size) PXR_CHECKED;

/**
 * \defgroup loading How the library chooses a kernel set
 *
 * When the library is loaded, a constructor chooses a kernel set and fills in the record of the
 * machine (below).  To do so it reads the environment, the tune file and, where the CPU does
 * not tell its caches, sysfs.  From then on the following holds.
 *
 * - Signals: every function that codes, checks or recovers may be called in a signal handler.
 *   It takes no lock, allocates no memory and makes no system call, in its first call as in
 *   every other one.  The exceptions are the functions that create, pxr_reconstruct(),
 *   pxr_reconstruct_iov() and pxr_locate().
 * - Fork: a child may go on with the codes and selections of its parent, whatever the parent's
 *   other threads were doing.
 * - Cancellation: none of these functions is a cancellation point.
 *
 * Afterwards only pxr_kernel_select(NULL) and pxr_tune_info() read the environment and open
 * files.  While they run, no other thread may change the environment (setenv, putenv).  A call
 * before the constructor has run, from a constructor of another library, obeys the same rules.
 * It uses the best set that the CPU can run, and knows nothing of the machine's caches.
 */

/**
 * Returns why the selected set was selected, in one English phrase.  The rules are, in this
 * order:
 *
 * - The environment variable PERMXOR_KERNELS names the set.
 * - The tune file names the set (see pxr_tune_info()).
 * - The set is the first one of the registry that is usable here and preferred on this CPU.
 *
 * Set-user-ID programs ignore the environment.  PERMXOR_KERNELS may name a set that is unknown
 * or not usable here, or the file that PERMXOR_TUNE names may be ignored.  Then the best usable
 * set is taken.  In that case this phrase says so, and so does one line on standard error when
 * the library is loaded.
 */
const char *pxr_kernel_reason(void);

/**
 * Makes all later calls of this library use the named kernel set.
 *
 * The drop-in libisal.so.2 and libpermxor-preload are separate copies of the library.  They
 * choose for themselves when they are loaded, so this call does not affect them.
 *
 * The change is atomic, so any thread may make it at any time.  A call that is running
 * continues with the set that it began with, which gives the same bytes.  When several threads
 * select at the same time, one of them prevails, and pxr_kernel_reason() may return the reason
 * of another one.
 *
 * \param name The name of a set.  NULL chooses again by the rules of pxr_kernel_reason(), with
 *     the current environment and tune file, and undoes what pxr_tune_apply() did.
 *
 * \retval PXR_OK The set is selected.
 * \retval PXR_EINVAL No set has this name, and the selection stays as it is.
 * \retval PXR_EUNUSABLE This CPU cannot run the set, and the selection stays as it is.
 */
int pxr_kernel_select(const char *name);

/**
 * What is known about the tune file.
 *
 * The tune file says which set `permxor tune` found to be the fastest on this model of CPU, and
 * which values the machine record has.  Its path is the value of the environment variable
 * PERMXOR_TUNE, or a default path when that variable is not set.  When the variable is set but
 * empty, there is no tune file.
 */
struct pxr_tune_info {
    const char *path;         /**< NULL: none.  Valid while the environment stays as it is. */
    const char *default_path; /**< The path that is used without PERMXOR_TUNE. */
    const char *state;        /**< "used", "none", "ignored: it is malformed", ... */
    const char *family;       /**< Whose rules the machine record follows: "intel_server", ...
                               */
    const char *evidence;     /**< What these rules are based on, in one English phrase. */
    char cpu[512];            /**< The model of this CPU; "" when the system does not tell. */
    int used;                 /**< A choice made now would follow the file. */
};

/**
 * Describes the tune file.  Each call reads the tune file and /proc/cpuinfo, and selects
 * nothing.  It does not look at PERMXOR_KERNELS.
 *
 * \param info Becomes the description.
 * \param size The size of *info.
 *
 * \retval PXR_OK *info is the description.
 * \retval PXR_EINVAL info is NULL.
 */
int pxr_tune_info(struct pxr_tune_info *info, size_t size);

/**
 * One value of the machine record.  The record holds the sizes of the caches, and how calls use
 * memory when their shards do not fit in some of these caches (doc/tune.md).
 */
struct pxr_tune_setting {
    char name[32];    /**< "own", "way dot memory", ... */
    char value[96];   /**< As in the tune file: "2097152", "sources 8 outputs 4", ... */
    char reason[160]; /**< Why it has this value, in one English phrase. */
};

/**
 * Describes value `index` of the machine record.
 *
 * \param index The value, from 0 on.
 * \param setting Becomes the description.
 * \param size The size of *setting.
 *
 * \retval PXR_OK *setting is the description.
 * \retval PXR_EINVAL There is no such value, or setting is NULL.
 */
int pxr_tune_setting(unsigned index, struct pxr_tune_setting *setting, size_t size) PXR_CHECKED;

/**
 * Changes values of the machine record for all later calls.
 *
 * Any thread may call it at any time, because results are the same with any values.  When
 * several threads call it at the same time, each value becomes that of one of them.
 *
 * \param text Lines NAME = VALUE, with names and values as pxr_tune_setting() gives them.
 *     Empty lines and lines that begin with # are skipped.  Values that the text does not name
 *     become what they were when the library was loaded, or when pxr_kernel_select(NULL) was
 *     last called.  When text is NULL, this happens to all values.
 *
 * \retval PXR_OK The values are changed.
 * \retval PXR_EINVAL A line has another form, or names a value twice; then nothing has changed.
 */
int pxr_tune_apply(const char *text);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
