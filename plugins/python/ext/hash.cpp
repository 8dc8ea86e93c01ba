/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor.Hash itself; hash_code.cpp has what it does with codes. */
#include "hash.h"

#include <cstring>

#include "errors.h"
#include "module.h"

uint64_t offset_of(nb::handle value)
{
    const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
    if (!index.is_valid())
        throw nb::python_error();
    const unsigned long long offset = PyLong_AsUnsignedLongLong(index.ptr());
    if (PyErr_Occurred()) {
        PyErr_Clear();
        raise_invalid("offset=%R: it must be from 0 to 2**64 - 1", value.ptr());
    }
    return offset;
}

Hash::Hash(nb::handle size, nb::handle key)
{
    const unsigned bytes = number(size, "size", PXR_MAX_HASH);
    if (!key.is_none()) {
        Buffers buffers;
        const uint8_t *const given = buffers.read(key);
        if (buffers.length() != bytes)
            raise_invalid("the key has %zu bytes, but the hash has %u", buffers.length(),
                          bytes);
        memcpy(key_, given, bytes);
    }
    struct pxr_error why = {""};
    const int status = pxr_hash_create(&hash_, bytes, key_, &why);
    if (status != PXR_OK)
        raise_status(status, why.text);
}

Hash::Hash(Sketch) : has_key_(false)
{
    struct pxr_error why = {""};
    const int status = pxr_hash_create_ceph_71721(&hash_, &why);
    if (status != PXR_OK)
        raise_status(status, why.text);
}

nb::object Hash::key() const
{
    if (!has_key_)
        return nb::none();
    return nb::bytes(reinterpret_cast<const char *>(key_), size());
}

void read_sum(nb::handle given, const char *name, uint8_t *sum, size_t size)
{
    Buffers buffers;
    const uint8_t *const bytes = buffers.read(given);
    if (buffers.length() != size)
        raise_invalid("%s has %zu bytes, but the hash has %zu", name, buffers.length(), size);
    memcpy(sum, bytes, size);
}

nb::bytes Hash::hash(nb::handle data, nb::handle offset, nb::handle start) const
{
    const uint64_t at = offset_of(offset);
    uint8_t sum[PXR_MAX_HASH] = {0};
    if (!start.is_none())
        read_sum(start, "start", sum, size());
    Buffers buffers;
    const uint8_t *const bytes = buffers.read(data);
    int status;
    {
        Unlocked unlocked(buffers.bytes());
        status = pxr_hash_add(hash_, at, buffers.length(), bytes, sum);
    }
    if (status != PXR_OK)
        raise_status(status);
    return nb::bytes(reinterpret_cast<const char *>(sum), size());
}

nb::bytes Hash::combine(nb::handle sum, nb::handle part, nb::handle offset) const
{
    uint8_t all[PXR_MAX_HASH], more[PXR_MAX_HASH];
    if (!has_key_)
        raise_invalid("sketches of Ceph cannot be combined: hash the part at its offset");
    read_sum(sum, "sum", all, size());
    read_sum(part, "part", more, size());
    const int status = pxr_hash_combine(hash_, offset_of(offset), more, all);
    if (status != PXR_OK)
        raise_status(status);
    return nb::bytes(reinterpret_cast<const char *>(all), size());
}

static const char hash_doc[] =
    "A linear hash of `size` bytes: 4, 8 or 16.  key: None, or `size` random bytes, the same\n"
    "on all machines.\n\n"
    "The hashes of a stripe's shards are themselves a stripe of the same code.  So the\n"
    "parity is checked from hashes by check(), and locate() finds the wrong shard from\n"
    "them, without moving the shards.  That holds for codes of bytes and of packets, not for\n"
    "codes of words.  A hash protects against accidents, not against somebody who knows the\n"
    "key, and it does not see zeros at the end of a shard.\n\n"
    "A hash is immutable: any number of threads may use it.  Raises InvalidError for\n"
    "another size, a key of another length, and a key in a smaller field, which one of\n"
    "2**(4 * size) random keys is.";

/* The size and the key, which only a sketch does not have. */
static void set_state(Hash *self, nb::tuple state)
{
    const Items items(state, "the state", 2);
    if (items[1].is_none())
        new (self) Hash(Hash::Sketch{});
    else
        new (self) Hash(items[0], items[1]);
}

void bind_hash(nb::module_ &module)
{
    nb::class_<Hash> type(module, "Hash", nb::is_final(), hash_doc);
    type.def(
            "__init__",
            [](Hash *self, nb::handle size, nb::handle key) { new (self) Hash(size, key); },
            nb::arg("size") = 8, nb::arg("key").none() = nb::none())
        .def_static(
            "ceph_71721", [] { return new Hash(Hash::Sketch{}); },
            "The sketch of 4 bytes that Ceph's pull request 71721 computes, to compare\n"
            "it with a program that computes this sketch.  A Hash finds more.")
        .def_prop_ro("size", &Hash::size, "The bytes of a hash.")
        .def_prop_ro("key", &Hash::key, "The key, or None for a sketch of Ceph.")
        .def("__reduce__", &reduced)
        .def("__getstate__",
             [](const Hash &hash) { return nb::make_tuple(hash.size(), hash.key()); })
        .def("__setstate__", &set_state)
        .def("hash", &Hash::hash, nb::arg("data"), nb::arg("offset") = 0,
             nb::arg("start").none() = nb::none(),
             "The hash of a shard, or of a piece of it that begins at `offset`, added to the\n"
             "hash `start`.  Pieces may come in any order.  After a change of a part of a\n"
             "shard, add the old bytes and the new bytes at their offset.")
        .def("combine", &Hash::combine, nb::arg("sum"), nb::arg("part"), nb::arg("offset"),
             "Add the hash of a part that was hashed as if it began at offset 0.\n\n"
             "Raises InvalidError for a sketch of Ceph.");
    bind_hash_of_code(type);
}
