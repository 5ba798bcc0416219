// SPDX-License-Identifier: Apache-2.0
#include "core/record/case_record.hpp"
#include "reports/expected/ceiling.hpp"

namespace busbar::expected {
namespace {

/// Ranks of one host exchange data through host memory; records do not contain its bandwidth.
std::vector<CeilingResult> of_memory(const CeilingInput& p) {
  const CaseKey& k = p.record.key;
  if (k.memory != "host" || !k.nodes || *k.nodes >= k.ranks) return {};
  return {Missing{.what = "host memory", .why = "records do not contain its bandwidth"}};
}

}  // namespace
}  // namespace busbar::expected

namespace busbar {

extern const expected::Place host_memory_ceiling{.name = "host_memory", .findings = expected::of_memory};

}  // namespace busbar
