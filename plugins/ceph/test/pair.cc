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
