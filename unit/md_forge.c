/* SPDX-License-Identifier: BSD-3-Clause */
#include "md_forge.h"

#include <stddef.h>
#include <string.h>

static const uint32_t magic = 0xa92b4efc;

void forge_put(uint8_t *block, unsigned at, uint64_t value, unsigned bytes, bool big)
{
    for (unsigned i = 0; i < bytes; i++)
        block[at + (big ? bytes - 1 - i : i)] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *block, unsigned at, unsigned bytes, bool big)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | block[at + (big ? i : bytes - 1 - i)];
    return value;
}

struct forge forge_raid6(unsigned minor)
{
    struct forge forge = {.minor = minor,
                          .level = 6,
                          .layout = 2,
                          .members = 4,
                          .chunk = 65536,
                          .size = 512 << 10,
                          .start = minor == 1 || minor == 2 ? 128 << 10 : 0,
                          .events = 100,
                          .created = 1700000000,
                          .device = 1,
                          .uuid = 7};
    for (unsigned i = 0; i < 16; i++)
        forge.roles[i] = (uint16_t)(i < 4 ? i : FORGE_SPARE);
    return forge;
}

uint64_t forge_place(unsigned minor, uint64_t device)
{
    if (minor == 90)
        return device / 65536 * 65536 - 65536;
    if (minor == 0)
        return (device / 512 - 16) / 8 * 8 * 512;
    return minor == 1 ? 0 : 4096;
}

/* ------------------------------------------------------------------ 1.x -- */

static void seal_1(uint8_t *block)
{
    unsigned devices = (unsigned)get(block, 220, 4, false);
    if (devices > 1920)
        devices = 1920;
    forge_put(block, 216, 0, 4, false);
    uint64_t sum = 0;
    for (unsigned at = 0; at < 256 + 2 * devices; at += 4)
        sum +=
            at + 2 == 256 + 2 * devices ? get(block, at, 2, false) : get(block, at, 4, false);
    forge_put(block, 216, (sum & 0xffffffff) + (sum >> 32), 4, false);
}

static void write_1(const struct forge *f, uint64_t device, uint8_t *block)
{
    forge_put(block, 0, magic, 4, false);
    forge_put(block, 4, 1, 4, false);
    forge_put(block, 8, f->features, 4, false);
    memset(block + 16, f->uuid, 16);
    memcpy(block + 32, "host:name", 9);
    forge_put(block, 64, f->created, 8, false);
    forge_put(block, 72, (uint64_t)f->level, 4, false);
    forge_put(block, 76, f->layout, 4, false);
    forge_put(block, 80, f->size / 512, 8, false);
    forge_put(block, 88, f->chunk / 512, 4, false);
    forge_put(block, 92, f->members, 4, false);
    forge_put(block, 128, f->start / 512, 8, false);
    forge_put(block, 136, (device - f->start) / 512, 8, false);
    forge_put(block, 144, forge_place(f->minor, device) / 512, 8, false);
    forge_put(block, 152, f->recovered / 512, 8, false);
    forge_put(block, 160, f->device, 4, false);
    forge_put(block, 200, f->events, 8, false);
    forge_put(block, 208, f->unclean ? 0 : UINT64_MAX, 8, false);
    forge_put(block, 220, 16, 4, false);
    for (unsigned i = 0; i < 16; i++)
        forge_put(block, 256 + 2 * i, f->roles[i], 2, false);
}

/* ----------------------------------------------------------------- 0.90 -- */

static void seal_0(uint8_t *block, bool big)
{
    forge_put(block, 4 * 38, 0, 4, big);
    uint64_t sum = 0;
    for (unsigned at = 0; at < FORGE_SIZE; at += 4)
        sum += get(block, at, 4, big);
    forge_put(block, 4 * 38, (sum & 0xffffffff) + (sum >> 32), 4, big);
}

static void put_word(const struct forge *f, uint8_t *block, unsigned word, uint64_t value)
{
    forge_put(block, 4 * word, value, 4, f->big);
}

/* The description of a disk.  Bit 0 of its state: faulty; 1: active; 2: in sync. */
static void put_disk(const struct forge *f, uint8_t *block, unsigned word, unsigned number)
{
    const uint16_t role = f->roles[number];
    put_word(f, block, word, number);
    put_word(f, block, word + 3, role < FORGE_FAULTY ? role : number);
    put_word(f, block, word + 4, role < FORGE_FAULTY ? 6 : role == FORGE_FAULTY ? 1 : 0);
}

static void write_0(const struct forge *f, uint8_t *block)
{
    put_word(f, block, 0, magic);
    put_word(f, block, 2, 90);
    memset(block + 4 * 5, f->uuid, 4);
    put_word(f, block, 6, f->created);
    put_word(f, block, 7, (uint64_t)f->level);
    put_word(f, block, 8, f->size / 1024);
    put_word(f, block, 10, f->members);
    memset(block + 4 * 13, f->uuid, 12);
    put_word(f, block, 33, f->unclean ? 0 : 1);
    forge_put(block, 4 * 39, f->events, 8, f->big);
    put_word(f, block, 64, f->layout);
    put_word(f, block, 65, f->chunk);
    for (unsigned i = 0; i < 16; i++)
        put_disk(f, block, 128 + 32 * i, i);
    put_disk(f, block, 992, f->device);
}

/* ----------------------------------------------------------------- both -- */

void forge_seal(unsigned minor, bool big, uint8_t block[FORGE_SIZE])
{
    if (minor == 90)
        seal_0(block, big);
    else
        seal_1(block);
}

void forge_write(const struct forge *forge, uint64_t device, uint8_t block[FORGE_SIZE])
{
    memset(block, 0, FORGE_SIZE);
    if (forge->minor == 90)
        write_0(forge, block);
    else
        write_1(forge, device, block);
    forge_seal(forge->minor, forge->big, block);
}
