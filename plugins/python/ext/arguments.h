/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments that a call takes from Python (numbers, sequences, and the memory of buffers
 * without a copy) and the objects that it returns.
 */
#ifndef PERMXOR_PYTHON_ARGUMENTS_H
#define PERMXOR_PYTHON_ARGUMENTS_H

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include <permxor_raid.h>

#include "plain_call.h"

namespace nb = nanobind;

/* Reads a number from 0 to `limit` from any object that has __index__. */
unsigned number(nb::handle value, const char *name, unsigned limit);

/* Returns the text of a str without a NUL in it.  It is valid as long as `value` lives. */
const char *text(nb::handle value, const char *name);

/*
 * The elements of a sequence.  They are held for as long as this object lives, whatever another
 * thread does to the sequence.
 */
class Items
{
  public:
    Items(nb::handle sequence, const char *name);
    Items(nb::handle sequence, const char *name, unsigned count);
    size_t count() const
    {
        return (size_t)PyTuple_Size(tuple_.ptr());
    }
    nb::handle operator[](size_t i) const
    {
        return PyTuple_GetItem(tuple_.ptr(), (Py_ssize_t)i);
    }

  private:
    nb::object tuple_;
};

/*
 * The buffers of one call, which all have the same length.  Each is held from the request until
 * this object ends, so none is freed or resized in between.  The object lives on the stack: a
 * call allocates nothing for it, unless it has more shards than codes of bytes can have.
 */
class Buffers
{
  public:
    Buffers() = default;
    ~Buffers();
    Buffers(const Buffers &) = delete;
    Buffers &operator=(const Buffers &) = delete;

    const uint8_t *read(nb::handle object);
    uint8_t *write(nb::handle object);
    /* None gives NULL. */
    const uint8_t *read_or_none(nb::handle object);
    uint8_t *write_or_none(nb::handle object);

    /* Throws InvalidError where memory that is written also belongs to another buffer. */
    void forbid_overlap() const;

    size_t length() const
    {
        return count_ ? (size_t)few_[0].len : 0;
    }
    size_t bytes() const
    {
        return length() * count_;
    }

  private:
    /* The most buffers that a call takes.  That is an update of a code of words with one data
       shard, of which it takes the old and the new contents.  Codes of bytes take no more than
       a RAID stripe with P and Q. */
    static constexpr unsigned most = PXR_MAX_WORD_SHARDS + 1, few = PXR_RAID_MAX_DATA + 2;

    uint8_t *take(nb::handle object, bool writable);
    Py_buffer *view(unsigned i)
    {
        return i < few ? &few_[i] : &others_[i - few];
    }
    uintptr_t address(unsigned i) const
    {
        return (uintptr_t)(i < few ? few_[i] : others_[i - few]).buf;
    }

    /* An entry that is filled in must not move, because it may refer to itself. */
    Py_buffer few_[few];
    std::unique_ptr<Py_buffer[]> others_;
    bool written_[most];
    unsigned count_ = 0;
};

/* Returns a new object of `kind`, which is bytes or bytearray; *where becomes the address of
   its contents. */
nb::object new_shard(nb::handle kind, size_t length, uint8_t **where);

/*
 * Get the memory of new shards from the system, all of it in one request for each shard; NULL
 * entries are skipped.  A large object has fresh pages each time.  Without this function, the
 * system would clear and hand out each page on a fault of its own: a MiB then took 200 us, and
 * takes 95 us in one request (Linux 6.18, a guest), about as long as it takes to code it.
 */
void populate(uint8_t *const *shards, unsigned count, size_t length);

/* Throws TypeError unless `kind` is bytes or bytearray. */
void check_kind(nb::handle kind);

/*
 * Releases the interpreter's lock while this object lives, if `bytes` are many.  16 KiB are
 * coded in about a microsecond.  Below that, waiting for the lock among busy threads (up to
 * sys.getswitchinterval(), 5 ms) would cost far more than other threads gain.
 */
class Unlocked
{
  public:
    static constexpr size_t always = SIZE_MAX;

    explicit Unlocked(size_t bytes) : state_(bytes >= 16384 ? PyEval_SaveThread() : nullptr)
    {
    }
    ~Unlocked()
    {
        if (!state_)
            return;
        /* An interpreter that ends (before 3.14) does not give the lock back, but ends the
           thread.  The C library then unwinds the stack.  That must stop before it reaches C++:
           the destructors of the callers need the lock, and a C++ library that is linked into
           this module has an unwinder of its own, which does not know the system's. */
        plain_call(
            [](void *state) { PyEval_RestoreThread(static_cast<PyThreadState *>(state)); },
            state_);
    }
    Unlocked(const Unlocked &) = delete;
    Unlocked &operator=(const Unlocked &) = delete;

  private:
    PyThreadState *state_;
};

#endif
