/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods of permxor.Hash that take a code. */
#include "hash.h"

#include <vector>

#include "errors.h"
#include "module.h"

/* Entries of an array of hashes. */
constexpr unsigned most = PXR_MAX_WORD_SHARDS;

size_t Hash::size_of(nb::handle code) const
{
    return pxr_hash_bytes(hash_, code_of(code));
}

/* The same, for methods that need hashes. */
size_t Hash::known_size_of(const pxr_code *code) const
{
    const size_t size = pxr_hash_bytes(hash_, code);
    if (!size)
        raise_invalid("the shards of a code of words have no linear hashes");
    return size;
}

nb::bytes Hash::hash_shard(nb::handle code, nb::handle data, nb::handle offset,
                           nb::handle start) const
{
    const pxr_code *const given = code_of(code);
    const uint64_t at = offset_of(offset);
    const size_t unit = pxr_code_unit(given);
    std::vector<uint8_t> sum(known_size_of(given));
    if (!start.is_none())
        read_sum(start, "start", sum.data(), sum.size());
    Buffers buffers;
    const uint8_t *const bytes = buffers.read(data);
    if (at % unit != 0 || buffers.length() % unit != 0)
        raise_invalid("%zu bytes at offset %S: both must be multiples of the unit, %zu bytes",
                      buffers.length(), offset.ptr(), unit);
    int status;
    {
        Unlocked unlocked(buffers.bytes());
        status = pxr_hash_shard(hash_, given, at, buffers.length(), bytes, sum.data());
    }
    if (status != PXR_OK)
        raise_status(status);
    return nb::bytes(reinterpret_cast<const char *>(sum.data()), sum.size());
}

/* Reads hashes of shards, of which those from number k on may be None. */
static void read_sums(Buffers &buffers, const Items &sums, size_t size, unsigned k,
                      const uint8_t **addresses)
{
    for (unsigned i = 0; i < sums.count(); i++)
        addresses[i] = i < k ? buffers.read(sums[i]) : buffers.read_or_none(sums[i]);
    if (buffers.length() != size)
        raise_invalid("hashes of %zu bytes, but those of this code have %zu", buffers.length(),
                      size);
}

nb::list Hash::encode(nb::handle code, nb::handle sums) const
{
    const pxr_code *const given = code_of(code);
    const unsigned k = pxr_code_k(given), m = pxr_code_m(given);
    const size_t size = known_size_of(given);
    const Items items(sums, "sums", k);
    Buffers buffers;
    const uint8_t *sources[most];
    read_sums(buffers, items, size, k, sources);
    uint8_t *outputs[most];
    nb::list parity;
    for (unsigned r = 0; r < m; r++)
        parity.append(new_shard((PyObject *)&PyBytes_Type, size, &outputs[r]));
    const int status = pxr_hash_encode(hash_, given, sources, outputs);
    if (status != PXR_OK)
        raise_status(status);
    return parity;
}

bool Hash::check(nb::handle code, nb::handle sums) const
{
    const pxr_code *const given = code_of(code);
    const unsigned k = pxr_code_k(given);
    const size_t size = known_size_of(given);
    const Items items(sums, "sums", k + pxr_code_m(given));
    Buffers buffers;
    const uint8_t *addresses[most];
    read_sums(buffers, items, size, k, addresses);
    const int status = pxr_hash_check(hash_, given, addresses);
    if (status != PXR_OK && status != PXR_EMISMATCH)
        raise_status(status);
    return status == PXR_OK;
}

nb::object Hash::locate(nb::handle code, nb::handle sums) const
{
    const pxr_code *const given = code_of(code);
    const unsigned m = pxr_code_m(given), n = pxr_code_k(given) + m;
    const size_t size = known_size_of(given);
    const Items items(sums, "sums", n);
    if (m < 2)
        raise_invalid("a code with one parity shard cannot find the wrong shard");
    Buffers buffers;
    const uint8_t *addresses[most];
    read_sums(buffers, items, size, n, addresses);
    unsigned index;
    const int status = pxr_hash_locate(hash_, given, addresses, &index);
    if (status == PXR_OK)
        return nb::none();
    if (status != PXR_EMISMATCH)
        raise_status(status);
    return nb::int_(index);
}

void bind_hash_of_code(nb::class_<Hash> &type)
{
    type.def("size_of", &Hash::size_of, nb::arg("code"),
             "The bytes of the hash of a shard of this code: `size`, or w times as many for a\n"
             "code of packets.  0 for a code of words, which has no such hashes.")
        .def("hash_shard", &Hash::hash_shard, nb::arg("code"), nb::arg("data"),
             nb::arg("offset") = 0, nb::arg("start").none() = nb::none(),
             "The hash of a shard of this code, or of a piece of it that begins at `offset`,\n"
             "added to the hash `start`.  Both are whole units of the code.  For a code of\n"
             "bytes it is hash(data, offset, start).")
        .def("encode", &Hash::encode, nb::arg("code"), nb::arg("sums"),
             "The hashes of the m parity shards, from those of the k data shards.")
        .def("check", &Hash::check, nb::arg("code"), nb::arg("sums"),
             "Whether the hashes of k + m shards belong together.  The hash of a parity shard\n"
             "that is None is not looked at.")
        .def("locate", &Hash::locate, nb::arg("code"), nb::arg("sums"),
             "The number of the one shard that is wrong, or None where all hashes agree.\n\n"
             "Needs m >= 2.  Raises AmbiguousError where no single shard explains it.");
}
