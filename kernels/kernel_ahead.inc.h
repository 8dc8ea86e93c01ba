/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prefetching of packets, included by kernel_packets.inc.h.  While a kernel codes one chunk of
 * the packets' bytes, the next chunk comes from memory into L2: one packet after the other, and
 * a few lines with each step of the kernel.  kernels.h says how long a chunk is.
 */
struct ahead {
    size_t now;          /* the unit that is coded */
    size_t unit, chunk;  /* the unit that is prefetched, and where in its packets */
    size_t packet;       /* which packet of it */
    const uint8_t *line; /* the next line */
    size_t lines;        /* how many are left of the chunk in this packet */
    size_t with_read;    /* how many are prefetched with each step that reads packets */
    size_t with_write;   /* and with each step that writes packets */
};

/* Returns the number of packets of a unit that are read: the sources, those that are added to
   them, and outputs that are added to. */
PXR_INLINE size_t packets_read(const struct pxr_packets *p)
{
    return (size_t)p->rows->columns * (p->old ? 2 : 1) + (p->add ? p->rows->rows : 0);
}

/* Returns where such a packet is in unit 0, or NULL. */
PXR_INLINE const uint8_t *packet_read(const struct pxr_packets *p, size_t number)
{
    const size_t columns = p->rows->columns;
    if (number < columns)
        return p->src[number];
    number -= columns;
    if (!p->old)
        return p->dst[number];
    return number < columns ? p->old[number] : p->dst[number - columns];
}

/* Goes to the beginning of a chunk in a packet.  For one that is NULL, the first packet is
   prefetched once more, which is there already and costs little. */
PXR_INLINE void go_to(const struct pxr_packets *p, struct ahead *ahead, size_t unit,
                      size_t chunk, size_t packet)
{
    const size_t left = p->len - chunk;
    const uint8_t *const first = packet_read(p, packet);
    ahead->unit = unit;
    ahead->chunk = chunk;
    ahead->packet = packet;
    ahead->line = (first ? first : p->src[0]) + unit * p->stride + chunk;
    ahead->lines = ((left < p->ahead ? left : p->ahead) + 63) / 64;
}

/* Goes to the next packet, or behind the last one to the next chunk or unit. */
PXR_INLINE void go_on(const struct pxr_packets *p, struct ahead *ahead)
{
    if (ahead->packet + 1 < packets_read(p))
        go_to(p, ahead, ahead->unit, ahead->chunk, ahead->packet + 1);
    else if (p->len - ahead->chunk > p->ahead)
        go_to(p, ahead, ahead->unit, ahead->chunk + p->ahead, 0);
    else
        go_to(p, ahead, ahead->unit + 1, 0, 0);
}

/* Says that a kernel begins with a unit.  The unit's first chunk is there, and if the second
   one is not passed already, that is the next one. */
PXR_INLINE void begin_unit(const struct pxr_packets *p, struct ahead *ahead, size_t unit)
{
    ahead->now = unit;
    if (ahead->unit > unit || (ahead->unit == unit && ahead->chunk > 0))
        return;
    go_to(p, ahead, unit, 0, packets_read(p) - 1);
    go_on(p, ahead);
}

/* Prefetches the next `lines` lines, but none behind the next unit. */
PXR_INLINE void prefetch_packets(const struct pxr_packets *p, struct ahead *ahead, size_t lines)
{
    if (ahead->unit > ahead->now + 1 || ahead->unit >= p->units)
        return;
    for (size_t n = 0; n < lines; n++) {
        prefetch_line(ahead->line, true);
        ahead->line += 64;
        if (--ahead->lines == 0)
            go_on(p, ahead);
    }
}
