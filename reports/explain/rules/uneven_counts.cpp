// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"

namespace busbar::explain {
namespace {

constexpr auto even_counts = "even";

/// A case with uneven counts, and the same with even ones.
struct UnevenPair {
  const CaseRecord* uneven;
  const CaseRecord* even;

  [[nodiscard]] double times() const { return *uneven->time_s / *even->time_s; }
  /// How much more the busiest rank sends or receives.
  [[nodiscard]] double load() const { return *uneven->bus_factor / *even->bus_factor; }
};

std::vector<UnevenPair> uneven_pairs(const Run& run) {
  const auto cases = ok_cases(run);
  std::vector<UnevenPair> pairs;
  for (const CaseRecord* c : cases) {
    if (!c->key.counts || c->key.counts == even_counts || !c->time_s || !c->bus_factor) continue;
    CaseKey key = c->key;
    key.counts = even_counts;
    const auto even = std::ranges::find_if(cases, [&](const CaseRecord* other) { return other->key == key; });
    if (even != cases.end() && (*even)->time_s > 0 && (*even)->bus_factor > 0) pairs.push_back({c, *even});
  }
  return pairs;
}

/// True if the intervals of the two times do not overlap.
bool is_slower_for_certain(const UnevenPair& p) {
  return p.uneven->interval_s && p.even->interval_s && p.uneven->interval_s->low > p.even->interval_s->high;
}

std::string text_of_uneven(const UnevenPair& p) {
  return fmt::format(
      "{}, counts {}: {}, {:.2f}x the {} with even counts; the busiest rank sends or receives {:.2f}x as much.",
      case_name(*p.uneven), *p.uneven->key.counts, format_duration(*p.uneven->time_s), p.times(),
      format_duration(*p.even->time_s), p.load());
}

std::vector<Finding> find_uneven_counts(const Run& run) {
  const auto all = uneven_pairs(run);
  std::vector<UnevenPair> slower;
  std::ranges::copy_if(all, std::back_inserter(slower), is_slower_for_certain);
  if (slower.empty()) return {};
  std::ranges::sort(slower, std::greater{}, &UnevenPair::times);
  std::vector<const CaseRecord*> cases;
  for (const UnevenPair& p : slower) cases.push_back(p.uneven);
  Finding f{
      .certainty = Certainty::known,
      .title = "Uneven counts cost time in " + of_cases(slower.size(), all.size()),
      .tries = {"Compare busbw, which is of the busiest rank: if it equals that of even counts, the load alone is "
                "the reason, and only a more even load helps.",
                "If busbw is lower with uneven counts, the library handles them badly: try another one, or pad the "
                "blocks to even counts."},
      .where = where(cases)};
  for (std::size_t i = 0; i < std::min<std::size_t>(slower.size(), 3); ++i)
    f.evidence.push_back(text_of_uneven(slower[i]));
  return {f};
}

}  // namespace

extern const Rule uneven_counts{
    .name = "uneven_counts",
    .about = "blocks of different sizes cost time",
    .order = 190,
    .has_data = [](const Run& run) { return !uneven_pairs(run).empty(); },
    .look = find_uneven_counts,
};

}  // namespace busbar::explain
