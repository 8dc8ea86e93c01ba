/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a call takes from Python: numbers, sequences, and the memory of buffers without
 * copying it; and what it hands back.
 */
#ifndef PERMXOR_PYTHON_ARGUMENTS_H
#define PERMXOR_PYTHON_ARGUMENTS_H

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unistd.h>

#include <permxor_raid.h>

namespace nb = nanobind;

/* A number from 0 to `limit`, anything with __index__. */
unsigned number(nb::handle value, const char *name, unsigned limit);

/* The text of a str, which has no NUL within; valid as long as `value`. */
const char *text(nb::handle value, const char *name);

/*
 * The elements of a sequence, held for as long as this lives, whatever another thread
 * makes of the sequence.
 */
class Items
{
  public:
    Items(nb::handle sequence, const char *name);
    Items(nb::handle sequence, const char *name, unsigned count);
    size_t count() const
    {
        return (size_t)PyTuple_GET_SIZE(tuple_.ptr());
    }
    nb::handle operator[](size_t i) const
    {
        return PyTuple_GET_ITEM(tuple_.ptr(), (Py_ssize_t)i);
    }

  private:
    nb::object tuple_;
};

/*
 * The buffers of one call, all of one length.  Each is held from when it is asked for
 * until this ends, so none is freed or resized in between.  Lives on the stack: a call
 * allocates nothing for it, unless it has more shards than bytes can have.
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
    /* None is NULL. */
    const uint8_t *read_or_none(nb::handle object);
    uint8_t *write_or_none(nb::handle object);

    /* Throws InvalidError where memory that is written is also that of another buffer. */
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
    /* The most that a call takes: an update of a code of words that has one data shard, of
       which it takes the old and the new contents.  Codes of bytes take no more than a RAID
       stripe, P and Q. */
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

    /* What has been filled in may not move: it may refer to itself. */
    Py_buffer few_[few];
    std::unique_ptr<Py_buffer[]> others_;
    bool written_[most];
    unsigned count_ = 0;
};

/* A new object of `kind`, which is bytes or bytearray, and where to write what it holds. */
nb::object new_shard(nb::handle kind, size_t length, uint8_t **where);

/*
 * Get the memory of new shards from the system, all at once; NULL entries are none.  A large
 * object is fresh pages each time, which the system would clear and hand out one by one, at
 * a fault each: a MiB took 200 us so, and takes 95 us at once (Linux 6.18, a guest), about
 * what it takes to code it.
 */
void populate(uint8_t *const *shards, unsigned count, size_t length);

/* Throws TypeError unless `kind` is bytes or bytearray. */
void check_kind(nb::handle kind);

/*
 * The interpreter's lock is released while this lives, if `bytes` are many.  16 KiB are
 * coded in about a microsecond.  Below that, waiting for the lock among busy threads (up
 * to sys.getswitchinterval(), 5 ms) would cost far more than others gain.
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
        /* An interpreter that ends (before 3.14) does not give the lock back: it ends the
           thread, by unwinding its stack.  That cannot leave a destructor, and may not go
           on, since those of the callers need the lock; so the thread waits for the end of
           the process. */
        try {
            PyEval_RestoreThread(state_);
        } catch (...) {
            for (;;)
                pause();
        }
    }
    Unlocked(const Unlocked &) = delete;
    Unlocked &operator=(const Unlocked &) = delete;

  private:
    PyThreadState *state_;
};

#endif
