/* SPDX-License-Identifier: BSD-3-Clause */
#include "pair.h"

#include <algorithm>

namespace host
{

const Technique techniques[] = {
    {"isa reed_sol_van", "isa", "technique=reed_sol_van", "isa", "technique=reed_sol_van", 21,
     4, false, 1},
    {"isa cauchy", "isa", "technique=cauchy", "isa", "technique=cauchy", 32, 32, false, 1},
    {"jerasure reed_sol_van", "jerasure", "technique=reed_sol_van", "jerasure",
     "technique=reed_sol_van", 60, 30, false, 1},
    {"jerasure reed_sol_van per chunk", "jerasure",
     "technique=reed_sol_van,jerasure-per-chunk-alignment=true", "jerasure",
     "technique=reed_sol_van,jerasure-per-chunk-alignment=true", 60, 30, false, 128},
    {"jerasure reed_sol_r6_op", "jerasure", "technique=reed_sol_r6_op", "jerasure",
     "technique=reed_sol_r6_op", 60, 2, true, 1},
    {"jerasure reed_sol_van w=16", "jerasure", "technique=reed_sol_van,w=16", "jerasure",
     "technique=reed_sol_van,w=16", 60, 30, false, 1},
    {"jerasure reed_sol_van w=32 per chunk", "jerasure",
     "technique=reed_sol_van,w=32,jerasure-per-chunk-alignment=true", "jerasure",
     "technique=reed_sol_van,w=32,jerasure-per-chunk-alignment=true", 20, 10, false, 512},
    {"jerasure reed_sol_r6_op w=16", "jerasure", "technique=reed_sol_r6_op,w=16", "jerasure",
     "technique=reed_sol_r6_op,w=16", 60, 2, true, 1},
    {"jerasure reed_sol_r6_op w=32", "jerasure", "technique=reed_sol_r6_op,w=32", "jerasure",
     "technique=reed_sol_r6_op,w=32", 20, 2, true, 1},
    {"jerasure cauchy_orig", "jerasure", "technique=cauchy_orig,packetsize=32", "jerasure",
     "technique=cauchy_orig,packetsize=32", 12, 4, false, 1},
    {"jerasure cauchy_orig w=4", "jerasure", "technique=cauchy_orig,w=4,packetsize=8",
     "jerasure", "technique=cauchy_orig,w=4,packetsize=8", 12, 4, false, 1},
    {"jerasure cauchy_good", "jerasure", "technique=cauchy_good,packetsize=64", "jerasure",
     "technique=cauchy_good,packetsize=64", 12, 4, false, 1},
    {"jerasure cauchy_good w=5 per chunk", "jerasure",
     "technique=cauchy_good,w=5,packetsize=16,jerasure-per-chunk-alignment=true", "jerasure",
     "technique=cauchy_good,w=5,packetsize=16,jerasure-per-chunk-alignment=true", 20, 6, false,
     80},
    {"jerasure liberation", "jerasure", "technique=liberation,w=11,packetsize=12", "jerasure",
     "technique=liberation,w=11,packetsize=12", 11, 2, true, 1},
    {"jerasure liberation w=37", "jerasure", "technique=liberation,w=37,packetsize=4",
     "jerasure", "technique=liberation,w=37,packetsize=4", 12, 2, true, 1},
    {"jerasure blaum_roth", "jerasure", "technique=blaum_roth,w=10,packetsize=8", "jerasure",
     "technique=blaum_roth,w=10,packetsize=8", 10, 2, true, 1},
    {"jerasure blaum_roth, the default", "jerasure", "technique=blaum_roth,packetsize=16",
     "jerasure", "technique=blaum_roth,packetsize=16", 2, 2, true, 1},
    {"jerasure liber8tion", "jerasure", "technique=liber8tion,packetsize=64", "jerasure",
     "technique=liber8tion,packetsize=64", 8, 2, true, 1},
    {"permxor reed_sol_van", "isa", "technique=reed_sol_van", "permxor",
     "technique=reed_sol_van", 21, 4, false, 1},
    {"permxor cauchy", "isa", "technique=cauchy", "permxor", "technique=cauchy", 32, 32, false,
     1},
};
const size_t technique_count = sizeof(techniques) / sizeof(*techniques);

Plugin &original_of(const Technique &technique)
{
    return plugin_of(taken(), std::string(technique.original) + "_original");
}

Plugin &ours_of(const Technique &technique)
{
    return plugin_of(taken(), technique.ours);
}

Pair pair_of(const Technique &technique, unsigned k, unsigned m)
{
    std::string size = ",k=" + std::to_string(k) + ",m=" + std::to_string(m);
    return {
        code_of<ClassicInterface>(original_of(technique),
                                  profile_of(technique.original_profile + size)),
        code_of<ClassicInterface>(ours_of(technique), profile_of(technique.our_profile + size)),
        k,
        m,
        k + m,
        k * (technique.shortest_chunk - 1) + 1};
}

Pair random_pair(const Technique &technique)
{
    bool large = check_below(16) == 0;
    unsigned most_k = large ? technique.most_k : std::min(technique.most_k, 8u);
    unsigned most_m = large ? technique.most_m : std::min(technique.most_m, 4u);
    unsigned k = 2 + unsigned(check_below(most_k - 1));
    unsigned m = technique.two_parities ? 2 : 1 + unsigned(check_below(most_m));
    return pair_of(technique, k, m);
}

std::map<int, Bytes> random_chunks(const Pair &pair, size_t stripe)
{
    ceph::bufferlist in;
    in.append(random_bytes(stripe));
    ChunkMap encoded;
    CHECK_INT(pair.original->encode(all_of(pair.n), in, &encoded), 0);
    std::map<int, Bytes> chunks;
    for (const auto &[id, list] : encoded)
        chunks[id] = bytes_of(list);
    return chunks;
}

ChunkMap lists_of(Pool &pool, const std::map<int, Bytes> &chunks, const ChunkSet &ids,
                  Form form)
{
    ChunkMap lists;
    for (int id : ids)
        lists[id] = pool.list(chunks.at(id), form);
    return lists;
}

} // namespace host
