/* SPDX-License-Identifier: BSD-3-Clause */
#include "rule.h"

#include <cerrno>
#include <ostream>

namespace permxor_ceph
{

static const int type_erasure = 3; /* of pools, and of rules */

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

int create_rule(const Code &code, Interface interface, const std::string &name,
                CrushWrapper &crush, std::ostream *ss)
{
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
