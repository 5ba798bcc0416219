// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/sweep.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/compare/criterion.hpp"
#include "reports/compare/fields.hpp"
#include "reports/text/text.hpp"

namespace busbar::fit {
namespace {

constexpr std::string_view separator =
    "\x1f";  ///< between parts of an identity; cannot occur in labels that users type

bool over_sizes(const CaseRecord& c) {
  const bool transfers = c.key.kind == CaseKind::collective || c.key.kind == CaseKind::pair;
  return transfers && is_measured(c.status) && c.key.bytes > 0 && c.key.ranks > 1 && c.time_s && *c.time_s > 0;
}

/// Why a case has no level; empty if it has one.
std::string problem_of(const CaseKey& k) {
  if (!k.nodes) return "the record does not say how many nodes";
  if (*k.nodes < 1 || k.ranks % *k.nodes != 0) return "its ranks are not distributed evenly over the nodes";
  return {};
}

std::string labels_of(const RunRecord& head, const std::vector<std::string>& pool) {
  std::string text;
  for (const auto& [name, value] : head.labels) {
    if (std::ranges::find(pool, name) != pool.end()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", report::shortened(name, 60), report::shortened(value, 60));
  }
  return text;
}

/// The algorithm that the library reported, or that was requested: "ring/simple".
std::string choice_of(const CaseRecord& c) {
  if (c.choice) return c.choice->algorithm + "/" + c.choice->protocol;
  return c.key.algorithm.value_or("");
}

std::string method_of(const RunRecord& head) {
  std::string text;
  for (const auto& field : compare::method_fields()) text += std::string(separator) + field.value(head);
  return text;
}

std::string key_details(CaseKey k) {
  std::string text;
  const auto parts = report::key_parts(k);
  const auto names = report::part_names();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (names[i] != "ranks" && !parts[i].empty()) text += (text.empty() ? "" : ", ") + parts[i];
  return text;
}

void add_case(Sweep& sweep, const std::string& run_name, const CaseRecord& c) {
  const Scale scale{.ranks = c.key.ranks, .nodes = *c.key.nodes};
  if (sweep.launches.empty() || sweep.launches.back() != run_name) sweep.launches.push_back(run_name);
  const std::string choice = choice_of(c);
  const Algorithm* told = algorithm_named(c.key.collective, choice.substr(0, choice.find_first_of("/+")));
  sweep.points.push_back({.launch = sweep.launches.size() - 1,
                          .scale = scale,
                          .bytes = c.key.bytes,
                          .time_s = *c.time_s,
                          .told = told,
                          .choice = choice});
}

}  // namespace

std::vector<Scale> Sweep::scales() const {
  std::set<Scale> all;
  for (const Observation& o : points) all.insert(o.scale);
  return {all.begin(), all.end()};
}

std::string Sweep::name() const {
  std::string text = kind == CaseKind::collective ? collective : text_of(kind) + " " + collective;
  for (const std::string& part : {label, details})
    if (!part.empty()) text += ", " + part;
  return text;
}

bool wanted(const SweepOptions& o, std::string_view collective) {
  return o.collectives.empty() || std::ranges::find(o.collectives, collective) != o.collectives.end();
}

Sweeps sweeps(const std::vector<Run>& runs, const SweepOptions& options) {
  const auto label = [&]() -> std::function<std::string(const Run&, const CaseRecord&)> {
    if (options.by.empty()) return [&](const Run& run, const CaseRecord&) { return labels_of(run.head, options.pool); };
    return [&, criterion = compare::find_criterion("--by", options.by, runs)](const Run& run, const CaseRecord& c) {
      return fmt::format("{}={}", options.by, report::shortened(criterion.value(run, c), 60));
    };
  }();
  Sweeps found;
  std::map<std::string, std::size_t> index;
  std::map<std::string, std::size_t> problems;
  const auto names = report::run_names(runs);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const CaseRecord& c : runs[r].cases) {
      if (!over_sizes(c) || !wanted(options, c.key.collective)) continue;
      if (const std::string problem = problem_of(c.key); !problem.empty()) {
        ++problems[problem];
        continue;
      }
      const bool one_node = *c.key.nodes == 1;
      const std::string text = label(runs[r], c), level(one_node ? in_node : between_nodes);
      const std::string identity =
          fmt::format("{}{}{}{}{}{}{}{}", to_string(without_scale(c.key)), separator, text, separator, level, separator,
                      one_node ? 0 : c.key.ranks / *c.key.nodes, method_of(runs[r].head));
      const auto [at, is_new] = index.try_emplace(identity, found.all.size());
      if (is_new)
        found.all.push_back({.collective = c.key.collective,
                             .backend = c.key.backend,
                             .kind = c.key.kind,
                             .label = text,
                             .details = key_details(c.key),
                             .in_place = c.key.in_place,
                             .level = level});
      add_case(found.all[at->second], names[r], c);
    }
  }
  for (Sweep& sweep : found.all)
    std::ranges::stable_sort(sweep.points, {}, [](const Observation& o) { return std::tuple(o.bytes, o.scale); });
  for (const auto& [problem, n] : problems)
    found.left_out.push_back(fmt::format("{} left out: {}", plural(n, "case"), problem));
  return found;
}

}  // namespace busbar::fit
