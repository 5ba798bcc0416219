// SPDX-License-Identifier: Apache-2.0
#include "reports/import/case_lists.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/end_record.hpp"
#include "core/record/status.hpp"

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

void count_cases(EndRecord& end, const std::vector<CaseRecord>& cases) {
  for (const CaseRecord& c : cases) end.cases.add(c.status);
}

std::string subjects(const std::vector<CaseRecord>& cases) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (const CaseRecord& c : cases)
    if (names.empty() ||
        (names.back() != c.key.collective && std::ranges::find(names, c.key.collective) == names.end()))
      names.push_back(c.key.collective);
  std::string all;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) all += (i == 0 ? "" : ", ") + names[i];
  return names.size() > most ? fmt::format("{} and {} more", all, names.size() - most) : all;
}

std::string torn_rows(const std::vector<int>& lines) {
  constexpr std::size_t most = 5;
  std::string named;
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i)
    named += (i == 0 ? "" : ", ") + std::to_string(lines[i]);
  if (lines.size() > most) named += ", ...";
  return fmt::format("{} cannot be read: torn or mixed with other output ({} {})", plural(lines.size(), "row"),
                     lines.size() == 1 ? "line" : "lines", named);
}

}  // namespace busbar
