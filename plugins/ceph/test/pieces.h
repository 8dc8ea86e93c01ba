/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.h - sets of chunks, and bufferlists in all forms: in one aligned piece, or in several
 * pieces of any length at any address.  Each piece lies between canaries and next to
 * inaccessible pages.
 */
#ifndef PERMXOR_CEPH_TEST_PIECES_H
#define PERMXOR_CEPH_TEST_PIECES_H

#include <list>
#include <string>
#include <vector>

#include "host.h"

namespace host
{

using Bytes = std::string;

/* Random bytes from the sequence of the seed. */
Bytes random_bytes(size_t len);

Bytes bytes_of(const ceph::bufferlist &list);
Bytes bytes_of(const ceph::bufferptr &piece);

/* The numbers 0 to n-1; a random part of them, which may be empty; the numbers from `first` to
   n-1 except `lost` random ones. */
ChunkSet all_of(unsigned n);
ChunkSet some_of(unsigned n);
ChunkSet survivors_of(unsigned first, unsigned n, unsigned lost);

enum class Form { aligned, pieces };

/*
 * Memory that the host hands out and watches.  All pieces live as long as the pool, so the pool
 * must outlive the lists.
 */
class Pool
{
  public:
    Pool() = default;
    ~Pool();
    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;

    /* A piece in guarded memory.  It is page-aligned if `aligned` was set, which applies to all
       pools, and at a random misalignment otherwise. */
    static void set_aligned(bool aligned);
    ceph::bufferptr piece(const Bytes &bytes);

    /* With Form::aligned, the list is one piece that Ceph allocates and aligns.  This piece is
       not watched. */
    ceph::bufferlist list(const Bytes &bytes, Form form);
    ceph::bufferlist zeros(size_t len, Form form);

    /* Checks that nothing around any piece was written. */
    void check();

  private:
    struct Room {
        check_guard guard;
        uint8_t *bytes;
        size_t len;
    };
    std::list<Room> rooms_;
};

/* The address of each byte of a list. */
std::vector<const char *> addresses(const ceph::bufferlist &list);

/* Whether `part` is not a copy, but the memory of `whole` from `offset` on.  It may be longer
   than the rest of `whole`. */
bool within(const ceph::bufferlist &part, const ceph::bufferlist &whole, size_t offset);

} // namespace host

#endif
