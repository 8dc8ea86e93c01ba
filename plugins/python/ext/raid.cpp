/* SPDX-License-Identifier: BSD-3-Clause */
/* RAID-5 and RAID-6 of permxor_raid.h. */
#include "arguments.h"
#include "errors.h"
#include "module.h"

/* The data blocks of a stripe. */
struct Stripe {
    unsigned n;
    const uint8_t *blocks[PXR_RAID_MAX_DATA];

    Stripe(Buffers &buffers, const Items &items)
    {
        if (items.count() < 1 || items.count() > PXR_RAID_MAX_DATA)
            raise_invalid("%zu data blocks, but a stripe has 1 to %u", items.count(),
                          (unsigned)PXR_RAID_MAX_DATA);
        n = (unsigned)items.count();
        for (unsigned i = 0; i < n; i++)
            blocks[i] = buffers.read(items[i]);
    }
};

static void generate(const Stripe &stripe, const Buffers &buffers, uint8_t *p, uint8_t *q)
{
    int status;
    {
        Unlocked unlocked(buffers.bytes());
        status = pxr_raid_generate(stripe.n, buffers.length(), stripe.blocks, p, q);
    }
    if (status != PXR_OK)
        raise_status(status);
}

static nb::object pq_gen(nb::handle data, nb::handle kind)
{
    check_kind(kind);
    const Items items(data, "data");
    Buffers buffers;
    const Stripe stripe(buffers, items);
    uint8_t *outputs[2];
    nb::object p = new_shard(kind, buffers.length(), &outputs[0]);
    nb::object q = new_shard(kind, buffers.length(), &outputs[1]);
    populate(outputs, 2, buffers.length());
    generate(stripe, buffers, outputs[0], outputs[1]);
    return nb::make_tuple(p, q);
}

static nb::object xor_gen(nb::handle data, nb::handle kind)
{
    check_kind(kind);
    const Items items(data, "data");
    Buffers buffers;
    const Stripe stripe(buffers, items);
    uint8_t *output;
    nb::object p = new_shard(kind, buffers.length(), &output);
    populate(&output, 1, buffers.length());
    generate(stripe, buffers, output, nullptr);
    return p;
}

static void generate_into(nb::handle data, nb::handle p, nb::handle q)
{
    const Items items(data, "data");
    Buffers buffers;
    const Stripe stripe(buffers, items);
    uint8_t *const p_block = buffers.write_or_none(p);
    uint8_t *const q_block = buffers.write_or_none(q);
    if (!p_block && !q_block)
        raise_invalid("p and q are both None");
    buffers.forbid_overlap();
    generate(stripe, buffers, p_block, q_block);
}

/* Returns the offset, or None where there was no difference up to `len`. */
static nb::object offset(size_t first, size_t len)
{
    return first < len ? nb::object(nb::int_(first)) : nb::none();
}

static nb::object check(nb::handle data, nb::handle p, nb::handle q)
{
    const Items items(data, "data");
    Buffers buffers;
    const Stripe stripe(buffers, items);
    const uint8_t *const p_block = buffers.read(p);
    const uint8_t *const q_block = buffers.read_or_none(q);
    const size_t len = buffers.length();
    struct pxr_raid_report report;
    int status;
    {
        Unlocked unlocked(buffers.bytes());
        status = pxr_raid_check(stripe.n, len, stripe.blocks, p_block, q_block, &report,
                                sizeof report);
    }
    if (status != PXR_OK && status != PXR_EMISMATCH)
        raise_status(status);
    return nb::make_tuple(
        offset(report.first_p, len), offset(report.first_q, len),
        report.suspect == PXR_RAID_UNKNOWN ? nb::none() : nb::object(nb::int_(report.suspect)));
}

