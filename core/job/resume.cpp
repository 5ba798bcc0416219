// SPDX-License-Identifier: Apache-2.0
#include "core/job/resume.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/simulation.hpp"
#include "core/record/software.hpp"

namespace busbar {
namespace {

/// Options that do not affect measurements; the first list takes values.
constexpr std::array with_value{
    "--resume", "--out", "--progress", "--timeout", "--startup-timeout", "--telemetry-prometheus"};
constexpr std::array without_value{"--overwrite"};

using Words = std::vector<std::string>;
using Map = std::map<std::string, std::string>;

bool is_one_of(const auto& names, const std::string& word) { return std::ranges::find(names, word) != names.end(); }

/// The words that affect measurements: without the program and the options above.
Words what_counts(const Words& argv) {
  Words all;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string flag = argv[i].substr(0, argv[i].find('='));
    if (is_one_of(without_value, flag)) continue;
    if (!is_one_of(with_value, flag))
      all.push_back(argv[i]);
    else if (flag == argv[i])
      ++i;
  }
  return all;
}

/// The word at `i`, with its flag.
std::string shown(const Words& words, std::size_t i) {
  if (i >= words.size()) return "nothing more";
  const bool is_value = i > 0 && !words[i].starts_with('-') && words[i - 1].starts_with('-');
  return is_value ? words[i - 1] + " " + words[i] : words[i];
}

std::string or_none(const std::string& s) { return s.empty() ? "none" : s; }

/// Throws UsageError at the first difference between two launches.
class Comparison {
 public:
  explicit Comparison(const Run& run) : run_(run) {}

  void hold(std::string_view what, const std::string& was, const std::string& is) const {
    if (was == is) return;
    throw UsageError(fmt::format("--resume: {} is of another launch: {} was {}, and now is {}", run_.path, what,
                                 or_none(was), or_none(is)));
  }
  void hold(std::string_view what, const std::optional<std::string>& was, const std::optional<std::string>& is) const {
    hold(what, was.value_or(""), is.value_or(""));
  }
  void hold_options(const Words& was, const Words& is) const {
    const auto [a, b] = std::ranges::mismatch(was, is);
    if (a == was.end() && b == is.end()) return;
    const auto at = static_cast<std::size_t>(a - was.begin());
    hold("the option", shown(was, at), shown(is, at));
  }
  /// Compares value by value.
  void hold_map(std::string_view kind, const Map& was, const Map& is) const {
    std::set<std::string> names;
    for (const Map* map : {&was, &is})
      for (const auto& entry : *map) names.insert(entry.first);
    const auto value = [](const Map& map, const std::string& name) {
      const auto found = map.find(name);
      return found == map.end() ? "not there" : "'" + found->second + "'";
    };
    for (const std::string& name : names) hold(fmt::format("{} {}", kind, name), value(was, name), value(is, name));
  }

