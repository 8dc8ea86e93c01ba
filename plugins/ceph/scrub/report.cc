/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <cstdlib>

#include "trouble.h"

namespace permxor_ceph
{

/* The version of the format. */
static const char format[] = "1";

uint64_t PgShard::pool() const
{
    return to_unsigned(pg.substr(0, pg.find('.')));
}

uint64_t PgShard::seed() const
{
    return std::strtoull(pg.c_str() + pg.find('.') + 1, nullptr, 16);
}

bool parse_pg_shard(const std::string &text, PgShard &shard)
{
    const size_t dot = text.find('.'), s = text.find('s');
    if (dot == std::string::npos || dot == 0 || s == std::string::npos || s < dot + 2 ||
        s + 1 == text.size() || s + 4 < text.size())
        return false;
    if (text.find_first_not_of("0123456789") != dot ||
        text.find_first_not_of("0123456789abcdef", dot + 1) != s ||
        text.find_first_not_of("0123456789", s + 1) != std::string::npos)
        return false;
    shard.pg = text.substr(0, s);
    shard.shard = unsigned(to_unsigned(text.substr(s + 1)));
    return true;
}

static std::string words_of(const PgShard &pg)
{
    return pg.pg + " " + std::to_string(pg.shard);
}

std::string line_of(const OsdLine &line)
{
    return "osd " + std::to_string(line.osd) + " " + format + " " + line.key;
}

std::string line_of(const ObjectLine &line)
{
    return "obj " + words_of(line.pg) + " " + line.name + " " + line.version.text() + " " +
           std::to_string(line.size) + " " + std::to_string(line.length) + " " +
           to_hex(line.hash);
}

std::string line_of(const PgLine &line)
{
    return "pg " + words_of(line.pg) + " " + line.last_update.text() + " " +
           std::to_string(line.objects);
}

std::string line_of(const EndLine &line)
{
    return "end " + std::to_string(line.pgs);
}

static PgShard to_pg(const std::string &pg, const std::string &shard)
{
    PgShard found;
    if (!parse_pg_shard(pg + "s" + shard, found))
        throw Trouble("'" + pg + " " + shard + "' is no shard of a placement group");
    return found;
}

void read_line(const std::string &line, ReportSink &sink)
{
    const std::vector<std::string> words = split(line);
    const std::string &kind = words[0];
    if (kind == "osd" && words.size() == 4) {
        if (words[2] != format)
            throw Trouble("the report has format " + words[2] + ", and this program knows 1");
        sink.take(OsdLine{to_unsigned(words[1]), words[3]});
    } else if (kind == "obj" && words.size() == 8) {
        sink.take(ObjectLine{to_pg(words[1], words[2]), words[3], to_version(words[4]),
                             to_unsigned(words[5]), to_unsigned(words[6]), from_hex(words[7])});
    } else if (kind == "pg" && words.size() == 5) {
        sink.take(
            PgLine{to_pg(words[1], words[2]), to_version(words[3]), to_unsigned(words[4])});
    } else if (kind == "end" && words.size() == 2) {
        sink.take(EndLine{to_unsigned(words[1])});
    } else {
        throw Trouble("a line of another form: " + line.substr(0, 80));
    }
}

} // namespace permxor_ceph