static void update(nb::handle index, nb::handle old_block, nb::handle new_block, nb::handle p,
                   nb::handle q)
{
    const unsigned block = number(index, "index", PXR_RAID_MAX_DATA - 1);
    Buffers buffers;
    const uint8_t *const before = buffers.read_or_none(old_block);
    const uint8_t *const after = buffers.read(new_block);
    uint8_t *const p_block = buffers.write_or_none(p);
    uint8_t *const q_block = buffers.write_or_none(q);
    if (!p_block && !q_block)
        raise_invalid("p and q are both None");
    buffers.forbid_overlap();
    int status;
    {
        Unlocked unlocked(buffers.bytes());
        status = pxr_raid_update(block, buffers.length(), before, after, p_block, q_block);
    }
    if (status != PXR_OK)
        raise_status(status);
}

static void recover(nb::handle blocks, nb::handle lost)
{
    const Items items(blocks, "blocks");
    if (items.count() < 3 || items.count() > PXR_RAID_MAX_DATA + 2)
        raise_invalid("%zu blocks, but a stripe has 1 to %u data blocks, P and Q",
                      items.count(), (unsigned)PXR_RAID_MAX_DATA);
    const unsigned n = (unsigned)items.count() - 2;

    /* The lost blocks may be given in any order, but each only once. */
    const Items numbers(lost, "lost");
    bool is_lost[PXR_RAID_MAX_DATA + 2] = {};
    unsigned lost_blocks[PXR_RAID_MAX_DATA + 2];
    unsigned lost_count = 0;
    for (size_t i = 0; i < numbers.count(); i++) {
        const unsigned block = number(numbers[i], "a lost block", n + 1);
        if (is_lost[block])
            raise_invalid("block %u is in lost twice", block);
        is_lost[block] = true;
        lost_blocks[lost_count++] = block;
    }

    Buffers buffers;
    uint8_t *addresses[PXR_RAID_MAX_DATA + 2];
    for (unsigned i = 0; i < n + 2; i++) {
        if (is_lost[i])
            addresses[i] = buffers.write(items[i]);
        else if (i < n)
            addresses[i] = const_cast<uint8_t *>(buffers.read(items[i]));
        else
            addresses[i] = const_cast<uint8_t *>(buffers.read_or_none(items[i]));
    }
    buffers.forbid_overlap();
    int status;
    {
        Unlocked unlocked(buffers.bytes());
        status = pxr_raid_recover(n, buffers.length(), addresses, addresses[n],
                                  addresses[n + 1], lost_count, lost_blocks);
    }
    if (status != PXR_OK)
        raise_status(status);
}

void bind_raid(nb::module_ &module)
{
    const nb::handle bytearray((PyObject *)&PyByteArray_Type);
    module.def("pq_gen", pq_gen, nb::arg("data"), nb::arg("kind") = bytearray,
               "P and Q of 1 to 255 data blocks, as new buffers: (p, q).");
    module.def("xor_gen", xor_gen, nb::arg("data"), nb::arg("kind") = bytearray,
               "P alone, the sum of 1 to 255 data blocks, as a new buffer.");
    module.def("generate_into", generate_into, nb::arg("data"), nb::arg("p").none(),
               nb::arg("q").none() = nb::none(),
               "Write P and Q of the data blocks; None leaves one of them out.");
    module.def("check", check, nb::arg("data"), nb::arg("p"), nb::arg("q").none() = nb::none(),
               "Compare P and Q with the data: (first_p, first_q, suspect).");
    module.def("update", update, nb::arg("index"), nb::arg("old").none(), nb::arg("new"),
               nb::arg("p").none(), nb::arg("q").none() = nb::none(),
               "Bring P and Q up to date after data block `index` changed from old to new.\n\n"
               "old None stands for zeros; p or q None is left out.");
    module.def("recover", recover, nb::arg("blocks"), nb::arg("lost"),
               "Recover the blocks whose numbers are in `lost`, into their buffers.\n\n"
               "blocks: the n data blocks, P, Q; P or Q None: there is none.  The buffers of\n"
               "lost ones are overwritten, the others only read.\n\n"
               "Raises TooFewError for more lost data blocks than parity blocks left, and\n"
               "InvalidError for a number that is out of range or comes twice.");
}
