/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file permxor_hash.h Linear hashes: parity is checked from a few bytes of each shard.
 *
 * This header includes permxor.h.  The rules in the first comment of permxor.h hold for every
 * function here, too.  pxr_hash_add(), pxr_hash_combine(), pxr_hash_shard(), pxr_hash_encode()
 * and pxr_hash_check() do not allocate memory, and are async-signal-safe as pxr_encode() is.
 * pxr_hash_shard(), pxr_hash_encode(), pxr_hash_check() and pxr_hash_locate() need at most 64
 * KiB of stack.
 *
 * A checksum such as CRC-32C tells whether one shard has changed.  It does not tell whether the
 * shards of a stripe belong together: for that, a program has to bring all shards to one place.
 * A linear hash tells it without moving the shards:
 *
 *     H(a*X + b*Y) = a*H(X) + b*H(Y)
 *
 * for all shards X and Y, and a and b in GF(2^8), where a*X multiplies each byte of X by a.
 * Parity is a sum of such products, so the hash of a parity shard is the same sum of the hashes
 * of the data shards.  Each machine hashes its own shard.  Each hash has 4, 8 or 16 bytes.  The
 * hashes are collected in one place and checked like shards, which tells whether the shards
 * agree and which one is wrong.
 *
 *     pxr_hash *hash;
 *     struct pxr_error why;
 *     if (pxr_hash_create(&hash, 8, key, &why) != PXR_OK)
 *         give_up(why.text);
 *     uint8_t sum[8] = {0};                       // on each machine
 *     if (pxr_hash_add(hash, 0, len, shard, sum) != PXR_OK)
 *         give_up("no shard");
 *     ...
 *     uint8_t *sums[K + M];                       // in one place
 *     int status = pxr_hash_check(hash, code, sums);
 *     if (status == PXR_EMISMATCH)
 *         status = pxr_hash_locate(hash, code, sums, &wrong);
 *     pxr_hash_free(hash);
 *
 * Definition
 *
 * F is the field GF(2^8)[t]/p(t), where the degree d of p is the size of the hash in bytes.
 * GF(2^8) is the field of permxor.h.  An element of F is d bytes, of which byte i is the
 * coefficient of t^i.
 *
 *     d = 4     p(t) = t^4  + t^3 + 5 t^2 + 2
 *     d = 8     p(t) = t^8  + t^3 + 6 t   + 4
 *     d = 16    p(t) = t^16 + t^3 + 5 t   + 2
 *
 * The hash of the bytes x[0] to x[n-1] with the key b, an element of F, is
 *
 *     H(x) = sum over i < n of  x[i] * b^i
 *
 * This is the polynomial hash of Karp and Rabin over F.  Without a key, b is t.
 *
 * What it finds
 *
 * - Changed bytes that lie within d bytes of one another are always found.
 * - Any other change that does not depend on the key is missed with a probability of at most
 *   (n-1) / (2^(8d) - 2^(4d)), if the key is random.  The difference of the hashes before and
 *   after the change is a polynomial in b.  Its degree is below n, so it has at most n-1
 *   roots.  For shards of 1 MiB the bound is about 2^-12, 2^-44 and 2^-108 for hashes of 4, 8
 *   and 16 bytes.
 * - A shard of random bytes has the right hash with a probability of 2^(-8d), with any key.
 *
 * This is not a cryptographic hash.  Somebody who knows the key can make shards with any hash.
 * Also, zeros at the end of a shard do not change the hash, and a shard of zeros has the hash
 * zero.  So compare the lengths of shards, too.
 *
 * pxr_hash_create_ceph_71721() makes another kind of hash, which is also linear.  It has
 * another definition and finds fewer changes, as its own comment says.
 */
#ifndef PERMXOR_HASH_H
#define PERMXOR_HASH_H

#include "permxor.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/** The largest size of a hash in bytes. */
#define PXR_MAX_HASH 16

