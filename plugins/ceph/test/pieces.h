/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.h - bufferlists as they may come: in one aligned piece, or in several of any length
 * and at any address, each between canaries and next to pages that are not there.
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

/* Where a list lies in memory: the addresses and lengths of its pieces. */
std::vector<std::pair<const char *, unsigned>> places(const ceph::bufferlist &list);

} // namespace host

#endif
