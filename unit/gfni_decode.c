/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The encodings of the three GFNI instructions.  Each has a prefix, the opcode, a ModRM byte
 * with the bytes that it asks for, and, in the affine transforms, an immediate byte:
 *
 *     legacy  66 [REX] 0F 38/3A    two operands: the first is also the result
 *     VEX     C4 RXBmmmmm WvvvvLpp
 *     EVEX    62 RXBR'0mmm Wvvvv1pp zL'LbV'aaa
 *
 * R, X and B are the fourth bits of register numbers.  R', X and V' are the fifth bits of the
 * numbers of vector registers.  vvvv is the first operand.  VEX and EVEX store all of these
 * inverted.  pp = 1 stands for the prefix 66.  mmm is the opcode map: map 2 (0F 38) has the
 * product, and map 3 (0F 3A) has the affine transforms.
 */
#include "gfni_emulator.h"

#include <stddef.h>
#include <string.h>

enum { MAP_0F38 = 2, MAP_0F3A = 3, PP_66 = 1 };

/* The contents of a prefix.  The bits of register numbers are already in their places. */
struct prefix {
    enum { LEGACY, VEX, EVEX } encoding;
    unsigned map;
    bool wide;                         /* W */
    unsigned reg, index, base, vector; /* the high bits of the four kinds of register numbers */
    unsigned first;                    /* the whole vvvv, in VEX and EVEX */
    unsigned bytes, mask;
    bool broadcast, zeroing;
};

/* Bit number `bit` of `byte`, inverted, at place `to`. */
static unsigned inverted(uint8_t byte, unsigned bit, unsigned to)
{
    return (~(unsigned)byte >> bit & 1) << to;
}

static const uint8_t *legacy_prefix(const uint8_t *at, struct prefix *prefix)
{
    unsigned rex = 0;
    at++;
    if ((*at & 0xf0) == 0x40)
        rex = *at++;
    if (at[0] != 0x0f || (at[1] != 0x38 && at[1] != 0x3a))
        return NULL;
    *prefix = (struct prefix){.encoding = LEGACY,
                              .map = at[1] == 0x38 ? MAP_0F38 : MAP_0F3A,
                              .reg = (rex >> 2 & 1) << 3,
                              .index = (rex >> 1 & 1) << 3,
                              .base = (rex & 1) << 3,
                              .vector = (rex & 1) << 3,
                              .bytes = 16};
    return at + 2;
}

static const uint8_t *vex_prefix(const uint8_t *at, struct prefix *prefix)
{
    if ((at[2] & 3) != PP_66)
        return NULL;
    *prefix = (struct prefix){.encoding = VEX,
                              .map = at[1] & 0x1f,
                              .wide = at[2] >> 7,
                              .reg = inverted(at[1], 7, 3),
                              .index = inverted(at[1], 6, 3),
                              .base = inverted(at[1], 5, 3),
                              .vector = inverted(at[1], 5, 3),
                              .first = ~(unsigned)at[2] >> 3 & 15,
                              .bytes = at[2] & 4 ? 32 : 16};
    return at + 3;
}

/* Refuses zeroing without a mask, and vector length 3, which does not exist. */
static const uint8_t *evex_prefix(const uint8_t *at, struct prefix *prefix)
{
    const unsigned length = at[3] >> 5 & 3;
    if ((at[1] & 8) || (at[2] & 7) != (4 | PP_66) || length == 3)
        return NULL;
    *prefix = (struct prefix){.encoding = EVEX,
                              .map = at[1] & 7,
                              .wide = at[2] >> 7,
                              .reg = inverted(at[1], 7, 3) | inverted(at[1], 4, 4),
                              .index = inverted(at[1], 6, 3),
                              .base = inverted(at[1], 5, 3),
                              .vector = inverted(at[1], 5, 3) | inverted(at[1], 6, 4),
                              .first = (~(unsigned)at[2] >> 3 & 15) | inverted(at[3], 3, 4),
                              .bytes = 16u << length,
                              .mask = at[3] & 7,
                              .broadcast = at[3] >> 4 & 1,
                              .zeroing = at[3] >> 7};
    return prefix->zeroing && prefix->mask == 0 ? NULL : at + 4;
}

