/* SPDX-License-Identifier: BSD-3-Clause */
#include "pieces.h"

#include <algorithm>
#include <cstring>

namespace host
{

Bytes random_bytes(size_t len)
{
    Bytes bytes(len, 0);
    check_fill(&bytes[0], len);
    return bytes;
}

Bytes bytes_of(const ceph::bufferlist &list)
{
    Bytes bytes;
    for (const auto &piece : list.buffers())
        bytes.append(piece.c_str(), piece.length());
    return bytes;
}

Bytes bytes_of(const ceph::bufferptr &piece)
{
    return Bytes(piece.c_str(), piece.length());
}

ChunkSet all_of(unsigned n)
{
    return survivors_of(0, n, 0);
}

ChunkSet some_of(unsigned n)
{
    return survivors_of(0, n, unsigned(check_below(n + 1)));
}

ChunkSet survivors_of(unsigned first, unsigned n, unsigned lost)
{
    ChunkSet ids;
    for (unsigned id = first; id < n; id++)
        ids.insert(int(id));
    for (; lost > 0; lost--)
        ids.erase(std::next(ids.begin(), long(check_below(ids.size()))));
    return ids;
}

static bool aligned_pieces;

void Pool::set_aligned(bool aligned)
{
    aligned_pieces = aligned;
}

Pool::~Pool()
{
    for (Room &room : rooms_)
        check_guard_free(&room.guard);
}

ceph::bufferptr Pool::piece(const Bytes &bytes)
{
    Room room{check_guard_new(bytes.size() + 64), nullptr, bytes.size()};
    check_placement placement =
        aligned_pieces ? CHECK_AT_START : check_placement(check_below(3));
    room.bytes = check_place(&room.guard, room.len, placement);
    memcpy(room.bytes, bytes.data(), room.len);
    rooms_.push_back(room);
    return ceph::bufferptr(
        ceph::buffer::create_static(unsigned(room.len), reinterpret_cast<char *>(room.bytes)));
}

ceph::bufferlist Pool::list(const Bytes &bytes, Form form)
{
    ceph::bufferlist list;
    if (form == Form::aligned) {
        ceph::bufferptr whole(ceph::buffer::create_aligned(unsigned(bytes.size()), 64));
        memcpy(whole.c_str(), bytes.data(), bytes.size());
        list.push_back(std::move(whole));
        return list;
    }
    for (size_t left = 1 + check_below(5), at = 0; at < bytes.size(); left--) {
        size_t rest = bytes.size() - at;
        size_t len = left > 1 ? 1 + check_below(rest) : rest;
        list.push_back(piece(bytes.substr(at, len)));
        at += len;
    }
    return list;
}

ceph::bufferlist Pool::zeros(size_t len, Form form)
{
    return list(Bytes(len, 0), form);
}

void Pool::check()
{
    for (const Room &room : rooms_)
        CHECK_UNTOUCHED(&room.guard, room.bytes, room.len);
}

std::vector<const char *> addresses(const ceph::bufferlist &list)
{
    std::vector<const char *> addresses;
    for (const auto &piece : list.buffers())
        for (unsigned i = 0; i < piece.length(); i++)
            addresses.push_back(piece.c_str() + i);
    return addresses;
}

bool within(const ceph::bufferlist &part, const ceph::bufferlist &whole, size_t offset)
{
    auto at = addresses(part), from = addresses(whole);
    offset = std::min(offset, from.size());
    at.resize(std::min(at.size(), from.size() - offset));
    return std::equal(at.begin(), at.end(), from.begin() + long(offset));
}

} // namespace host
