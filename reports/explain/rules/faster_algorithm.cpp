// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <ranges>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/algorithms.hpp"
#include "reports/explain/rule.hpp"

namespace busbar::explain {
namespace {

constexpr std::size_t most_lines = 5;

/// Most runs name no algorithm: there is nothing to compare.
ComparedAlgorithms algorithms_of(const Run& run) {
  const bool any = std::ranges::any_of(run.cases, [](const CaseRecord& c) { return c.key.algorithm.has_value(); });
  return any ? compare_algorithms(std::array{&run}) : ComparedAlgorithms{};
}

std::string faster_sentence(const FasterAlgorithm& f) {
  return fmt::format("{}: {} took {}, the library's choice{} {}: {}.", format_size(f.key.bytes), f.algorithm,
                     format_duration(f.time_s), f.choice.empty() ? "" : " (" + f.choice + ")", format_duration(f.own_s),
                     how_much_faster(f));
}

std::vector<std::string> tries_of(const FasterAlgorithm& f) {
  const CaseKey& key = f.key;
  std::vector<std::string> tries;
  if (f.basis == compare::Basis::assumed)
    tries.emplace_back(
        "Confirm it in several launches: busbar repeat --launches 6 -- mpirun ... with the same --algorithm.");
  if (key.backend == "mpi")
    tries.emplace_back("Make the library use these algorithms at these sizes: busbar tune RECORD -o FILE.");
  if (key.backend == "nccl")
    tries.emplace_back(
        "NCCL_ALGO and NCCL_PROTO hold for all sizes: set them only for a program whose sizes all gain. A tuner "
        "plug-in (NCCL_TUNER_PLUGIN) chooses by size.");
  return tries;
}

Finding finding_of(std::vector<const FasterAlgorithm*> all) {
  const auto greatest = *std::ranges::max_element(all, {}, [](const FasterAlgorithm* f) { return f->ratio; });
  Finding f{.certainty = greatest->basis == compare::Basis::assumed ? Certainty::likely : Certainty::known,
            .title = fmt::format("{} is {:.2f}x faster than the library's choice for {} at {}", greatest->algorithm,
                                 greatest->ratio, greatest->key.collective, format_size(greatest->key.bytes)),
            .tries = tries_of(*greatest)};
  if (all.size() > 1) f.title += fmt::format("; {} gain", plural(all.size(), "size"));
  for (const FasterAlgorithm* one : all) {
    f.where.sizes.push_back(one->key.bytes);
    if (f.evidence.size() < most_lines) f.evidence.push_back(faster_sentence(*one));
  }
  if (all.size() > most_lines)
    f.evidence.push_back(fmt::format("And {} more.", plural(all.size() - most_lines, "size")));
  f.where.series.push_back(series_name(greatest->key));
  return f;
}

std::vector<Finding> find_faster_algorithm(const Run& run) {
  std::vector<Finding> findings = findings_of(algorithms_of(run));
  for (auto& [series, sizes, ranks, hosts, cases] : findings | std::views::transform(&Finding::where))
    for (const CaseRecord& c : run.cases)
      if (std::ranges::binary_search(sizes, c.key.bytes) && series_name(c.key) == series.front()) cases.push_back(&c);
  return findings;
}

}  // namespace

std::vector<Finding> findings_of(const ComparedAlgorithms& compared) {
  std::map<std::string, std::vector<const FasterAlgorithm*>> by_series;
  for (const FasterAlgorithm& f : compared.faster) by_series[series_name(f.key)].push_back(&f);
  std::vector<Finding> findings;
  for (const auto& [series, all] : by_series) findings.push_back(finding_of(all));
  return findings;
}

extern const Rule faster_algorithm{
    .name = "faster_algorithm",
    .about = "another algorithm is faster than the one that the library chooses",
    .order = 115,
    .has_data = [](const Run& run) { return algorithms_of(run).comparisons > 0; },
    .look = find_faster_algorithm,
};

}  // namespace busbar::explain
