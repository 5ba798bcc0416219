// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/title.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/record/case_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

constexpr std::size_t most_named = 3;

/// "a", "a and b", "a, b and c"; "5 collectives" for more.
std::string name_or_count(const std::vector<std::string>& names, std::string_view word) {
  if (names.size() > most_named) return plural(names.size(), word);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// "resnet50", "transfers between ranks", "function".
std::string word_for(const CaseKey& key) {
  if (key.kind == CaseKind::training) return key.collective;
  if (key.kind != CaseKind::copy) return text_of(key.kind);
  return key.ranks > 1 ? "transfers between ranks" : "transfers between devices";
}

std::string measured(const std::vector<Run>& runs) {
  std::vector<std::string> collectives, others;
  for (const Run& run : runs) {
    for (const CaseRecord& c : run.cases) {
      if (c.key.kind == CaseKind::collective)
        add_new(collectives, c.key.collective);
      else
        add_new(others, word_for(c.key));
    }
  }
  std::vector<std::string> parts;
  if (collectives.size() + others.size() <= most_named) {
    parts = collectives;
    parts.insert(parts.end(), others.begin(), others.end());
  } else {
    if (!collectives.empty()) parts.push_back(name_or_count(collectives, "collective"));
    if (!others.empty()) parts.push_back(name_or_count(others, "workload"));
  }
  return parts.empty() ? "nothing measured" : name_or_count(parts, "workload");
}

/// "2 ranks", "2 to 16 ranks"; empty if unknown.
std::string range_of(const std::set<int>& counts, std::string_view word) {
  if (counts.empty()) return "";
  if (counts.size() == 1) return plural(*counts.begin(), word);
  return fmt::format("{} to {}s", *counts.begin(), fmt::format("{} {}", *counts.rbegin(), word));
}

/// "vm, 2 ranks", "4 nodes, 16 ranks".
std::string places(const std::vector<Run>& runs) {
  std::vector<std::string> hosts;
  std::set<int> nodes, ranks;
  for (const Run& run : runs) {
    for (const Host& host : run.head.hosts) add_new(hosts, host.name);
    if (run.head.nodes) nodes.insert(*run.head.nodes);
    if (run.head.ranks > 0) ranks.insert(run.head.ranks);
  }
  std::vector<std::string> parts;
  if (hosts.size() == 1)
    parts.push_back(hosts.front());
  else if (!nodes.empty())
    parts.push_back(range_of(nodes, "node"));
  if (!ranks.empty() && *ranks.rbegin() > 1) parts.push_back(range_of(ranks, "rank"));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// " (imported)", " (shared GPU)", " (lab)" if all runs are.
std::string origin(const std::vector<Run>& runs) {
  if (runs.empty()) return "";
  const Origin first = runs.front().head.origin;
  const bool alike = std::ranges::all_of(runs, [&](const Run& run) { return run.head.origin == first; });
  if (alike && first != Origin::measured) return fmt::format(" ({})", text_of(first));
  const auto all = [&](auto is_so) { return std::ranges::all_of(runs, is_so); };
  if (all([](const Run& run) { return run.head.method.shared_gpu.value_or(false); })) return " (shared GPU)";
  return all([](const Run& run) { return is_lab(run.head); }) ? " (lab)" : "";
}

}  // namespace

std::string title_of(const std::vector<Run>& runs, std::string_view by) {
  const std::string where = places(runs);
  std::string title = measured(runs);
  if (!where.empty()) title += " on " + where;
  if (!by.empty()) title += fmt::format(", by {}", by);
  title += origin(runs);
  return title;
}

}  // namespace busbar::report
