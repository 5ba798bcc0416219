// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/sweep.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/compare/fields.hpp"
#include "reports/fit/scale_labels.hpp"
#include "reports/text/text.hpp"

namespace busbar::fit {
namespace {

constexpr std::string_view separator =
    "\x1f";  ///< between parts of an identity; cannot occur in labels that users type

bool over_sizes(const CaseRecord& c) {
  const bool transfers = c.key.kind == CaseKind::collective || c.key.kind == CaseKind::pair;
  return transfers && is_measured(c.status) && c.key.bytes > 0 && c.key.ranks > 1 && c.calls.empty() && c.time_s &&
         *c.time_s > 0;
}

/// Why a case has no level; empty if it has one.
std::string problem_of(const CaseKey& k) {
  if (!k.nodes) return "the record does not say how many nodes";
  if (*k.nodes < 1 || k.ranks % *k.nodes != 0) return "its ranks are not distributed evenly over the nodes";
  return {};
}

std::string labels_of(const RunRecord& head, const std::set<std::string>& pool) {
  std::string text;
  for (const auto& [name, value] : head.labels) {
    if (pool.contains(name)) continue;
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

Scale scale_of(const CaseRecord& c) { return {.ranks = c.key.ranks, .nodes = *c.key.nodes}; }

/// The row of the algorithm that a library reported or was asked for, in its own names or those of the table.
const Algorithm* told_by(const std::string& choice, const CaseRecord& c, std::string_view library) {
  const std::string name = choice.substr(0, choice.find_first_of("/+"));
  const Algorithm* told = algorithm_named(c.key.collective, name);
  return told != nullptr ? told : algorithm_named(c.key.collective, row_of_request(c, library, name));
}

void add_case(Sweep& sweep, const std::string& run_name, const CaseRecord& c) {
  if (sweep.launches.empty() || sweep.launches.back() != run_name) sweep.launches.push_back(run_name);
  const std::string choice = choice_of(c);
  const Algorithm* told = choice.empty() ? nullptr : told_by(choice, c, sweep.library);
  sweep.points.push_back({.launch = sweep.launches.size() - 1,
                          .scale = scale_of(c),
                          .bytes = c.key.bytes,
                          .time_s = *c.time_s,
                          .told = told,
                          .choice = choice,
                          .reported = c.choice.has_value()});
}

/// Of a new launch: what differs from earlier ones is unknown.
void keep_if_same(std::string& all, const std::string& one) {
  if (all != one) all.clear();
}

void add_launch(Sweep& sweep, const RunRecord& head, const CaseRecord& c, const SweepOptions& options) {
  const CaseKey& key = c.key;
  const std::string library = library_of(head, key, options.library);
  keep_if_same(sweep.library, library);
  keep_if_same(sweep.rules, rules_of(head, c, library));
  keep_if_same(sweep.device, device_of(head, key));
  keep_if_same(sweep.cpu, cpu_of(head));
}

std::string_view level_of(const CaseRecord& c) { return *c.key.nodes == 1 ? in_node : between_nodes; }

/// Ranks per node of cases between nodes; 0 for cases on one node, which differ in it.
int ranks_beside(const CaseRecord& c) { return *c.key.nodes == 1 ? 0 : c.key.ranks / *c.key.nodes; }

/// A case that has a size, a time and a level.
struct Measurement {
  std::size_t run = 0;
  const CaseRecord* at = nullptr;
  std::string setup;  ///< equal for cases of one library, level and method
};

std::vector<Measurement> measurements(const std::vector<Run>& runs, const SweepOptions& options,
                                      std::vector<std::string>& left_out) {
  std::vector<Measurement> all;
  std::map<std::string, std::size_t> problems;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::string method = method_of(runs[r].head);
    for (const CaseRecord& c : runs[r].cases) {
      if (!over_sizes(c) || !wanted(options, c.key.collective)) continue;
      if (const std::string problem = problem_of(c.key); !problem.empty())
        ++problems[problem];
      else
        all.push_back(
            {.run = r,
             .at = &c,
             .setup = fmt::format("{}{}{}{}{}{}{}{}", c.key.backend, separator, text_of(c.key.kind), separator,
                                  text_of(runs[r].head.origin), level_of(c), ranks_beside(c), method)});
    }
  }
  for (const auto& [problem, n] : problems)
    left_out.push_back(fmt::format("{} left out: {}", plural(n, "case"), problem));
  return all;
}

using LabelOf = std::function<std::string(const Measurement&)>;

/// Labels as text, without those to pool: the user's, and those that follow the scale. Adds remarks on the latter.
LabelOf by_all_labels(const std::vector<Run>& runs, const std::vector<Measurement>& all, const SweepOptions& options,
                      std::vector<std::string>& remarks) {
  std::map<std::string, ScaleLabels> setups;
  for (const Measurement& m : all) {
    auto labels = runs[m.run].head.labels;
    for (const std::string& name : options.pool) labels.erase(name);
    setups[m.setup].add(labels, scale_of(*m.at));
  }
  std::map<std::string, std::set<std::string>> pools;
  std::set<std::string> said;
  for (const auto& [setup, labels] : setups) {
    std::set<std::string>& pool = pools[setup];
    pool.insert(options.pool.begin(), options.pool.end());
    for (const auto& [name, remark] : labels.to_pool()) {
      pool.insert(name);
      said.insert(remark);
    }
    for (const std::string& remark : labels.remarks()) said.insert(remark);
  }
  remarks.assign(said.begin(), said.end());
  return [&runs, pools = std::move(pools)](const Measurement& m) {
    return labels_of(runs[m.run].head, pools.at(m.setup));
  };
}

LabelOf by_criterion(const std::vector<Run>& runs, const std::string& by) {
  return [&runs, by, criterion = compare::find_criterion("--by", by, runs)](const Measurement& m) {
    return fmt::format("{}={}", by, report::shortened(criterion.value(runs[m.run], *m.at), 60));
  };
}

}  // namespace

std::vector<Scale> Sweep::scales() const {
  std::set<Scale> all;
  for (const Observation& o : points) all.insert(o.scale);
  return {all.begin(), all.end()};
}

std::optional<libraries::MpiChoice> Sweep::choice_by_rules(const Scale& scale, std::uint64_t bytes) const {
  if (rules.empty()) return std::nullopt;
  return libraries::mpi_choice(rules, {.collective = collective,
                                       .ranks = scale.ranks,
                                       .nodes = scale.nodes,
                                       .bytes = bytes,
                                       .element_bytes = element_bytes});
}

const Algorithm* Sweep::row_by_rules(const Scale& scale, std::uint64_t bytes) const {
  const auto choice = choice_by_rules(scale, bytes);
  return choice ? algorithm_named(collective, choice->row) : nullptr;
}

std::vector<std::uint64_t> Sweep::sizes() const {
  std::set<std::uint64_t> all;
  for (const Observation& o : points) all.insert(o.bytes);
  return {all.begin(), all.end()};
}

std::string Sweep::name() const {
  std::string text = kind == CaseKind::collective ? collective : text_of(kind) + " " + collective;
  for (const std::string& part : {label, details})
    if (!part.empty()) text += ", " + part;
  return origin == Origin::measured ? text : fmt::format("{}, {}", text, text_of(origin));
}

bool wanted(const SweepOptions& o, std::string_view collective) {
  return o.collectives.empty() || std::ranges::find(o.collectives, collective) != o.collectives.end();
}

Sweeps sweeps(const std::vector<Run>& runs, const SweepOptions& options) {
  Sweeps found;
  const std::vector<Measurement> all = measurements(runs, options, found.left_out);
  const LabelOf label =
      options.by.empty() ? by_all_labels(runs, all, options, found.remarks) : by_criterion(runs, options.by);
  std::map<std::string, std::size_t> index;
  const auto names = report::run_names(runs);
  for (const Measurement& m : all) {
    const CaseRecord& c = *m.at;
    const RunRecord& head = runs[m.run].head;
    const std::string text = label(m);
    const std::string identity =
        fmt::format("{}{}{}{}{}", to_string(without_scale(c.key)), separator, text, separator, m.setup);
    const auto [at, is_new] = index.try_emplace(identity, found.all.size());
    if (is_new)
      found.all.push_back({.collective = c.key.collective,
                           .backend = c.key.backend,
                           .kind = c.key.kind,
                           .label = text,
                           .details = key_details(c.key),
                           .in_place = c.key.in_place,
                           .origin = runs[m.run].head.origin,
                           .level = std::string(level_of(c)),
                           .library = library_of(head, c.key, options.library),
                           .device = device_of(head, c.key),
                           .cpu = cpu_of(head),
                           .rules = rules_of(head, c, library_of(head, c.key, options.library)),
                           .element_bytes = element_bytes_of(c)});
    Sweep& sweep = found.all[at->second];
    if (sweep.launches.empty() || sweep.launches.back() != names[m.run]) add_launch(sweep, head, c, options);
    add_case(sweep, names[m.run], c);
  }
  for (Sweep& sweep : found.all)
    std::ranges::stable_sort(sweep.points, {}, [](const Observation& o) { return std::tuple(o.bytes, o.scale); });
  return found;
}

}  // namespace busbar::fit