/**
 * A kind of hash: its size and its key, with everything that was computed from them.  It never
 * changes after it is made, so threads may share it without a lock.
 */
typedef struct pxr_hash pxr_hash;

/**
 * Makes a kind of hash.
 *
 * \param hash Becomes the new kind, or NULL when the call fails.  The caller frees it with
 *     pxr_hash_free().
 * \param size The size of a hash in bytes: 4, 8 or 16.
 * \param key NULL, or `size` bytes: the element b.  Take random bytes, and the same ones on all
 *     machines.  Anybody who knows the key can make a wrong shard with the right hash, so keep
 *     the key secret.  NULL stands for t.
 * \param why May be NULL.  Otherwise it gets a message when the call fails.
 *
 * \retval PXR_OK *hash is the new kind.
 * \retval PXR_EINVAL hash is NULL, or size is not 4, 8 or 16, or the key is in a field that is
 *     smaller than F: b^(2^(4d)) = b.  The key 0 is such a key.  A random key is such
 *     a key with a probability of 2^-(4d); then take another one.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxr_hash_create(pxr_hash **hash, unsigned size, const uint8_t *key,
                    struct pxr_error *why) PXR_CHECKED;

/**
 * Makes the kind of hash that Ceph's pull request 71721 computes: a sketch of 4 bytes.  Use it
 * only to compare hashes with a program that computes this sketch.  pxr_hash_create() is faster
 * and finds more changes.
 *
 * Byte l of the sketch, for l from 0 to 3, is
 *
 *     sum over i < n of  x[i] * c(i, l)        in GF(2^8)
 *
 *     c(i, l) = the bits 33 to 40 of v(i, l), with 1 in place of 0
 *     v(i, l) = i * 6364136223846793005 + l * 2891336453
 *               + 1442695040888963407  modulo 2^64
 *
 * The functions below take this kind like any other, but pxr_hash_combine() returns PXR_EINVAL:
 * c(i, l) is not a power, so the hash of a part at one offset does not give its hash at another
 * offset.
 *
 * What it finds: one changed byte is always found.  A shard of random bytes has the right
 * sketch with a probability of about 2^-32.  Changes of few bytes are missed far more often,
 * because the four coefficients of a byte are nearly the same number.  Of the pairs of bytes
 * among the first 200,000 of a shard, one in 777 has the same four coefficients.  When both
 * bytes of such a pair change by the same bits, the sketch does not change.
 *
 * \param hash Becomes the new kind, or NULL when the call fails.  The caller frees it with
 *     pxr_hash_free().
 * \param why May be NULL.  Otherwise it gets a message when the call fails.
 *
 * \retval PXR_OK *hash is the new kind.
 * \retval PXR_EINVAL hash is NULL.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxr_hash_create_ceph_71721(pxr_hash **hash, struct pxr_error *why) PXR_CHECKED;

/** Frees a kind of hash.  NULL is allowed. */
void pxr_hash_free(pxr_hash *hash);

/** Returns the size of a hash of this kind in bytes.  For NULL it returns 0. */
unsigned pxr_hash_size(const pxr_hash *hash);

/**
 * Adds a piece of a shard to the hash of the shard:
 *
 *     sum += b^offset * H(piece)
 *
 * (A sketch of pxr_hash_create_ceph_71721() has its coefficients in place of these powers.)
 *
 * A hash begins as zeros.  Afterwards the pieces may come in any order, and pieces whose bytes
 * are all zero may be left out.  When a part of a shard changes, its hash follows without the
 * rest of the shard: call pxr_hash_add() for the old bytes and for the new bytes at the same
 * offset, or once for the xor of both.
 *
 * \param hash The kind of hash.
 * \param offset Where the piece begins in the shard, in bytes.
 * \param len The length of the piece in bytes.
 * \param piece The piece.
 * \param sum The hash so far, pxr_hash_size() bytes.  It must not overlap the piece.
 *
 * \retval PXR_OK sum is the new hash.
 * \retval PXR_EINVAL A pointer is NULL.
 */
