/* SPDX-License-Identifier: BSD-3-Clause */
#include "rule.h"

#include <cerrno>
#include <ostream>

namespace permxor_ceph
{

static const int type_erasure = 3; /* the number of the erasure type, for pools and for rules */
static const unsigned chunks_of_simple_rule = 20;

static int create_rule_of_several_osds(const Code &code, const std::string &name,
                                       CrushWrapper &crush, std::ostream *ss)
{
    if (code.rule_num_failure_domains() < 1) {
        if (ss)
            *ss << "crush-num-failure-domains " << code.rule_num_failure_domains()
                << " must be >= 1 if crush-osds-per-failure-domain specified";
        return -EINVAL;
    }
    return crush.add_indep_multi_osd_per_failure_domain_rule(
        name, code.rule_root(), code.rule_failure_domain(), code.rule_num_failure_domains(),
        code.rule_osds_per_failure_domain(), code.rule_device_class(), ss);
}

static int create_rule_by(ceph::ErasureCodePlugin *original, const Code &code,
                          const std::string &name, CrushWrapper &crush, std::ostream *ss)
{
    if (!original) {
        if (ss)
            *ss << "for more than " << chunks_of_simple_rule
                << " chunks, Ceph 16.2 needs a rule from a plugin of its own; use 'ceph osd "
                   "crush rule create-erasure' to create one from a profile with "
                   "plugin=jerasure "
                   "or isa and the same k and m, and name this rule when you create the pool";
        return -EINVAL;
    }
    Profile profile = code.profile();
    std::shared_ptr<ceph::ErasureCodeInterface> instance;
    int error = original->factory("", profile, &instance, ss);
    if (error != 0)
        return error;
    return reinterpret_cast<ClassicInterface *>(instance.get())->create_rule(name, crush, ss);
}

int create_rule(const Code &code, Interface interface, ceph::ErasureCodePlugin *original,
                const std::string &name, CrushWrapper &crush, std::ostream *ss)
{
    if (interface == Interface::classic_16 && code.k() + code.m() > chunks_of_simple_rule)
        return create_rule_by(original, code, name, crush, ss);
    if (interface != Interface::flat_20)
        return crush.add_simple_rule(name, code.rule_root(), code.rule_failure_domain(),
                                     code.rule_device_class(), "indep", type_erasure, ss);
    if (code.rule_osds_per_failure_domain() > 1)
        return create_rule_of_several_osds(code, name, crush, ss);
    return crush.add_simple_rule(name, code.rule_root(), code.rule_failure_domain(),
                                 code.rule_num_failure_domains(), code.rule_device_class(),
                                 "indep", type_erasure, ss);
}

} // namespace permxor_ceph
