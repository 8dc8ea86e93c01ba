/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export.h - reads the stream that `ceph-objectstore-tool --op export` writes: a placement
 * group's shard with all its objects, in one pass.
 *
 * All numbers are little-endian.  A structure begins with its version and the oldest version
 * that can read it, a byte each, and with the length of what follows, 4 bytes.  A string has
 * its length before it, 4 bytes.
 *
 *     stream     magic 0xffceffce, version, length of a head, length of a foot: 4 bytes each;
 *                sections
 *     section    head, a structure: 2 bytes 0xffce, the type twice, the length in 8 bytes;
 *                a structure of that length;
 *                foot, a structure: 4 bytes.  Sections of length 0 have no foot.
 *
 * The sections are one PG_BEGIN, one PG_METADATA, for each object an OBJECT_BEGIN, its DATA,
 * ATTRS, OMAP_HDR and OMAP, and an OBJECT_END, and last a PG_END.  The tool leaves out the
 * object of the placement group itself, temporary objects, and objects that are kept to roll a
 * write back.
 */
#ifndef PERMXOR_CEPH_EXPORT_H
#define PERMXOR_CEPH_EXPORT_H

#include <cstdint>
#include <functional>
#include <string>

#include "version_number.h"

namespace permxor_ceph
{

struct ExportedObject {
    std::string name; /* NAMESPACE/KEY/NAME@SNAPSHOT, with escaped parts */
    Version version;
    uint64_t size = 0; /* of the whole object, not of the shard */
};

/* Gets what is read, in its order. */
class ExportSink
{
  public:
    virtual ~ExportSink() = default;

    /* The last write that this shard of the placement group has seen. */
    virtual void last_update(const Version &version) = 0;
    virtual void begin(const ExportedObject &object) = 0;
    virtual void data(uint64_t offset, size_t len, const uint8_t *bytes) = 0;
    virtual void end() = 0;
};

/* Reads n bytes into a buffer, or returns false at the end of the stream. */
using ReadBytes = std::function<bool(uint8_t *buffer, size_t n)>;

/* Reads to the end of the placement group.  Throws a Trouble if the stream ends before that, or
   has another form. */
void read_export(const ReadBytes &read, ExportSink &sink);

} // namespace permxor_ceph

#endif
