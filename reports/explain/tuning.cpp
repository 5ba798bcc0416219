// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/tuning.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/mpi_library/algorithms.hpp"

namespace busbar::explain {
namespace {

using AlgorithmCall = AlgorithmControl::AlgorithmCall;

/// What to use by size, in bytes, for one collective and number of ranks; null: the library's own choice.
using BySize = std::map<std::uint64_t, const FasterAlgorithm*>;
using ByRanks = std::map<int, BySize>;
using ByCollective = std::map<std::string, ByRanks>;

/// What cases of one size say.
struct Vote {
  std::size_t cases = 0;
  std::vector<const FasterAlgorithm*> faster;

  /// All cases agree on one algorithm.
  [[nodiscard]] bool agrees() const {
    return faster.size() == cases &&
           std::ranges::all_of(faster, [&](const auto* f) { return f->algorithm == faster.front()->algorithm; });
  }
};

/// One decision for each collective, number of ranks and size. Adds a sentence for cases that disagree.
ByCollective decide(const ComparedAlgorithms& compared, Tuning& tuning) {
  std::map<std::string, std::map<int, std::map<std::uint64_t, Vote>>> votes;
  for (const CaseKey& key : compared.keys) ++votes[key.collective][key.ranks][key.bytes].cases;
  for (const FasterAlgorithm& f : compared.faster)
    votes[f.key.collective][f.key.ranks][f.key.bytes].faster.push_back(&f);
  ByCollective all;
  for (const auto& [collective, by_ranks] : votes)
    for (const auto& [ranks, by_size] : by_ranks)
      for (const auto& [bytes, vote] : by_size) {
        const bool use = !vote.faster.empty() && vote.agrees();
        all[collective][ranks][bytes] = use ? vote.faster.front() : nullptr;
        if (!vote.faster.empty() && !use)
          tuning.left_out.push_back(
              fmt::format("{} at {} on {}: types, operations, places or counts differ in the fastest algorithm",
                          collective, format_size(bytes), plural(ranks, "rank")));
      }
  return all;
}

/// One rule: the algorithm from a size on.
struct Rule {
  std::uint64_t from = 0;
  const FasterAlgorithm* faster = nullptr;
};

/// Only the changes, from size 0 on; the library decides above the largest size.
std::vector<Rule> rules_of(const BySize& sizes) {
  std::vector<Rule> rules{{}};
  const auto add = [&rules](std::uint64_t from, const FasterAlgorithm* faster) {
    const FasterAlgorithm* last = rules.back().faster;
    const bool same = faster == nullptr || last == nullptr ? faster == last : faster->algorithm == last->algorithm;
    if (same) return;
    if (rules.back().from == from) rules.pop_back();
    rules.push_back({.from = from, .faster = faster});
  };
  for (const auto& [bytes, faster] : sizes) add(bytes, faster);
  add(sizes.rbegin()->first + 1, nullptr);
  return rules;
}

bool has_rules(const ByRanks& by_ranks) {
  return std::ranges::any_of(by_ranks, [](const auto& one) {
    return std::ranges::any_of(one.second, [](const auto& size) { return size.second != nullptr; });
  });
}

/// The library's number of an algorithm; empty if this file's table lacks it.
std::optional<int> number_of(const AlgorithmCall& call, const std::string& name) {
  const auto at = std::ranges::find(call.algorithms, name);
  if (at == call.algorithms.end()) return std::nullopt;
  return static_cast<int>(at - call.algorithms.begin());
}

/// Sets algorithms without a number back to the library's own choice, with a sentence.
void drop_unknown(const MpiLibrary& library, const AlgorithmCall& call, ByRanks& by_ranks, Tuning& tuning) {
  std::set<std::string> unknown;
  for (auto& [ranks, sizes] : by_ranks)
    for (auto& [bytes, faster] : sizes) {
      if (faster == nullptr) continue;
      const std::string name = parse_algorithm(*library.algorithms, library, faster->algorithm).name;
      if (number_of(call, name)) continue;
      unknown.insert(name);
      faster = nullptr;
    }
  for (const std::string& name : unknown) {
    const auto* component = find_component(*library.algorithms, call.call, name);
    tuning.left_out.push_back(
        component == nullptr
            ? fmt::format("{} by {}: its number in {} is unknown", call.call, name, library.name)
            : fmt::format("{} by {}: rules cannot name this component; mpirun {} uses it for all sizes and collectives",
                          call.call, name, component->use));
  }
}

void note_used(const ByRanks& by_ranks, Tuning& tuning) {
  for (const auto& [ranks, sizes] : by_ranks)
    for (const auto& [bytes, faster] : sizes)
      if (faster != nullptr) tuning.used.push_back(*faster);
}

/// The library's call for a collective, if there are rules for it by algorithms whose numbers are known; else null.
/// Notes the used and the left out ones.
const AlgorithmCall* call_with_rules(const MpiLibrary& library, const std::string& collective, ByRanks& by_ranks,
                                     Tuning& tuning) {
  const AlgorithmCall* call = find_call(*library.algorithms, collective);
  if (call == nullptr) return nullptr;
  drop_unknown(library, *call, by_ranks, tuning);
  if (!has_rules(by_ranks)) return nullptr;
  note_used(by_ranks, tuning);
  return call;
}

// Open MPI

/// A line: size, algorithm, fanout, segment size; 0 0 0 0: the library's own choice. Without a request Open MPI's
/// fanouts are 4 and its segment size is 0.
std::string open_mpi_line(const MpiLibrary& library, const AlgorithmCall& call, const Rule& rule) {
  if (rule.faster == nullptr) return fmt::format("{} 0 0 0\n", rule.from);
  const WantedAlgorithm wanted = parse_algorithm(*library.algorithms, library, rule.faster->algorithm);
  int fanout = 4, segment = 0;
  for (const auto& [name, value] : wanted.parameters) (name == "segsize" ? segment : fanout) = value;
  return fmt::format("{} {} {} {}  # {}\n", rule.from, *number_of(call, wanted.name), fanout, segment,
                     rule.faster->algorithm);
}

/// Rules hold from a number of ranks on, so the library decides for the numbers between.
std::string open_mpi_collective(const MpiLibrary& library, const AlgorithmCall& call, const ByRanks& by_ranks) {
  std::map<int, std::string> parts{{0, "1\n0 0 0 0\n"}};
  for (const auto& [ranks, sizes] : by_ranks) {
    parts.try_emplace(ranks + 1, "1\n0 0 0 0\n");
    const auto rules = rules_of(sizes);
    std::string lines = fmt::format("{}  # number of sizes: from, algorithm, fanout, segment size\n", rules.size());
    for (const Rule& rule : rules) lines += open_mpi_line(library, call, rule);
    parts[ranks] = lines;
  }
  std::string text = fmt::format("{}  # {}\n{}  # numbers of ranks\n", call.number, call.name, parts.size());
  for (const auto& [ranks, lines] : parts) text += fmt::format("{}  # ranks from here on\n{}", ranks, lines);
  return text;
}

void write_open_mpi(const MpiLibrary& library, ByCollective all, Tuning& tuning) {
  std::vector<std::string> parts;
  for (auto& [collective, by_ranks] : all) {
    const AlgorithmCall* call = call_with_rules(library, collective, by_ranks, tuning);
    if (call == nullptr) continue;
    parts.push_back(open_mpi_collective(library, *call, by_ranks));
  }
  if (!parts.empty()) tuning.text = fmt::format("{}  # number of collectives\n{}", parts.size(), fmt::join(parts, ""));
  tuning.use =
      "mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename {} ... (an absolute path "
      "that all hosts have)";
}

// Variables for the shell

constexpr const char* use_of_variables = "set -a; . {}; set +a; mpirun ... (a name without a folder: ./{})";

/// The algorithm that is faster at all sizes and numbers of ranks; null if there is none.
const FasterAlgorithm* faster_everywhere(const ByRanks& by_ranks) {
  const FasterAlgorithm* one = nullptr;
  for (const auto& [ranks, sizes] : by_ranks)
    for (const auto& [bytes, faster] : sizes) {
      if (faster == nullptr || (one != nullptr && faster->algorithm != one->algorithm)) return nullptr;
      one = faster;
    }
  return one;
}

void write_mpich(const MpiLibrary& library, const ByCollective& all, Tuning& tuning) {
  const AlgorithmControl& control = *library.algorithms;
  for (const auto& [collective, by_ranks] : all) {
    const AlgorithmCall* call = find_call(control, collective);
    if (call == nullptr || !has_rules(by_ranks)) continue;
    const FasterAlgorithm* faster = faster_everywhere(by_ranks);
    if (faster == nullptr) {
      tuning.left_out.push_back(
          fmt::format("{}: {} holds for all sizes, and no algorithm is faster at all that were measured", collective,
                      variable_of(control.variable, *call)));
      continue;
    }
    note_used(by_ranks, tuning);
    tuning.text += fmt::format("{}={}\n", variable_of(control.variable, *call), faster->algorithm);
    const auto& device = control.with_request.front();
    tuning.text += fmt::format("{}={}\n", variable_of(device.variable, *call), device.value);
  }
  tuning.use = use_of_variables;
}

std::string intel_ranges(const AlgorithmCall& call, const ByRanks& by_ranks) {
  std::vector<std::string> ranges;
  for (const auto& [ranks, sizes] : by_ranks) {
    const auto rules = rules_of(sizes);
    for (std::size_t i = 0; i + 1 < rules.size(); ++i)
      if (rules[i].faster != nullptr)
        ranges.push_back(fmt::format("{}:{}-{}@{}-{}", *number_of(call, rules[i].faster->algorithm), rules[i].from,
                                     rules[i + 1].from - 1, ranks, ranks));
  }
  return fmt::format("{}", fmt::join(ranges, ";"));
}

void write_intel(const MpiLibrary& library, ByCollective all, Tuning& tuning) {
  for (auto& [collective, by_ranks] : all) {
    const AlgorithmCall* call = call_with_rules(library, collective, by_ranks, tuning);
    if (call == nullptr) continue;
    tuning.text +=
        fmt::format("{}='{}'\n", variable_of(library.algorithms->variable, *call), intel_ranges(*call, by_ranks));
  }
  tuning.use = use_of_variables;
}

}  // namespace

Tuning tuning_of(const MpiLibrary& library, std::string_view version, const ComparedAlgorithms& compared) {
  if (library.algorithms == nullptr) throw Error(fmt::format("busbar cannot write tuning files for {}", version));
  Tuning tuning;
  const ByCollective all = decide(compared, tuning);
  switch (library.algorithms->scope) {
    case AlgorithmControl::Scope::communicator:
      write_open_mpi(library, all, tuning);
      break;
    case AlgorithmControl::Scope::call:
      write_mpich(library, all, tuning);
      break;
    case AlgorithmControl::Scope::launch:
      write_intel(library, all, tuning);
      break;
  }
  if (!tuning.text.empty()) tuning.text = fmt::format("# {}, by busbar tune\n{}", version, tuning.text);
  return tuning;
}

}  // namespace busbar::explain
