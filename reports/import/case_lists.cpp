// SPDX-License-Identifier: Apache-2.0
#include "reports/import/case_lists.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/end_record.hpp"
#include "core/record/status.hpp"
#include "core/record/training.hpp"

namespace busbar {

bool CaseList::add(CaseRecord c) {
  if (!seen_.insert(c.key).second) {
    ++(c.key.bytes == 0 ? empty_repeats_ : other_repeats_);
    return false;
  }
  list_.push_back(std::move(c));
  return true;
}

std::vector<CaseRecord> CaseList::sorted_cases() {
  std::map<std::string, std::size_t> order;
  std::vector<std::pair<std::size_t, std::size_t>> places;  // (series, index of the case)
  for (const CaseRecord& c : list_) {
    const std::size_t series = order.emplace(series_name(c.key), order.size()).first->second;
    places.emplace_back(series, places.size());
  }
  std::ranges::sort(places);
  std::vector<CaseRecord> sorted;
  for (const auto& [series, at] : places) {
    list_[at].index = static_cast<int>(sorted.size());
    sorted.push_back(std::move(list_[at]));
  }
  return sorted;
}

void CaseList::note_repeats(std::vector<std::string>& notes, std::string_view what) const {
  if (repeats() > 0)
    add_note(notes, "{} left out that repeat an earlier one; the first of each was kept", plural(repeats(), what));
}

void add_notes(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

void count_cases(EndRecord& end, const std::vector<CaseRecord>& cases) {
  for (const CaseRecord& c : cases) end.cases.add(c.status);
}

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

std::string subjects(const std::vector<CaseRecord>& cases) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (const CaseRecord& c : cases)
    if (std::ranges::find(names.rbegin(), names.rend(), c.key.collective) == names.rend())  // most are the last one
      names.push_back(c.key.collective);
  const std::string all = fmt::format("{}", fmt::join(std::span(names).first(std::min(names.size(), most)), ", "));
  return names.size() > most ? fmt::format("{} and {} more", all, names.size() - most) : all;
}

void warn_of_torn_rows(std::vector<std::string>& warnings, std::vector<int> lines) {
  constexpr std::size_t most = 5;
  if (lines.empty()) return;
  std::ranges::sort(lines);
  const std::span named(lines.begin(), std::min(lines.size(), most));
  add_note(warnings, "{} cannot be read: torn or mixed with other output ({} {}{})", plural(lines.size(), "row"),
           lines.size() == 1 ? "line" : "lines", fmt::join(named, ", "), lines.size() > most ? ", ..." : "");
}

}  // namespace busbar
