/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the lines that a host with OSDs makes, and that are checked in one place.
 *
 *     osd NUMBER 1 KEY                     what follows was read from this OSD; 1 is the format
 *     obj PG SHARD NAME VERSION SIZE LENGTH HASH
 *     pg PG SHARD LAST_UPDATE OBJECTS      the end of the objects of this PG
 *     end PGS                              the end of this OSD
 *
 * Fields are separated by one space.  NAME has no space (export.h).  LENGTH is that of the
 * shard, and SIZE that of the object.  OBJECTS and PGS count the lines before, so that a report
 * that was cut off is found out.
 */
#ifndef PERMXOR_CEPH_REPORT_H
#define PERMXOR_CEPH_REPORT_H

#include <cstdint>
#include <string>

#include "text.h"
#include "version_number.h"

namespace permxor_ceph
{

/* A shard of a placement group, as Ceph prints it: 5.1as3. */
struct PgShard {
    std::string pg; /* 5.1a */
    unsigned shard = 0;

    uint64_t pool() const;
    uint64_t seed() const; /* the number within the pool: 0x1a */
};

/* Returns whether the text names a shard of a placement group of an erasure-coded pool. */
bool parse_pg_shard(const std::string &text, PgShard &shard);

struct OsdLine {
    uint64_t osd = 0;
    std::string key; /* HashKind::mark() */
};

struct ObjectLine {
    PgShard pg;
    std::string name;
    Version version;
    uint64_t size = 0, length = 0;
    Bytes hash;
};

struct PgLine {
    PgShard pg;
    Version last_update;
    uint64_t objects = 0;
};

struct EndLine {
    uint64_t pgs = 0;
};

std::string line_of(const OsdLine &line);
std::string line_of(const ObjectLine &line);
std::string line_of(const PgLine &line);
std::string line_of(const EndLine &line);

/* Gets the lines of reports. */
class ReportSink
{
  public:
    virtual ~ReportSink() = default;
    virtual void take(const OsdLine &line) = 0;
    virtual void take(const ObjectLine &line) = 0;
    virtual void take(const PgLine &line) = 0;
    virtual void take(const EndLine &line) = 0;
};

/* Passes one line on.  Throws a Trouble for a line of another form. */
void read_line(const std::string &line, ReportSink &sink);

} // namespace permxor_ceph

#endif
