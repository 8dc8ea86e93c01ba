/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the records of a shard are, and how long their cells are. */
#include "config.h"

#include "shard.h"

uint64_t shard_unit(const struct shard_header *header)
{
    if (header->packetsize > 0)
        return (uint64_t)header->w * header->packetsize;
    return header->w > 0 ? header->w / 8 : 1;
}

uint64_t shard_stripe_size(const struct shard_header *header)
{
    return (uint64_t)header->k * header->cell;
}

uint64_t shard_stripes(const struct shard_header *header)
{
    uint64_t size = shard_stripe_size(header);
    return header->length / size + (header->length % size != 0);
}

uint64_t shard_stripe_bytes(const struct shard_header *header, uint64_t stripe)
{
    uint64_t size = shard_stripe_size(header);
    uint64_t rest = header->length - stripe * size;
    return rest < size ? rest : size;
}

/* The bytes are distributed evenly, but in whole units. */
uint32_t shard_cell_for(const struct shard_header *header, uint64_t stripe_bytes)
{
    uint64_t unit = shard_unit(header);
    uint64_t even = (stripe_bytes + header->k - 1) / header->k;
    return (uint32_t)((even + unit - 1) / unit * unit);
}

uint32_t shard_cell_length(const struct shard_header *header, uint64_t stripe)
{
    return shard_cell_for(header, shard_stripe_bytes(header, stripe));
}

uint64_t shard_record_offset(const struct shard_header *header, uint64_t stripe)
{
    return SHARD_HEADER_SIZE + stripe * ((uint64_t)SHARD_CHECK_SIZE + header->cell);
}

uint64_t shard_cells_size(const struct shard_header *header)
{
    uint64_t stripes = shard_stripes(header);
    if (stripes == 0)
        return 0;
    return (stripes - 1) * header->cell + shard_cell_length(header, stripes - 1);
}

uint64_t shard_file_size(const struct shard_header *header)
{
    return SHARD_HEADER_SIZE + shard_stripes(header) * SHARD_CHECK_SIZE +
           shard_cells_size(header) + SHARD_HEADER_SIZE;
}

uint64_t shard_stripes_within(const struct shard_header *header, uint64_t size)
{
    uint64_t record = (uint64_t)SHARD_CHECK_SIZE + header->cell;
    uint64_t records = size > SHARD_HEADER_SIZE ? size - SHARD_HEADER_SIZE : 0;
    uint64_t begun = records / record + (records % record != 0);
    uint64_t stripes = shard_stripes(header);
    return begun < stripes ? begun : stripes;
}