int pxr_hash_add(const pxr_hash *hash, uint64_t offset, size_t len, const uint8_t *piece,
                 uint8_t *sum) PXR_CHECKED;

/**
 * Adds the hash of a part that was hashed as if it began at offset 0:
 *
 *     sum += b^offset * part
 *
 * So several threads or machines can each hash a part of a shard.
 *
 * \param hash The kind of hash.
 * \param offset Where the part begins in the shard, in bytes.
 * \param part The hash of the part.
 * \param sum The hash so far.  It may be `part`.
 *
 * \retval PXR_OK sum is the new hash.
 * \retval PXR_EINVAL A pointer is NULL, or pxr_hash_create_ceph_71721() made the hash.
 */
int pxr_hash_combine(const pxr_hash *hash, uint64_t offset, const uint8_t *part,
                     uint8_t *sum) PXR_CHECKED;

/* ------------------------------------------------------- hashes and codes -- */

/**
 * Returns the length in bytes of the hash of a shard of this code.  For codes of bytes this is
 * pxr_hash_size().  For codes of packets it is w times as many: a unit has w packets, and a
 * shard has one hash for each number of a packet in its unit, because a parity packet is the
 * xor of packets with different numbers.  For codes of words it is 0: their products are not
 * linear over GF(2^8), so these hashes do not suit them.  For NULL it is 0, too.
 */
size_t pxr_hash_bytes(const pxr_hash *hash, const pxr_code *code);

/**
 * Adds a piece of a shard of this code to the hash of the shard.  For codes of bytes this is
 * pxr_hash_add().
 *
 * \param hash The kind of hash.
 * \param code The code.
 * \param offset Where the piece begins in the shard, in whole units of the code.
 * \param len The length of the piece in bytes, in whole units.
 * \param piece The piece.
 * \param sum The hash so far, pxr_hash_bytes() bytes.
 *
 * \retval PXR_OK sum is the new hash.
 * \retval PXR_EINVAL A pointer is NULL, offset or len is not in whole units, or the code is one
 *     of words.
 */
int pxr_hash_shard(const pxr_hash *hash, const pxr_code *code, uint64_t offset, size_t len,
                   const uint8_t *piece, uint8_t *sum) PXR_CHECKED;

/**
 * Computes the hashes of the parity shards from those of the data shards.
 *
 * \param hash The kind of hash.
 * \param code The code.
 * \param data k hashes of pxr_hash_bytes() bytes each.
 * \param parity m hashes, none of which may be NULL.
 *
 * \retval PXR_OK The hashes are written.
 * \retval PXR_EINVAL A pointer or a hash is NULL, or the code is one of words.
 */
int pxr_hash_encode(const pxr_hash *hash, const pxr_code *code, pxr_inputs data,
                    uint8_t *const *parity) PXR_CHECKED;

/**
 * Checks whether hashes of shards belong together.
 *
 * \param hash The kind of hash.
 * \param code The code.
 * \param sums k+m hashes.  The hashes of all data shards are needed.  A parity hash that is
 *     NULL is not compared.
 *
 * \retval PXR_OK They belong together.
 * \retval PXR_EMISMATCH They do not belong together: some shard is wrong.
 * \retval PXR_EINVAL As for pxr_hash_encode().
 */
int pxr_hash_check(const pxr_hash *hash, const pxr_code *code, pxr_inputs sums) PXR_CHECKED;

/**
 * Finds the one shard that is wrong.  The arguments and results are those of pxr_locate(), with
 * hashes in place of shards.
 *
 * \retval PXR_EINVAL Also where the code is one of words.
 */
int pxr_hash_locate(const pxr_hash *hash, const pxr_code *code, pxr_inputs sums,
                    unsigned *index) PXR_CHECKED;

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
