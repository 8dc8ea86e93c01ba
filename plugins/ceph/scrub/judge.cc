/* SPDX-License-Identifier: BSD-3-Clause */
#include "judge.h"

#include <algorithm>

#include "trouble.h"

namespace permxor_ceph
{

namespace
{

class Judge
{
  public:
    Judge(const HashKind &kind, const Pool &pool, const std::vector<Held> &held,
          const std::vector<Visit> &visits)
        : kind_(kind), pool_(pool), held_(held), visits_(visits)
    {
        for (size_t i = 0; i < held.size(); i++) {
            if (!held[i].there)
                continue;
            if (newest_.version < held[i].version || !newest_.there)
                newest_ = held[i];
            latest_ = std::max(latest_, visits[i].last_update);
        }
    }

    Finding whole()
    {
        for (size_t i = 0; i < held_.size(); i++)
            judge_presence(i);
        if (found_.empty())
            judge_lengths();
        if (found_.empty())
            judge_hashes();
        return result();
    }

  private:
    struct Entry {
        Verdict verdict;
        std::string text;
    };
    const HashKind &kind_;
    const Pool &pool_;
    const std::vector<Held> &held_;
    const std::vector<Visit> &visits_;
    Held newest_;
    Version latest_; /* the latest write that a visit which saw the object saw */
    std::vector<Entry> found_;

    void add(Verdict verdict, const std::string &text)
    {
        found_.push_back({verdict, text});
    }

    std::string place(size_t i) const
    {
        return "shard " + std::to_string(i) + " on osd." + std::to_string(visits_[i].osd);
    }

    void judge_presence(size_t i)
    {
        const Visit &visit = visits_[i];
        const bool seen = !(visit.last_update < newest_.version);
        if (!visit.done)
            add(Verdict::unknown,
                "shard " + std::to_string(i) + " is on no OSD that was visited");
        else if (held_[i].there && held_[i].version < newest_.version)
            add(seen ? Verdict::wrong : Verdict::again,
                place(i) + " has version " + held_[i].version.text() + " instead of " +
                    newest_.version.text() + (seen ? "" : ", which was written later"));
        else if (!held_[i].there && !seen)
            add(Verdict::again, place(i) + " was visited before the object was written");
        else if (!held_[i].there && latest_ < visit.last_update)
            add(Verdict::again, place(i) + " is missing; the object may have been removed"
                                           " before the visit");
        else if (!held_[i].there)
            add(Verdict::wrong, place(i) + " is missing");
    }

    void judge_lengths()
    {
        for (size_t i = 0; i < held_.size(); i++)
            if (held_[i].size != newest_.size) {
                add(Verdict::wrong, "the shards disagree on the size of the object: " +
                                        std::to_string(held_[i].size) + " and " +
                                        std::to_string(newest_.size) + " bytes");
                return;
            }
        const uint64_t right = pool_.shard_length(newest_.size);
        for (size_t i = 0; i < held_.size(); i++)
            if (held_[i].length != right)
                add(Verdict::wrong, place(i) + " has " + std::to_string(held_[i].length) +
                                        " bytes instead of " + std::to_string(right));
    }

    void judge_hashes()
    {
        const pxr_code *const code = pool_.code->coder();
        const size_t bytes = pxr_hash_bytes(kind_.get(), code);
        std::vector<const uint8_t *> sums;
        for (const Held &held : held_) {
            if (held.hash.size() != bytes)
                throw Trouble("pool " + pool_.name + ": a hash has " +
                              std::to_string(held.hash.size()) + " bytes instead of " +
                              std::to_string(bytes));
            sums.push_back(held.hash.data());
        }
        int status = pxr_hash_check(kind_.get(), code, sums.data());
        if (status == PXR_EMISMATCH)
            locate(code, sums.data());
        else if (status != PXR_OK)
            throw Trouble(pxr_strerror(status));
    }

    void locate(const pxr_code *code, pxr_inputs sums)
    {
        if (pool_.code->m() < 2) {
            add(Verdict::wrong, "some shard is wrong; with m=1 no more can be told");
            return;
        }
        unsigned wrong;
        int status = pxr_hash_locate(kind_.get(), code, sums, &wrong);
        if (status == PXR_EMISMATCH)
            add(Verdict::wrong, place(wrong) + " is wrong");
        else if (status == PXR_EAMBIGUOUS || status == PXR_ESINGULAR)
            add(Verdict::wrong, pool_.code->any_k_suffice()
                                    ? "more than one shard is wrong"
                                    : "one or more shards are wrong; this code does not tell "
                                      "which");
        else
            throw Trouble(pxr_strerror(status));
    }

    /* The worst of what was found, with all texts of that kind. */
    Finding result() const
    {
        Finding finding;
        for (Verdict verdict : {Verdict::wrong, Verdict::again, Verdict::unknown}) {
            for (const Entry &entry : found_)
                if (entry.verdict == verdict)
                    finding.text += (finding.text.empty() ? "" : "; ") + entry.text;
            if (!finding.text.empty()) {
                finding.verdict = verdict;
                break;
            }
        }
        return finding;
    }
};

} // namespace

Finding judge(const HashKind &kind, const Pool &pool, const std::vector<Held> &held,
              const std::vector<Visit> &visits)
{
    return Judge(kind, pool, held, visits).whole();
}

} // namespace permxor_ceph
