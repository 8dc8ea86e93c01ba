/* SPDX-License-Identifier: BSD-3-Clause */
#include "code.h"

#include <cerrno>
#include <exception>
#include <numeric>
#include <ostream>
#include <utility>

#include "profile.h"
#include "technique.h"

namespace permxor_ceph
{

/* What make() finds out. */
struct Code::Parts {
    struct Free {
        void operator()(pxr_code *code) const
        {
            pxr_code_free(code);
        }
    };
    std::unique_ptr<pxr_code, Free> coder;
    Profile profile;
    std::vector<int> mapping;
    unsigned multiple; /* the size of a chunk is a multiple of this */
    uint64_t optimizations;
    std::string root, failure_domain, device_class;
    int num_failure_domains, osds_per_failure_domain;

    int build(Family family, Interface interface, Profile &given, std::ostream &out);

  private:
    Asked read(const Technique &technique, Interface interface, Reader &reader);
    void read_mapping(Family family, const Asked &asked, Reader &reader);
    int create_coder(const Technique &technique, const Asked &asked, std::ostream &out);
    void read_rule(Interface interface, Reader &reader);
};

/* -------------------------------------------------------------- reading -- */

bool Code::answers(Family family, const Profile &profile)
{
    if (family == Family::permxor)
        return true;
    const std::string &technique = value_of(profile, "technique");
    if (!technique.empty() && !find_technique(family, technique))
        return false;
    if (!in_order(value_of(profile, "mapping")))
        return false;
    Number bits = to_number(value_of(profile, "w"));
    return family == Family::isa || !bits.trouble.empty() || !other_word(bits.value);
}

/* isa takes a mapping of any length. */
void Code::Parts::read_mapping(Family family, const Asked &asked, Reader &reader)
{
    const std::string &text = reader.mapping();
    int64_t chunks = int64_t{asked.k} + asked.m;
    int64_t mapped = static_cast<int64_t>(text.size());
    if (!in_order(text) && family == Family::permxor)
        reader.refuse() << "mapping=" << text << ": permxor stores data chunks first\n";
    else if (!in_order(text))
        reader.refuse() << "mapping=" << text << needs_original(family);
    else if (mapped != 0 && mapped != chunks && family != Family::isa)
        reader.refuse() << "mapping " << text << " maps " << mapped
                        << " chunks instead of the expected " << chunks
                        << " and will be ignored\n";
    mapping.resize(text.size());
    std::iota(mapping.begin(), mapping.end(), 0);
}

int Code::Parts::create_coder(const Technique &technique, const Asked &asked, std::ostream &out)
{
    pxr_code *made;
    pxr_error why;
    int status =
        pxr_code_create(&made, static_cast<unsigned>(asked.k), static_cast<unsigned>(asked.m),
                        matrix_for(technique, asked.m), &why);
    coder.reset(made);
    if (status == PXR_OK)
        return 0;
    out << "technique=" << technique.name << ": " << why.text << "\n";
    return status == PXR_ENOMEM ? -ENOMEM : -EINVAL;
}

void Code::Parts::read_rule(Interface interface, Reader &reader)
{
    root = reader.text("crush-root", "default");
    failure_domain = reader.text("crush-failure-domain", "host");
    osds_per_failure_domain = 0;
    num_failure_domains = 0;
    if (interface == Interface::flat_20) {
        osds_per_failure_domain = reader.number("crush-osds-per-failure-domain", "0");
        num_failure_domains = reader.number("crush-num-failure-domains", "0");
    }
    device_class = reader.text("crush-device-class", "");
}

/* The order of the steps is that of the originals, for the order of their sentences. */
Asked Code::Parts::read(const Technique &technique, Interface interface, Reader &reader)
{
    Asked asked = {interface, reader.number("k", "7"), reader.number("m", technique.default_m),
                   8};
    if (technique.family == Family::jerasure)
        asked.w = reader.number("w", "8");
    read_mapping(technique.family, asked, reader);
    technique.limit(asked, reader);
    /* 32 bytes: a vector of the originals' times; 128: 16 for each bit of a word. */
    multiple = 32;
    if (technique.per_chunk && reader.flag("jerasure-per-chunk-alignment", "false"))
        multiple = 128;
    if (other_word(asked.w))
        reader.refuse() << "w=" << asked.w << needs_original(technique.family);
    return asked;
}

int Code::Parts::build(Family family, Interface interface, Profile &given, std::ostream &out)
{
    const Technique *technique = choose_technique(family, interface, given, out);
    if (!technique)
        return -ENOENT;
    given["technique"] = technique->name;
    optimizations = technique->optimizations;

    Reader reader(given, out);
    Asked asked = read(*technique, interface, reader);
    if (reader.refused())
        return -EINVAL;
    int status = create_coder(*technique, asked, out);
    if (status != 0)
        return status;
    read_rule(interface, reader);
    if (reader.refused())
        return -EINVAL;
    profile = given;
    return 0;
}

int Code::make(Family family, Interface interface, Profile &profile, std::ostream *ss,
               std::shared_ptr<const Code> *code)
{
    /* What is thrown here is thrown for want of memory, which is no time to write sentences. */
    try {
        std::ostream nowhere(nullptr);
        std::unique_ptr<Parts> parts(new Parts());
        int status = parts->build(family, interface, profile, ss ? *ss : nowhere);
        if (status == 0)
            code->reset(new Code(std::move(parts)));
        return status;
    } catch (const std::exception &) {
        return -ENOMEM;
    }
}

/* ------------------------------------------------------------ the result -- */

Code::Code(std::unique_ptr<const Parts> parts) : parts_(std::move(parts))
{
}

Code::~Code() = default;

unsigned Code::k() const
{
    return pxr_code_k(coder());
}

unsigned Code::m() const
{
    return pxr_code_m(coder());
}

const Profile &Code::profile() const
{
    return parts_->profile;
}

/*
 * isa rounds the k-th part of the stripe up to a multiple of 32.  jerasure rounds the stripe up
 * to a multiple of k * w * sizeof(int) = k * 32 and takes the k-th part, or, aligning each
 * chunk, the k-th part up to w * 16 = 128.  As ceil(ceil(a / b) / c) = ceil(a / (b c)), these
 * are all multiple * ceil(stripe / (multiple * k)).
 */
unsigned Code::chunk_size(unsigned stripe_width) const
{
    uint64_t row = uint64_t{parts_->multiple} * k();
    return static_cast<unsigned>(parts_->multiple * ((stripe_width + row - 1) / row));
}

const std::vector<int> &Code::mapping() const
{
    return parts_->mapping;
}

const std::string &Code::rule_root() const
{
    return parts_->root;
}

const std::string &Code::rule_failure_domain() const
{
    return parts_->failure_domain;
}

const std::string &Code::rule_device_class() const
{
    return parts_->device_class;
}

int Code::rule_num_failure_domains() const
{
    return parts_->num_failure_domains;
}

int Code::rule_osds_per_failure_domain() const
{
    return parts_->osds_per_failure_domain;
}

uint64_t Code::optimizations() const
{
    return parts_->optimizations;
}

/* Each byte is coded on its own. */
size_t Code::granularity() const
{
    return 1;
}

const pxr_code *Code::coder() const
{
    return parts_->coder.get();
}

} // namespace permxor_ceph