 private:
  const Run& run_;
};

/// Environment without a batch system's variables on job size: hosts and ranks are compared directly.
Map settings_of(const RunRecord& r) {
  Map all = r.environment;
  std::erase_if(all, [](const auto& variable) { return variable.first.starts_with("SLURM_"); });
  return all;
}

std::string hosts_of(const RunRecord& r) {
  std::set<std::string> names;
  for (const RankPlace& place : r.placement) names.insert(place.host);
  return fmt::format("{}", fmt::join(names, ","));
}

std::string binding(const RankPlace& place) {
  return !place.bound ? "unknown" : *place.bound ? "to some CPUs" : "to no CPU";
}

void hold_placement(const Comparison& compare, const RunRecord& was, const RunRecord& now) {
  compare.hold("the number of ranks", std::to_string(was.ranks), std::to_string(now.ranks));
  compare.hold("the set of hosts", hosts_of(was), hosts_of(now));
  std::map<std::string, int> counts_then, counts_now;
  for (const RankPlace& place : was.placement) ++counts_then[place.host];
  for (const RankPlace& place : now.placement) ++counts_now[place.host];
  for (const auto& [host, count] : counts_then)
    compare.hold("the number of ranks on " + host, std::to_string(count), std::to_string(counts_now[host]));
  for (std::size_t r = 0; r < std::min(was.placement.size(), now.placement.size()); ++r) {
    compare.hold(fmt::format("the host of rank {}", r), was.placement[r].host, now.placement[r].host);
    compare.hold(fmt::format("the device of rank {}", r), was.placement[r].device, now.placement[r].device);
    compare.hold(fmt::format("the binding of rank {}", r), binding(was.placement[r]), binding(now.placement[r]));
  }
}

void hold_build(const Comparison& compare, const Tool& was, const Tool& now) {
  compare.hold("the program", was.name, now.name);
  compare.hold("its version", was.version, now.version);
  compare.hold("its revision", was.revision, now.revision);
  compare.hold("its compiler", was.compiler, now.compiler);
  compare.hold("its build type", was.build_type, now.build_type);
}

void hold_libraries(const Comparison& compare, const RunRecord& was, const RunRecord& now) {
  const Mpi none, &mpi_then = was.mpi ? *was.mpi : none, &mpi_now = now.mpi ? *now.mpi : none;
  compare.hold("the MPI library", mpi_then.library, mpi_now.library);
  compare.hold("MPI's thread level", mpi_then.thread_level, mpi_now.thread_level);
  compare.hold_map("the library", was.libraries, now.libraries);
}

void hold_simulation(const Comparison& compare, const RunRecord& was, const RunRecord& now) {
  const Simulation none, &then = was.simulation ? *was.simulation : none, &is = now.simulation ? *now.simulation : none;
  compare.hold("the SHA-256 of the platform", then.platform_sha256, is.platform_sha256);
  compare.hold("the simulator", then.simulator + " " + then.version, is.simulator + " " + is.version);
  compare.hold_map("the simulator's setting", then.settings, is.settings);
}

/// True if sampling ended for a reason within the case.
bool ended_by_itself(const CaseRecord& c) {
  return c.ended_by != EndedBy::interrupted && c.ended_by != EndedBy::unfinished;
}

}  // namespace

KeptCases kept_cases(const Run& run, const PlannedCases& planned) {
  KeptCases kept(static_cast<std::size_t>(planned.number));
  for (const CaseRecord& c : run.cases)
    if (c.index >= 0 && c.index < planned.number && ended_by_itself(c))
      kept[static_cast<std::size_t>(c.index)] = c.status;
  if (planned.together && number_of(kept) < kept.size()) std::ranges::fill(kept, std::nullopt);
  return kept;
}

std::size_t number_of(const KeptCases& kept) {
  return static_cast<std::size_t>(std::ranges::count_if(kept, [](const auto& status) { return status.has_value(); }));
}

std::string to_string(const KeptCases& kept) {
  std::string text;
  for (const auto& status : kept) text += status ? name(*status)[0] : '-';
  return text;
}

KeptCases kept_cases_of(const std::string& text) {
  KeptCases kept(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const Status status : {Status::ok, Status::partial, Status::skipped, Status::failed})
      if (name(status)[0] == text[i]) kept[i] = status;
  return kept;
}

void require_same(const Run& run, const RunRecord& now) {
  const RunRecord& was = run.head;
  const Comparison compare(run);
  compare.hold("its origin", text_of(was.origin), text_of(now.origin));
  compare.hold("its schema", std::to_string(was.schema), std::to_string(now.schema));
  hold_build(compare, was.tool, now.tool);
  compare.hold_map("the label", was.labels, now.labels);
  compare.hold_options(what_counts(was.argv), what_counts(now.argv));
  hold_placement(compare, was, now);
  hold_libraries(compare, was, now);
  compare.hold_map("the variable", settings_of(was), settings_of(now));
  hold_simulation(compare, was, now);
}

}  // namespace busbar
