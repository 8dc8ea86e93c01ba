/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.h - bufferlists in all forms: in one aligned piece, or in several of any length and at
 * any address, each between canaries and next to inaccessible pages; and sets of chunks.
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

/* Random bytes of the seed's sequence. */
Bytes random_bytes(size_t len);

Bytes bytes_of(const ceph::bufferlist &list);
Bytes bytes_of(const ceph::bufferptr &piece);

/* 0..n-1; some of them, maybe none; first..n-1 but `lost` of them. */
ChunkSet all_of(unsigned n);
ChunkSet some_of(unsigned n);
ChunkSet survivors_of(unsigned first, unsigned n, unsigned lost);

enum class Form { aligned, pieces };

/*
 * Memory that the host hands out and watches.  Everything made lives as long as the pool, so
 * it must outlive the lists.
 */
class Pool
{
  public:
    Pool() = default;
    ~Pool();
    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;

    /* One piece in guarded memory: page-aligned where `aligned` was set, which is for all
       pools, else at a random misalignment. */
    static void set_aligned(bool aligned);
    ceph::bufferptr piece(const Bytes &bytes);

    /* Form::aligned: one piece of Ceph's own, aligned as Ceph does; not watched. */
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

/* Where each byte of a list lies in memory. */
std::vector<const char *> addresses(const ceph::bufferlist &list);

/* Whether a part is the memory of the whole from `offset` on, and not a copy.  It may be longer
   than that. */
bool within(const ceph::bufferlist &part, const ceph::bufferlist &whole, size_t offset);

} // namespace host

#endif
