// SPDX-License-Identifier: Apache-2.0
#include "reports/import/training/training_scaling.hpp"

#include <map>

#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/training.hpp"

namespace busbar {

void set_scaling(std::vector<CaseRecord>& cases) {
  const auto like = [](CaseKey k) {
    k.ranks = 0;
    k.nodes.reset();
    k.ranks_per_node.reset();
    return k;
  };
  std::map<CaseKey, const CaseRecord*> fewest;
  for (const CaseRecord& c : cases) {
    const auto at = fewest.emplace(like(c.key), &c).first;
    if (c.key.ranks < at->second->key.ranks) at->second = &c;
  }
  for (CaseRecord& c : cases) {
    const CaseRecord& base = *fewest.at(like(c.key));
    if (!c.training || !base.training || c.key.ranks == base.key.ranks) continue;
    const double more = c.training->samples_per_s / base.training->samples_per_s;
    c.training->scaling = Scaling{.baseline_ranks = base.key.ranks,
                                  .baseline_samples_per_s = base.training->samples_per_s,
                                  .speed_up = more,
                                  .efficiency = more * base.key.ranks / c.key.ranks};
  }
}

}  // namespace busbar
