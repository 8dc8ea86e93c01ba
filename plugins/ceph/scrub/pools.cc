/* SPDX-License-Identifier: BSD-3-Clause */
#include "pools.h"

#include <sstream>

#include "../profile.h"
#include "json.h"
#include "text.h"
#include "trouble.h"

namespace permxor_ceph
{

/* The number of this type in Ceph. */
static const char erasure_coded[] = "3";

static bool family_of(const std::string &plugin, Family &family)
{
    static const struct {
        const char *name;
        Family family;
    } plugins[] = {
        {"isa", Family::isa}, {"jerasure", Family::jerasure}, {"permxor", Family::permxor}};
    for (const auto &known : plugins)
        if (plugin == known.name) {
            family = known.family;
            return true;
        }
    return false;
}

/* The last line of the plugin's words, without its end. */
static std::string last_line(std::string words)
{
    while (!words.empty() && words.back() == '\n')
        words.pop_back();
    return words.substr(words.rfind('\n') + 1);
}

/* A code of words has no linear hash over GF(2^8). */
static bool has_hash(const Code &code)
{
    pxr_hash *hash = nullptr;
    if (pxr_hash_create(&hash, 8, nullptr, nullptr) != PXR_OK)
        throw Trouble("there is not enough memory");
    bool has = pxr_hash_bytes(hash, code.coder()) > 0;
    pxr_hash_free(hash);
    return has;
}

void make_code(Profile profile, Pool &pool)
{
    const std::string plugin = value_of(profile, "plugin");
    Family family;
    if (!family_of(plugin, family)) {
        pool.refusal = "plugin " + plugin + ": only isa, jerasure and permxor can be scrubbed";
        return;
    }
    if (!Code::answers(family, profile)) {
        pool.refusal = "technique=" + value_of(profile, "technique") +
                       " mapping=" + value_of(profile, "mapping") +
                       ": the technique is unknown, or the mapping is not in order";
        return;
    }
    std::ostringstream words;
    std::shared_ptr<const Code> code;
    /* The cluster has accepted the profile, so the limits are those of the release that has the
       fewest. */
    if (Code::make(family, Interface::classic_16, profile, &words, &code) != 0) {
        pool.refusal = last_line(words.str());
    } else if (!has_hash(*code)) {
        pool.refusal = "w=" + value_of(profile, "w") +
                       ": words of 16 and 32 bits have no linear hash over GF(2^8)";
    } else {
        pool.code = code;
    }
}

static bool has_flag(const Json &pool, const std::string &flag)
{
    for (const std::string &name : split(pool.at("flags_names").spelt(), ','))
        if (name == flag)
            return true;
    return false;
}

static Profile profile_of(const Json &object)
{
    Profile profile;
    for (const auto &[key, value] : object.object)
        profile[key] = value.spelt();
    return profile;
}

static Pool read_pool(const Json &json, const Json &profiles)
{
    Pool pool;
    pool.name = json.at("pool_name").spelt();
    pool.stripe_width = to_unsigned(json.at("stripe_width").spelt());
    pool.pg_num = to_unsigned(json.at("pg_num").spelt());
    if (has_flag(json, "ec_optimizations"))
        pool.refusal = "allow_ec_optimizations: its shards have lengths and versions of their"
                       " own, which this program does not know";
    else
        make_code(profile_of(profiles.at(json.at("erasure_code_profile").spelt())), pool);
    if (pool.code && (pool.stripe_width == 0 || pool.stripe_width % pool.code->k() != 0))
        throw Trouble("pool " + pool.name + " has stripe_width " +
                      std::to_string(pool.stripe_width));
    return pool;
}

Pools read_pools(const std::string &osd_dump)
{
    const Json json = read_json(osd_dump);
    const Json &profiles = json.at("erasure_code_profiles");
    Pools pools;
    for (const Json &pool : json.at("pools").list)
        if (pool.at("type").spelt() == erasure_coded)
            pools[to_unsigned(pool.at("pool").spelt())] = read_pool(pool, profiles);
    return pools;
}

} // namespace permxor_ceph
