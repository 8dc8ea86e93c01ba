/* SPDX-License-Identifier: BSD-3-Clause */
#include "arguments.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#include "errors.h"

unsigned number(nb::handle value, const char *name, unsigned limit)
{
    const nb::object integer = nb::steal(PyNumber_Index(value.ptr()));
    if (!integer.is_valid())
        throw nb::python_error();
    int overflow;
    const long long n = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
    if (overflow || n < 0 || n > (long long)limit)
        raise_invalid("%s=%S is not a number from 0 to %u", name, integer.ptr(), limit);
    return (unsigned)n;
}

const char *text(nb::handle value, const char *name)
{
    if (!PyUnicode_Check(value.ptr()))
        raise_type("%s must be a str, not %U", name, nb::inst_name(value).ptr());
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &length);
    if (!bytes)
        throw nb::python_error();
    if (strlen(bytes) != (size_t)length)
        raise_invalid("%s contains a NUL character", name);
    return bytes;
}

/* ---------------------------------------------------------- sequences -- */

Items::Items(nb::handle sequence, const char *name)
{
    if (!PySequence_Check(sequence.ptr()))
        raise_type("%s must be a sequence, not %U", name, nb::inst_name(sequence).ptr());
    tuple_ = nb::steal(PySequence_Tuple(sequence.ptr()));
    if (!tuple_.is_valid())
        throw nb::python_error();
}

Items::Items(nb::handle sequence, const char *name, unsigned count) : Items(sequence, name)
{
    if (this->count() != count)
        raise_invalid("%s has %zu entries instead of %u", name, this->count(), count);
}

/* ------------------------------------------------------------ buffers -- */

Buffers::~Buffers()
{
    while (count_)
        PyBuffer_Release(view(--count_));
}

uint8_t *Buffers::take(nb::handle object, bool writable)
{
    if (count_ == most)
        raise_invalid("more than %u buffers", most);
    if (count_ == few)
        others_.reset(new Py_buffer[most - few]);
    Py_buffer *next = view(count_);
    if (PyObject_GetBuffer(object.ptr(), next, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE))
        throw nb::python_error();
    written_[count_++] = writable;
    if (next->len != few_[0].len)
        raise_invalid("buffers of unequal length: %zd and %zd bytes", few_[0].len, next->len);
    /* An empty buffer may have no address, but NULL would mean that there is no shard. */
    static uint8_t nothing;
    return next->buf ? static_cast<uint8_t *>(next->buf) : &nothing;
}

const uint8_t *Buffers::read(nb::handle object)
{
    return take(object, false);
}

uint8_t *Buffers::write(nb::handle object)
{
    return take(object, true);
}

const uint8_t *Buffers::read_or_none(nb::handle object)
{
    return object.is_none() ? nullptr : read(object);
}

uint8_t *Buffers::write_or_none(nb::handle object)
{
    return object.is_none() ? nullptr : write(object);
}

/* All buffers have the same length; two overlap if their addresses are closer than that. */
void Buffers::forbid_overlap() const
{
    const size_t len = length();
    for (unsigned w = 0; w < count_; w++) {
        if (!written_[w])
            continue;
        const uintptr_t out = address(w);
        for (unsigned i = 0; i < count_; i++) {
            const uintptr_t other = address(i);
            if (i != w && (out < other ? other - out : out - other) < len)
                raise_invalid("a buffer that is written overlaps another one");
        }
    }
}

/* ------------------------------------------------------------ results -- */

void check_kind(nb::handle kind)
{
    if (kind.ptr() != (PyObject *)&PyBytes_Type && kind.ptr() != (PyObject *)&PyByteArray_Type)
        raise_type("kind must be bytes or bytearray");
}

/* Neither kind of object is filled, because all of it will be written.  Nobody else has the
   bytes object yet, so it may still be written; the one of length 0 is shared, but there is
   nothing to write. */
nb::object new_shard(nb::handle kind, size_t length, uint8_t **where)
{
    const bool constant = kind.ptr() == (PyObject *)&PyBytes_Type;
    nb::object shard =
        nb::steal(constant ? PyBytes_FromStringAndSize(nullptr, (Py_ssize_t)length)
                           : PyByteArray_FromStringAndSize(nullptr, (Py_ssize_t)length));
    if (!shard.is_valid())
        throw nb::python_error();
    *where = reinterpret_cast<uint8_t *>(constant ? PyBytes_AsString(shard.ptr())
                                                  : PyByteArray_AsString(shard.ptr()));
    return shard;
}

/* For less than 128 KiB, malloc reuses memory that was freed.  The pages at both ends are
   shared with other objects, so they are left alone.  So are all pages where the system does
   not know the advice. */
void populate(uint8_t *const *shards, unsigned count, size_t length)
{
#ifdef MADV_POPULATE_WRITE
    if (length < 128 << 10)
        return;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    Unlocked unlocked(length);
    for (unsigned i = 0; i < count; i++) {
        if (!shards[i])
            continue;
        const uintptr_t first = ((uintptr_t)shards[i] + page - 1) / page * page;
        const uintptr_t end = ((uintptr_t)shards[i] + length) / page * page;
        madvise((void *)first, end - first, MADV_POPULATE_WRITE);
    }
#else
    (void)shards, (void)count, (void)length;
#endif
}
