/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor-ceph-scrub - scrubs erasure-coded pools of Ceph without moving their data.
 */
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "collect.h"
#include "osd.h"
#include "trouble.h"

using namespace permxor_ceph;

static const char usage[] =
    "usage: permxor-ceph-scrub hash --map MAP --data-path FOLDER [OPTION...] > REPORT\n"
    "       permxor-ceph-scrub check --map MAP [--pool NAME...] REPORT...\n"
    "       permxor-ceph-scrub pools --map MAP\n"
    "\n"
    "    hash     read the shards that a stopped OSD holds, and print a hash of each\n"
    "    check    compare the reports of all OSDs, and name wrong shards\n"
    "    pools    print which pools can be scrubbed\n"
    "\n"
    "MAP is the output of: ceph osd dump --format json\n"
    "\n"
    "    --data-path FOLDER  the data of the OSD, such as /var/lib/ceph/osd/ceph-3\n"
    "    --pool NAME         hash this pool only, or expect reports of this pool only; may be\n"
    "                        repeated\n"
    "    --key FILE          16 hexadecimal digits, the same on all hosts\n"
    "    --tool PROGRAM      run this in place of ceph-objectstore-tool\n"
    "\n"
    "Exit status: 0 all objects are fine; 1 some object is wrong; 2 an error; 3 nothing is "
    "wrong,\n"
    "but some objects were written meanwhile, or could not be judged, or placement groups are "
    "not\n"
    "in the reports.\n";

struct Options {
    std::string map, data_path, key, tool = "ceph-objectstore-tool";
    std::set<std::string> pools;
    std::vector<std::string> files;
};

static std::string read_file(const std::string &name)
{
    std::ifstream file(name, std::ios::binary);
    if (!file)
        throw Trouble(name + ": cannot be opened: " + std::strerror(errno));
    try {
        return std::string(std::istreambuf_iterator<char>(file), {});
    } catch (const std::ios_base::failure &) {
        throw Trouble(name + ": cannot be read: " + std::strerror(errno));
    }
}

static Options read_options(const std::vector<std::string> &words)
{
    Options options;
    for (size_t i = 1; i < words.size(); i++) {
        const std::string &word = words[i];
        if (word.compare(0, 2, "--") != 0) {
            options.files.push_back(word);
            continue;
        }
        if (i + 1 == words.size())
            throw Trouble(word + " needs a value; --help says which");
        const std::string &value = words[++i];
        if (word == "--map")
            options.map = value;
        else if (word == "--data-path")
            options.data_path = value;
        else if (word == "--key")
            options.key = value;
        else if (word == "--tool")
            options.tool = value;
        else if (word == "--pool")
            options.pools.insert(value);
        else
            throw Trouble(word + " is unknown; --help prints the options");
    }
    if (options.map.empty())
        throw Trouble("--map is missing: the output of ceph osd dump --format json");
    return options;
}

static Pools pools_of(const Options &options)
{
    try {
        return read_pools(read_file(options.map));
    } catch (const Trouble &trouble) {
        throw Trouble(options.map + ": " + trouble.what());
    }
}

static Bytes key_of(const Options &options)
{
    if (options.key.empty())
        return {};
    std::string text = read_file(options.key);
    text.erase(text.find_last_not_of(" \n\r\t") + 1);
    if (text.empty())
        throw Trouble(options.key + ": the file has no key");
    return from_hex(text);
}

static void check_names(const Options &options, const Pools &pools)
{
    for (const std::string &name : options.pools) {
        const Pool *found = nullptr;
        for (const auto &[id, pool] : pools)
            if (pool.name == name)
                found = &pool;
        if (!found)
            throw Trouble("--pool " + name + ": the map has no such erasure-coded pool");
        if (!found->code)
            throw Trouble("--pool " + name + ": " + found->refusal);
    }
}

static void say_refusals(const Pools &pools)
{
    for (const auto &[id, pool] : pools)
        if (!pool.code)
            std::cerr << "pool " << pool.name << " is left out: " << pool.refusal << "\n";
}

static int hash_verb(const Options &options)
{
    if (options.data_path.empty() || !options.files.empty())
        throw Trouble("hash needs --data-path FOLDER, and no files");
    const Pools pools = pools_of(options);
    check_names(options, pools);
    if (options.pools.empty())
        say_refusals(pools);
    const HashKind kind(key_of(options));
    const Visited visited =
        visit_osd(options.data_path, options.tool, pools, options.pools, kind, std::cout);
    if (!std::cout.flush())
        throw Trouble("cannot write the report");
    std::cerr << "osd." << visited.osd << ": " << visited.pgs << " placement groups, "
              << visited.shards << " shards, " << visited.bytes << " bytes hashed\n";
    return 0;
}

static void collect(const std::string &name, Collector &collector)
{
    std::ifstream file(name);
    if (!file)
        throw Trouble(name + ": cannot be opened: " + std::strerror(errno));
    uint64_t number = 0;
    try {
        for (std::string line; std::getline(file, line);) {
            number++;
            collector.line(line);
        }
        if (number == 0)
            throw Trouble("there is no report in this file");
        collector.end_of_file();
    } catch (const Trouble &trouble) {
        throw Trouble(name + ":" + std::to_string(number) + ": " + trouble.what());
    }
}

static int check_verb(const Options &options)
{
    if (options.files.empty() || !options.data_path.empty() || !options.key.empty())
        throw Trouble("check needs the files of reports, and no options but --map and --pool");
    const Pools pools = pools_of(options);
    check_names(options, pools);
    if (options.pools.empty())
        say_refusals(pools);
    Collector collector(pools);
    for (const std::string &file : options.files)
        collect(file, collector);
    const Tally tally = collector.judge_all(std::cout);
    const uint64_t gaps = collector.name_gaps(options.pools, std::cout);
    if (!std::cout.flush())
        throw Trouble("cannot write the result");
    if (tally[size_t(Verdict::wrong)] > 0)
        return 1;
    return tally[size_t(Verdict::again)] + tally[size_t(Verdict::unknown)] + gaps > 0 ? 3 : 0;
}

static int pools_verb(const Options &options)
{
    for (const auto &[id, pool] : pools_of(options)) {
        std::cout << id << " " << pool.name << ": ";
        if (pool.code)
            std::cout << "k=" << pool.code->k() << " m=" << pool.code->m() << "\n";
        else
            std::cout << "left out: " << pool.refusal << "\n";
    }
    if (!std::cout.flush())
        throw Trouble("cannot write the list of pools");
    return 0;
}

static int run(const std::vector<std::string> &words)
{
    if (words.empty())
        throw Trouble("name a verb: hash, check or pools; --help explains them");
    if (words[0] == "-h" || std::count(words.begin(), words.end(), "--help") > 0) {
        std::cout << usage;
        return 0;
    }
    if (words[0] == "hash")
        return hash_verb(read_options(words));
    if (words[0] == "check")
        return check_verb(read_options(words));
    if (words[0] == "pools")
        return pools_verb(read_options(words));
    throw Trouble("'" + words[0] + "' is no verb; --help explains the verbs");
}

int main(int argc, char **argv)
{
    try {
        return run(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const std::bad_alloc &) {
        std::cerr << "permxor-ceph-scrub: there is not enough memory\n";
    } catch (const std::exception &error) {
        std::cerr << "permxor-ceph-scrub: " << error.what() << "\n";
    }
    return 2;
}
