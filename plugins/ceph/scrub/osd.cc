/* SPDX-License-Identifier: BSD-3-Clause */
#include "osd.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <ostream>

#include "export.h"
#include "report.h"
#include "tool.h"
#include "trouble.h"

namespace permxor_ceph
{

namespace
{

/* Hashes the objects of an export, and writes a line for each. */
class Hasher : public ExportSink
{
  public:
    Hasher(const HashKind &kind, const Pool &pool, const PgShard &pg, std::ostream &out)
        : kind_(kind), pool_(pool), out_(out)
    {
        pg_.pg = line_.pg = pg;
    }

    void last_update(const Version &version) override
    {
        pg_.last_update = version;
    }

    void begin(const ExportedObject &object) override
    {
        line_.name = object.name;
        line_.version = object.version;
        line_.size = object.size;
        line_.length = 0;
        hash_.reset(new ShardHash(kind_, *pool_.code));
    }

    void data(uint64_t offset, size_t len, const uint8_t *bytes) override
    {
        hash_->add(offset, len, bytes);
        line_.length = std::max(line_.length, offset + len);
        bytes_ += len;
    }

    void end() override
    {
        line_.hash = hash_->sum();
        out_ << line_of(line_) << "\n";
        pg_.objects++;
    }

    void finish(Visited &visited) const
    {
        out_ << line_of(pg_) << "\n";
        visited.pgs++;
        visited.shards += pg_.objects;
        visited.bytes += bytes_;
    }

    /* The object that was read last, for messages. */
    const std::string &object() const
    {
        return line_.name;
    }

  private:
    const HashKind &kind_;
    const Pool &pool_;
    std::ostream &out_;
    ObjectLine line_;
    PgLine pg_;
    std::unique_ptr<ShardHash> hash_;
    uint64_t bytes_ = 0;
};

std::vector<std::string> command(const std::string &tool, const std::string &folder,
                                 const std::string &op)
{
    return {tool, "--no-mon-config", "--data-path", folder, "--op", op};
}

uint64_t number_of(const std::string &folder)
{
    std::ifstream file(folder + "/whoami");
    std::string text;
    if (!(file >> text))
        throw Trouble(folder + "/whoami: cannot be read; name the folder of an OSD");
    return to_unsigned(text);
}

std::vector<PgShard> shards_of(const std::string &tool, const std::string &folder)
{
    Tool list(command(tool, folder, "list-pgs"));
    const std::string text = list.rest();
    list.finish();
    std::vector<PgShard> shards;
    for (const std::string &line : split(text, '\n')) {
        PgShard shard;
        if (parse_pg_shard(line, shard))
            shards.push_back(shard);
    }
    return shards;
}

void hash_pg(const std::string &tool, const std::string &folder, Hasher &hasher,
             const PgShard &pg)
{
    std::vector<std::string> words = command(tool, folder, "export");
    const std::string name = pg.pg + "s" + std::to_string(pg.shard);
    words.insert(words.end(), {"--pgid", name});
    Tool tool_run(words);
    try {
        read_export([&](uint8_t *buffer, size_t n) { return tool_run.read(buffer, n); },
                    hasher);
        tool_run.rest();
        tool_run.finish();
    } catch (const Trouble &trouble) {
        throw Trouble("pg " + name + ", after object '" + hasher.object() +
                      "': " + trouble.what() + " (" + tool_run.last_words() + ")");
    }
}

} // namespace

Visited visit_osd(const std::string &folder, const std::string &tool, const Pools &pools,
                  const std::set<std::string> &only, const HashKind &kind, std::ostream &out)
{
    Visited visited = {number_of(folder), 0, 0, 0};
    out << line_of(OsdLine{visited.osd, kind.mark()}) << "\n";
    for (const PgShard &pg : shards_of(tool, folder)) {
        auto pool = pools.find(pg.pool());
        if (pool == pools.end() || !pool->second.code ||
            (!only.empty() && !only.count(pool->second.name)))
            continue;
        Hasher hasher(kind, pool->second, pg, out);
        hash_pg(tool, folder, hasher, pg);
        hasher.finish(visited);
    }
    out << line_of(EndLine{visited.pgs}) << "\n";
    return visited;
}

} // namespace permxor_ceph
