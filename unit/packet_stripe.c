/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet_stripe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct packet_shape packet_shapes[PACKET_SHAPES] = {
    {PXR_JERASURE_CAUCHY_GOOD, 10, 4, 8, 0}, {PXR_JERASURE_CAUCHY_GOOD, 4, 2, 8, 0},
    {PXR_JERASURE_CAUCHY_GOOD, 8, 3, 8, 0},  {PXR_JERASURE_CAUCHY_ORIG, 10, 4, 4, 0},
    {PXR_JERASURE_CAUCHY_ORIG, 3, 5, 3, 0},  {PXR_JERASURE_CAUCHY_GOOD, 5, 3, 16, 0},
    {PXR_JERASURE_CAUCHY_ORIG, 4, 2, 32, 0}, {PXR_JERASURE_LIBERATION, 7, 2, 7, 0},
    {PXR_JERASURE_BLAUM_ROTH, 6, 2, 6, 0},   {PXR_JERASURE_LIBER8TION, 8, 2, 8, 0},
    {PXR_JERASURE_CAUCHY_ORIG, 1, 1, 1, 0},  {PXR_JERASURE_CAUCHY_GOOD, 5, 1, 8, 0},
    {PXR_JERASURE_LIBERATION, 4, 2, 37, 0},  {PXR_JERASURE_BLAUM_ROTH, 2, 2, 256, 0},
    {PXR_JERASURE_LIBERATION, 2, 2, 257, 0},
};

pxr_code *packet_code(const struct packet_shape *shape, size_t packetsize)
{
    struct pxr_error why;
    pxr_code *code;
    if (pxr_code_create_bits(&code, shape->k, shape->m, shape->matrix, shape->w, packetsize,
                             shape->flags, &why) != PXR_OK) {
        fprintf(stderr, "no code for a test: %s\n", why.text);
        exit(2);
    }
    return code;
}

uint8_t *packet_bits(const pxr_code *code)
{
    const size_t w = pxr_code_w(code);
    uint8_t *bits = malloc(w * w * pxr_code_k(code) * pxr_code_m(code));
    if (!bits || pxr_code_bits(code, bits) != PXR_OK)
        exit(2);
    return bits;
}

static void add_packet(uint8_t *to, const uint8_t *from, size_t packetsize)
{
    for (size_t i = 0; i < packetsize; i++)
        to[i] ^= from[i];
}

void packet_parity(const pxr_code *code, const struct stripe *s)
{
    const size_t packetsize = pxr_code_packetsize(code);
    const unsigned w = pxr_code_w(code), columns = s->k * w;
    uint8_t *const bits = packet_bits(code);
    for (unsigned r = 0; r < s->m; r++)
        memset(s->shard[s->k + r], 0, s->len);
    for (size_t unit = 0; unit < s->len; unit += w * packetsize)
        for (unsigned row = 0; row < s->m * w; row++)
            for (unsigned c = 0; c < columns; c++)
                if (bits[(size_t)row * columns + c])
                    add_packet(s->shard[s->k + row / w] + unit + row % w * packetsize,
                               s->shard[c / w] + unit + c % w * packetsize, packetsize);
    free(bits);
}

struct stripe packet_stripe(const pxr_code *code, size_t len)
{
    struct stripe s = stripe_blank(pxr_code_k(code), pxr_code_m(code), len);
    for (unsigned j = 0; j < s.k; j++)
        check_fill(s.shard[j], len);
    packet_parity(code, &s);
    return s;
}

bool packet_nonsingular(uint8_t *bits, unsigned n)
{
    for (unsigned p = 0; p < n; p++) {
        unsigned i = p;
        while (i < n && !bits[(size_t)i * n + p])
            i++;
        if (i == n)
            return false;
        for (unsigned c = 0; c < n; c++) {
            const uint8_t swapped = bits[(size_t)i * n + c];
            bits[(size_t)i * n + c] = bits[(size_t)p * n + c];
            bits[(size_t)p * n + c] = swapped;
        }
        for (unsigned r = p + 1; r < n; r++)
            if (bits[(size_t)r * n + p])
                add_packet(bits + (size_t)r * n, bits + (size_t)p * n, n);
    }
    return true;
}
