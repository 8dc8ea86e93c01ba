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
    bool mds;
    size_t granularity;
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
    return in_order(value_of(profile, "mapping"));
}

/* The end of a sentence about a profile that this plugin leaves to the original. */
static std::string needs_original(Family family)
{
    std::string name = family == Family::isa ? "isa" : "jerasure";
    return " needs Ceph's own " + name + " plugin, which this plugin cannot load as libec_" +
           name + "_original.so\n";
}

/* isa takes a mapping of any length. */
void Code::Parts::read_mapping(Family family, const Asked &asked, Reader &reader)
{
    const std::string &text = reader.mapping();
    int64_t chunks = int64_t{asked.k} + asked.m;
    int64_t mapped = static_cast<int64_t>(text.size());
    if (!in_order(text) && family == Family::permxor)
        reader.refuse() << "mapping=" << text
                        << ": permxor always stores the data chunks first\n";
    else if (!in_order(text))
        reader.refuse() << "mapping=" << text << needs_original(family);
    else if (mapped != 0 && mapped != chunks && family != Family::isa)
        reader.refuse() << "mapping " << text << " maps " << mapped
                        << " chunks instead of the expected " << chunks
                        << " and will be ignored\n";
    mapping.resize(text.size());
    std::iota(mapping.begin(), mapping.end(), 0);
}

static bool is_cauchy_of_packets(const Technique &technique)
{
    return technique.matrix == PXR_JERASURE_CAUCHY_ORIG ||
           technique.matrix == PXR_JERASURE_CAUCHY_GOOD;
}

/*
 * Returns whether the coding chunk is the plain sum.  A single coding chunk is: in isa's cauchy
 * because Ceph's isa plugin codes by xor instead, and in the other techniques because the first
 * row of the matrix is ones.  It is not in cauchy_orig; for cauchy_good, pxr_code_create_bits()
 * knows the limits.
 */
static bool is_sum(const Technique &technique, const Asked &asked)
{
    return asked.m == 1 && !is_cauchy_of_packets(technique);
}

/* The only matrix that gets here and is not MDS is that of blaum_roth with w = 7.  With k = 2
   it is MDS, too, which build() takes into account. */
static bool is_mds(const Technique &technique, const Asked &asked)
{
    return technique.matrix != PXR_JERASURE_BLAUM_ROTH || asked.w != 7;
}

static int create(pxr_code **made, const Technique &technique, const Asked &asked,
                  pxr_error *why)
{
    const unsigned k = unsigned(asked.k), m = unsigned(asked.m), w = unsigned(asked.w);
    if (is_sum(technique, asked))
        return pxr_code_create(made, k, m, PXR_ISAL_VAND, why);
    if (asked.packetsize != 0)
        return pxr_code_create_bits(made, k, m, technique.matrix, w, size_t(asked.packetsize),
                                    is_mds(technique, asked) ? 0 : PXR_ASSUME_MDS, why);
    if (w != 8)
        return pxr_code_create_words(made, k, m, technique.matrix, w, why);
    return pxr_code_create(made, k, m, technique.matrix, why);
}

int Code::Parts::create_coder(const Technique &technique, const Asked &asked, std::ostream &out)
{
    pxr_code *made;
    pxr_error why;
    /* Codes of words may have more shards than this plugin's arrays have room for, and more
       than Ceph can number. */
    if (int64_t{asked.k} + asked.m > PXR_MAX_SHARDS) {
        out << "technique=" << technique.name << ": k=" << asked.k << ", m=" << asked.m
            << ": at most k+m=" << PXR_MAX_SHARDS << " shards are possible\n";
        return -EINVAL;
    }
    int status = create(&made, technique, asked, &why);
    coder.reset(made);
    if (status == PXR_OK)
        return 0;
    out << "technique=" << technique.name << ": " << why.text << "\n";
    return status == PXR_ENOMEM ? -ENOMEM : -EINVAL;
}

/*
 * The number of which the sizes of chunks are multiples.  In isa, and so in permxor, it is a
 * vector of 32 bytes. jerasure counts in units, which are w packets, or w bytes where there are
 * no packets.  It takes four units, or sixteen where four are no multiple of 16 bytes.  When it
 * aligns each chunk, it takes one unit of packets, which has to be a multiple of 16 bytes, or
 * sixteen units where there are no packets.
 */
static unsigned multiple_of(const Technique &technique, const Asked &asked)
{
    if (technique.family != Family::jerasure)
        return 32;
    const unsigned w = unsigned(asked.w), packetsize = unsigned(asked.packetsize);
    const unsigned unit = packetsize != 0 ? w * packetsize : w;
    if (asked.per_chunk)
        return packetsize != 0 ? unit : unit * 16;
    return unit * (unit * 4 % 16 == 0 ? 4 : 16);
}

/* The number of which lengths are multiples.  The originals say 1 for words, too, and abort
   when they get a part of a word. */
static size_t granularity_of(const Asked &asked)
{
    return asked.packetsize != 0 ? size_t(asked.w) * size_t(asked.packetsize)
                                 : size_t(asked.w) / 8;
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

/* The steps have the same order as in the originals, so that their sentences do, too. */
Asked Code::Parts::read(const Technique &technique, Interface interface, Reader &reader)
{
    Asked asked = {interface,
                   reader.number("k", technique.k),
                   reader.number("m", technique.m),
                   technique.w ? reader.number("w", technique.w) : 8,
                   0,
                   false};
    read_mapping(technique.family, asked, reader);
    technique.read(asked, reader);
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
    multiple = multiple_of(*technique, asked);
    granularity = granularity_of(asked);
    mds = is_sum(*technique, asked) || is_mds(*technique, asked) || asked.k == 2;
    read_rule(interface, reader);
    if (reader.refused())
        return -EINVAL;
    profile = given;
    return 0;
}

int Code::make(Family family, Interface interface, Profile &profile, std::ostream *ss,
               std::shared_ptr<const Code> *code)
{
    /* An exception here means that memory ran out, which is no time to write sentences. */
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
 * isa rounds the k-th part of the stripe up to a multiple of `multiple`, and so does jerasure
 * when it aligns each chunk.  Otherwise jerasure rounds the stripe up to a multiple of k *
 * multiple and takes the k-th part.  Because ceil(ceil(a / b) / c) = ceil(a / (b c)), all of
 * these are multiple * ceil(stripe / (multiple * k)).
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

bool Code::any_k_suffice() const
{
    return parts_->mds;
}

size_t Code::granularity() const
{
    return parts_->granularity;
}

const pxr_code *Code::coder() const
{
    return parts_->coder.get();
}

} // namespace permxor_ceph
