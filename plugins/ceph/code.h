/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code.h - the code that an erasure-code profile of Ceph stands for.
 *
 * A Code is a profile that was read, checked and completed.  It holds the codec of permxor.h,
 * the rule for the size of chunks, and the words for the CRUSH rule.  Nothing here depends on
 * Ceph's classes; classic.h and flat.h put a Code behind them.
 *
 * The plugin stands for three families of techniques.  In the families isa and jerasure it
 * takes the place of the plugin of that name, for pools that exist.  Whatever the original
 * decides about a profile (accept or refuse, the errno, the line of text, the defaults that it
 * adds) is decided in the same way here, because the monitor refuses a plugin whose completed
 * profile is not the one that it stored.
 *
 *     family     technique (default first)           bytes                     k, m, w
 *     isa        reed_sol_van                        ISA-L gf_gen_rs_matrix     7, 3
 *                cauchy                              gf_gen_cauchy1_matrix      7, 3
 *     jerasure   reed_sol_van                        those of jerasure          7, 3, 8
 *                reed_sol_r6_op                      P and Q of RAID-6          7, 2, 8
 *                cauchy_orig, cauchy_good            those of jerasure          7, 3, 8
 *                liberation, blaum_roth              those of jerasure          2, 2, 7
 *                liber8tion                          those of jerasure          2, 2, 8
 *     permxor    the two of isa, and as jerasure_reed_sol_van and jerasure_reed_sol_r6_op
 *                the first two of jerasure with w=8, all with isa's sizes of chunks
 *
 * With m=1 the coding chunk of all techniques but cauchy_orig is the plain sum.  For the
 * techniques of isa, the family permxor accepts the sizes that isa accepts in every release,
 * since isa stands in for it (handover.h).  For the others it accepts the sizes that
 * pxr_code_create() accepts, up to k + m = 127, which is as many chunks as Ceph can number.
 */
#ifndef PERMXOR_CEPH_CODE_H
#define PERMXOR_CEPH_CODE_H

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "permxor.h"

namespace permxor_ceph
{

using Profile = std::map<std::string, std::string>;

enum class Family { permxor, isa, jerasure };

/* The releases of Ceph as far as they differ for profiles: in the keys for the CRUSH rule, the
   alignment of chunks, and the checks. */
enum class Interface { classic_16, classic_18, flat_20 };

/* Immutable after make().  So all threads share it without a lock. */
class Code
{
  public:
    /*
     * Returns whether make() decides on this profile.  False for a technique that is unknown
     * here, which the original may know, and for a mapping that does not leave the chunks in
     * order.  A profile that the original would refuse is decided here, too: make() refuses it
     * with the same words.
     */
    static bool answers(Family family, const Profile &profile);

    /*
     * Read, check and complete the profile.  Returns 0, or a negative errno with the reason in
     * *ss, which may be null; the profile is then half completed, as the originals leave it,
     * and *code is unchanged.  Where answers() is false, it returns -ENOENT for the technique,
     * or -EINVAL for the mapping, with advice in *ss.  It does not change a completed profile
     * any more.  It throws no exception: -ENOMEM means that memory ran out.
     *
     * It is stricter than the originals where these accept what they cannot code, which
     * limits.cc lists.  It is stricter than it has to be about k + m > 256, w * (k + m) > 2048
     * packets, and stripes whose packets are so large that their lengths, times 16, are no int.
     */
    static int make(Family family, Interface interface, Profile &profile, std::ostream *ss,
                    std::shared_ptr<const Code> *code);

    Code(const Code &) = delete;
    Code &operator=(const Code &) = delete;
    ~Code();

    unsigned k() const;
    unsigned m() const;

    /* The completed profile, which get_profile() returns. */
    const Profile &profile() const;

    /* Bytes of a chunk when stripe_width bytes of an object are cut into k chunks. */
    unsigned chunk_size(unsigned stripe_width) const;

    /*
     * What get_chunk_mapping() returns: for each character of the profile's "mapping" the place
     * of that chunk, which is its own number.  It is empty for a profile without mapping; isa
     * allows more and fewer characters than k + m.
     *
     * Other mappings are not answered, because there are no right bytes for them.  The
     * originals list the places but code as if there were no list, and with mapping=_DDDD_ 16.2
     * and 18.2 write a coding chunk over the last data chunk (measured).  To code such a pool
     * as its profile says would misread what the originals wrote, in a cluster that has both.
     */
    const std::vector<int> &mapping() const;

    /* The words for the CRUSH rule.  The two numbers exist from 20.2 on, and are 0 before. */
    const std::string &rule_root() const;
    const std::string &rule_failure_domain() const;
    const std::string &rule_device_class() const;
    int rule_num_failure_domains() const;
    int rule_osds_per_failure_domain() const;

    /* For 20.2: the flags of get_supported_optimizations(), and get_minimum_granularity(),
       which is the number of bytes of which the lengths in calls are multiples. */
    uint64_t optimizations() const;
    size_t granularity() const;

    /* False where there are k chunks that do not determine the others: blaum_roth with its
       default w. */
    bool any_k_suffice() const;

    /* For pxr_encode(), pxr_reconstruct() and pxr_update(), which take a const pxr_code and
       keep the inverted matrices in it. */
    const pxr_code *coder() const;

  private:
    struct Parts;
    explicit Code(std::unique_ptr<const Parts> parts);
    std::unique_ptr<const Parts> parts_;
};

} // namespace permxor_ceph

#endif