static const uint8_t *any_prefix(const uint8_t *at, struct prefix *prefix)
{
    switch (*at) {
    case 0x66:
        return legacy_prefix(at, prefix);
    case 0xc4:
        return vex_prefix(at, prefix);
    case 0x62:
        return evex_prefix(at, prefix);
    default:
        return NULL;
    }
}

/* The affine transforms have W = 1 in VEX and EVEX, the product has W = 0. */
static bool decode_operation(const struct prefix *prefix, uint8_t opcode,
                             enum gfni_operation *operation)
{
    if (prefix->map == MAP_0F38 && opcode == 0xcf)
        *operation = GFNI_PRODUCT;
    else if (prefix->map == MAP_0F3A && opcode == 0xce)
        *operation = GFNI_AFFINE;
    else if (prefix->map == MAP_0F3A && opcode == 0xcf)
        *operation = GFNI_AFFINE_INVERSE;
    else
        return false;
    return prefix->encoding == LEGACY || prefix->wide == (*operation != GFNI_PRODUCT);
}

/* In EVEX, a displacement of one byte counts units.  A unit has the size of the operand in
   memory. */
static const uint8_t *decode_displacement(const uint8_t *at, const struct prefix *prefix,
                                          unsigned bytes, int32_t *displacement)
{
    *displacement = 0;
    if (bytes == 1) {
        const unsigned unit = prefix->encoding != EVEX ? 1
                              : prefix->broadcast      ? 8
                                                       : prefix->bytes;
        *displacement = (int8_t)*at * (int32_t)unit;
    } else if (bytes == 4) {
        memcpy(displacement, at, 4);
    }
    return at + bytes;
}

/* Decodes an operand in memory, where mod is below 3.  In the three lower bits of ModRM, 4
   means that a SIB byte follows.  If mod is 0, 5 means that there is no base, and that the
   displacement counts from the next instruction.  In the SIB byte, index 4 means no index.  If
   mod is 0, base 5 means no base, and a displacement follows. */
static const uint8_t *decode_address(const uint8_t *at, const struct prefix *prefix,
                                     struct gfni_address *address)
{
    const unsigned mod = *at >> 6, low = *at & 7;
    unsigned displacement = mod == 1 ? 1 : mod == 2 ? 4 : 0;
    unsigned base = low;
    at++;
    *address = (struct gfni_address){.index = GFNI_NO_REGISTER, .scale = 1};
    if (low == 4) {
        const unsigned index = (*at >> 3 & 7) | prefix->index;
        if (index != 4)
            address->index = (int)index;
        address->scale = 1u << (*at >> 6);
        base = *at++ & 7;
    }
    address->base = (int)(base | prefix->base);
    if (mod == 0 && base == 5) {
        address->base = GFNI_NO_REGISTER;
        address->from_next = low == 5;
        displacement = 4;
    }
    return decode_displacement(at, prefix, displacement, &address->displacement);
}

bool gfni_decode(const uint8_t *code, struct gfni_instruction *instruction)
{
    struct prefix prefix = {0};
    const uint8_t *at = any_prefix(code, &prefix);
    *instruction = (struct gfni_instruction){0};
    if (at == NULL || !decode_operation(&prefix, *at++, &instruction->operation))
        return false;
    const uint8_t modrm = *at;
    instruction->bytes = prefix.bytes;
    instruction->legacy = prefix.encoding == LEGACY;
    instruction->to = (modrm >> 3 & 7) | prefix.reg;
    instruction->first = instruction->legacy ? instruction->to : prefix.first;
    instruction->in_memory = modrm < 0xc0;
    instruction->broadcast = prefix.broadcast;
    instruction->mask = prefix.mask;
    instruction->zeroing = prefix.zeroing;
    if (prefix.broadcast && (!instruction->in_memory || instruction->operation == GFNI_PRODUCT))
        return false;
    if (instruction->in_memory) {
        at = decode_address(at, &prefix, &instruction->address);
    } else {
        instruction->second = (modrm & 7) | prefix.vector;
        at++;
    }
    if (instruction->operation != GFNI_PRODUCT)
        instruction->immediate = *at++;
    instruction->length = (unsigned)(at - code);
    return true;
}
