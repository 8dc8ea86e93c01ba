/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stand-in for OpenSSL's header of this name, for builds for other processors.  The machine
 * that builds has no libcrypto for these.  The stand-in has the part that tools/hash.c needs:
 * SHA-256, written directly from FIPS 180-4.
 */
#ifndef PXR_STANDIN_EVP_H
#define PXR_STANDIN_EVP_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define OPENSSL_INIT_NO_LOAD_CONFIG 0

typedef struct evp_md_ctx_st {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t length;
} EVP_MD_CTX;

static inline int OPENSSL_init_crypto(uint64_t what, const void *settings)
{
    (void)what;
    return settings == NULL;
}

static inline EVP_MD_CTX *EVP_MD_CTX_new(void)
{
    return (EVP_MD_CTX *)calloc(1, sizeof(EVP_MD_CTX));
}

static inline void EVP_MD_CTX_free(EVP_MD_CTX *context)
{
    free(context);
}

static inline const void *EVP_sha256(void)
{
    return "SHA-256";
}

static inline int EVP_DigestInit_ex(EVP_MD_CTX *context, const void *type, void *engine)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(context->state, start, sizeof start);
    context->length = 0;
    return type != NULL && engine == NULL;
}

static inline uint32_t standin_turn(uint32_t word, int bits)
{
    return word >> bits | word << (32 - bits);
}

static inline void standin_schedule(const uint8_t *block, uint32_t w[64])
{
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + w[t - 7] + (standin_turn(a, 7) ^ standin_turn(a, 18) ^ a >> 3) +
               (standin_turn(b, 17) ^ standin_turn(b, 19) ^ b >> 10);
    }
}

static inline void standin_block(EVP_MD_CTX *context)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2,
    };
    uint32_t w[64], s[8];
    standin_schedule(context->block, w);
    memcpy(s, context->state, sizeof s);
    for (int t = 0; t < 64; t++) {
        uint32_t a = s[0], e = s[4];
        uint32_t one = s[7] + k[t] + w[t] + ((e & s[5]) ^ (~e & s[6])) +
                       (standin_turn(e, 6) ^ standin_turn(e, 11) ^ standin_turn(e, 25));
        uint32_t two = ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2])) +
                       (standin_turn(a, 2) ^ standin_turn(a, 13) ^ standin_turn(a, 22));
        memmove(s + 1, s, 7 * sizeof s[0]);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        context->state[i] += s[i];
}

static inline int EVP_DigestUpdate(EVP_MD_CTX *context, const void *bytes, size_t length)
{
    const uint8_t *from = (const uint8_t *)bytes;
    while (length > 0) {
        size_t at = context->length % 64;
        size_t part = length < 64 - at ? length : 64 - at;
        memcpy(context->block + at, from, part);
        context->length += part;
        from += part;
        length -= part;
        if (at + part == 64)
            standin_block(context);
    }
    return 1;
}

/* Fills up the last block with a one bit, zeros, and the length in bits. */
static inline int EVP_DigestFinal_ex(EVP_MD_CTX *context, uint8_t *result, unsigned *size)
{
    static const uint8_t one = 0x80, zero = 0;
    uint64_t bits = 8 * context->length;
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    EVP_DigestUpdate(context, &one, 1);
    while (context->length % 64 != 56)
        EVP_DigestUpdate(context, &zero, 1);
    EVP_DigestUpdate(context, length, sizeof length);
    for (int i = 0; i < 32; i++)
        result[i] = (uint8_t)(context->state[i / 4] >> (24 - 8 * (i % 4)));
    return size == NULL;
}

#endif
