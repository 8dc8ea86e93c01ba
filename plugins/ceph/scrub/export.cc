/* SPDX-License-Identifier: BSD-3-Clause */
#include "export.h"

#include <algorithm>

#include "trouble.h"

namespace permxor_ceph
{

namespace
{

/* Sections. */
enum Type {
    pg_begin = 1,
    pg_end = 2,
    object_begin = 3,
    object_end = 4,
    data = 5,
    attrs = 6,
    omap_head = 7,
    omap = 8,
    pg_metadata = 9,
};

constexpr uint32_t stream_magic = 0xffceffce;
constexpr uint32_t section_magic = 0xffce;
constexpr size_t stream_head = 16, section_head = 18, section_foot = 10;
/* The tool writes 1 MiB of data in a section.  Metadata holds the map of the cluster. */
constexpr uint64_t longest_section = uint64_t{1} << 30;
constexpr uint64_t no_snapshot = ~uint64_t{1}, snapshot_folder = ~uint64_t{0};

/* Decodes what a section holds. */
class Decoder
{
  public:
    Decoder(const uint8_t *at, size_t len) : at_(at), end_(at + len)
    {
    }

    const uint8_t *bytes(uint64_t n)
    {
        if (n > uint64_t(end_ - at_))
            throw Trouble("the export has a section that ends too early");
        const uint8_t *found = at_;
        at_ += n;
        return found;
    }

    uint64_t number(unsigned size)
    {
        const uint8_t *found = bytes(size);
        uint64_t value = 0;
        for (unsigned i = size; i-- > 0;)
            value = value << 8 | found[i];
        return value;
    }

    std::string string()
    {
        const uint64_t n = number(4);
        const uint8_t *found = bytes(n);
        return std::string(reinterpret_cast<const char *>(found), n);
    }

    /* A decoder of a structure, which is skipped here. */
    Decoder structure()
    {
        bytes(2);
        const uint64_t n = number(4);
        const uint8_t *found = bytes(n);
        return Decoder(found, n);
    }

    Version version()
    {
        Version version;
        version.number = number(8);
        version.epoch = number(4);
        return version;
    }

  private:
    const uint8_t *at_, *end_;
};

std::string snapshot_of(uint64_t snapshot)
{
    if (snapshot == no_snapshot)
        return "head";
    return snapshot == snapshot_folder ? "snapdir" : std::to_string(snapshot);
}

/* The name is key, name, snapshot, hash of the name, whether it is the largest, namespace,
   pool. */
std::string name_of(Decoder name)
{
    const std::string key = name.string(), object = name.string();
    const uint64_t snapshot = name.number(8);
    name.bytes(4 + 1);
    const std::string space = name.string();
    return escaped(space) + "/" + escaped(key) + "/" + escaped(object) + "@" +
           snapshot_of(snapshot);
}

/* The name, the generation, the number of the shard and the object's information.  The latter
   begins with the name, the locator, a category, this version, the version before, the request
   that wrote it, and the size. */
ExportedObject decode_object(Decoder section)
{
    Decoder object = section.structure();
    ExportedObject found;
    found.name = name_of(object.structure());
    object.bytes(8 + 1);
    Decoder info = object.structure();
    info.structure();
    info.structure();
    info.string();
    found.version = info.version();
    info.version();
    info.structure();
    found.size = info.number(8);
    return found;
}

/* The version of the format, the epoch, and the placement group's information.  The latter
   begins with its number, 17 bytes, and the last update. */
Version decode_last_update(Decoder section)
{
    Decoder metadata = section.structure();
    metadata.bytes(1 + 4);
    Decoder info = metadata.structure();
    info.bytes(17);
    return info.version();
}

void decode_data(Decoder section, ExportSink &sink)
{
    Decoder piece = section.structure();
    const uint64_t offset = piece.number(8);
    piece.bytes(8);
    const uint64_t len = piece.number(4);
    sink.data(offset, len, piece.bytes(len));
}

class Reader
{
  public:
    Reader(const ReadBytes &read, ExportSink &sink) : read_(read), sink_(sink)
    {
    }

    void whole()
    {
        uint8_t head[stream_head];
        need(head, sizeof head);
        Decoder decoder(head, sizeof head);
        const bool known = decoder.number(4) == stream_magic && decoder.number(4) >= 1 &&
                           decoder.number(4) == section_head &&
                           decoder.number(4) == section_foot;
        if (!known)
            throw Trouble("this is not an export of ceph-objectstore-tool, or of another"
                          " version of the format");
        while (section() != pg_end) {
        }
    }

  private:
    const ReadBytes &read_;
    ExportSink &sink_;
    Bytes section_;
    bool in_object_ = false;

    void need(uint8_t *buffer, size_t n)
    {
        if (!read_(buffer, n))
            throw Trouble("the export ends before the end of the placement group");
    }

    /* Reads a section, and returns its type. */
    unsigned section()
    {
        uint8_t bytes[section_head];
        need(bytes, sizeof bytes);
        Decoder head = Decoder(bytes, sizeof bytes).structure();
        const uint64_t magic = head.number(2);
        head.bytes(1);
        const unsigned type = unsigned(head.number(1));
        const uint64_t len = head.number(8);
        if (magic != section_magic || len > longest_section)
            throw Trouble("the export has a section of another form");
        read_body(len);
        take(type);
        return type;
    }

    /* The room grows with what is read, because a wrong length may be far too large. */
    void read_body(uint64_t len)
    {
        section_.clear();
        while (section_.size() < len) {
            const size_t at = section_.size();
            section_.resize(at + std::min<uint64_t>(len - at, uint64_t{1} << 22));
            need(&section_[at], section_.size() - at);
        }
        uint8_t foot[section_foot];
        if (len > 0)
            need(foot, sizeof foot);
    }

    /* Data belongs to an object, and everything else but its attributes does not. */
    void expect(bool in_object) const
    {
        if (in_object_ != in_object)
            throw Trouble("the export has its sections in another order");
    }

    void take(unsigned type)
    {
        const Decoder decoder(section_.data(), section_.size());
        switch (type) {
        case pg_metadata:
            sink_.last_update(decode_last_update(decoder));
            break;
        case object_begin:
            expect(false);
            in_object_ = true;
            sink_.begin(decode_object(decoder));
            break;
        case data:
            expect(true);
            decode_data(decoder, sink_);
            break;
        case object_end:
            expect(true);
            in_object_ = false;
            sink_.end();
            break;
        case pg_end:
            expect(false);
            break;
        case pg_begin:
        case attrs:
        case omap_head:
        case omap:
            break;
        default:
            throw Trouble("the export has a section of the unknown type " +
                          std::to_string(type));
        }
    }
};

} // namespace

void read_export(const ReadBytes &read, ExportSink &sink)
{
    Reader(read, sink).whole();
}

} // namespace permxor_ceph
