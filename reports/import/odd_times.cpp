// SPDX-License-Identifier: Apache-2.0
#include "reports/import/odd_times.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

constexpr double far_above = 10, far_below = 5;
constexpr std::uint64_t farthest = 8;  ///< maximum size ratio of neighbours

using Series = std::vector<const CaseRecord*>;

/// Cases with a time over size, by ascending size.
std::map<std::string, Series> series_of(const std::vector<CaseRecord>& records) {
  std::map<std::string, Series> all;
  for (const CaseRecord& c : records) {
    const bool over_size = c.key.kind == CaseKind::collective || c.key.kind == CaseKind::pair;
    if (over_size && c.key.bytes > 0 && c.time_s && *c.time_s > 0) all[series_name(c.key)].push_back(&c);
  }
  for (auto& [name, cases] : all) std::ranges::stable_sort(cases, {}, [](const CaseRecord* c) { return c->key.bytes; });
  return all;
}

bool is_near(const CaseRecord& a, const CaseRecord& b) { return b.key.bytes <= farthest * a.key.bytes; }

/// Whether the time of `c` cannot be one of a series with its neighbours. `after` is null at the largest size.
bool is_odd(const CaseRecord& before, const CaseRecord& c, const CaseRecord* after) {
  if (!is_near(before, c)) return false;
  if (*c.time_s * far_below < *before.time_s) return after == nullptr || *c.time_s * far_below < *after->time_s;
  return after != nullptr && is_near(c, *after) && *c.time_s > far_above * *before.time_s &&
         *c.time_s > far_above * *after->time_s;
}

}  // namespace

std::optional<std::string> warning_of_odd_times(const std::vector<CaseRecord>& records) {
  Series odd;
  for (const auto& [name, cases] : series_of(records)) {
    const CaseRecord* before = cases.front();
    for (std::size_t i = 1; i < cases.size(); ++i)
      if (is_odd(*before, *cases[i], i + 1 < cases.size() ? cases[i + 1] : nullptr))
        odd.push_back(cases[i]);
      else
        before = cases[i];
  }
  if (odd.empty()) return std::nullopt;
  const CaseRecord& first = *odd.front();
  return fmt::format("{} at {}: {} is far from the times of the sizes beside it{}: a disturbed call, or a torn line",
                     first.key.collective, format_size(first.key.bytes), report::duration(*first.time_s),
                     odd.size() > 1 ? fmt::format(" (and {} more)", odd.size() - 1) : "");
}

}  // namespace busbar
