// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/check.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

bool checked(const CaseRecord& c) { return c.check.state == CheckState::passed || c.check.state == CheckState::failed; }
bool wrong(const CaseRecord& c) { return c.check.state == CheckState::failed; }

/// "allreduce fp32 at 8 B: rank 1, element 17 was 0, expected 3 (call 5, timed)."
std::string example_of_wrong_data(const CaseRecord& c) {
  if (c.check.first) {
    const WrongElement& w = *c.check.first;
    return fmt::format("{}: rank {}, element {} was {}, expected {} (call {}, {}).", case_name(c), w.rank, w.index,
                       report::shortened(w.found), report::shortened(w.expected), w.call, report::shortened(w.phase));
  }
  if (c.check.wrong_elements) return fmt::format("{}: {:g} wrong elements.", case_name(c), *c.check.wrong_elements);
  return fmt::format("{}: {}.", case_name(c), report::shortened(c.reason.value_or("no details recorded")));
}

/// Uncorrectable memory errors of GPUs during cases; empty if none were recorded.
std::string memory_errors(const Run& run) {
  std::uint64_t errors = 0;
  for (const CaseRecord& c : run.cases)
    for (const GpuTelemetry& gpu : c.telemetry) errors += gpu.ecc_uncorrected.value_or(0);
  return errors == 0 ? "" : fmt::format("GPUs counted {} uncorrectable memory errors.", errors);
}

std::vector<std::string> wrong_data_tries(const std::set<int>& ranks, int of) {
  std::vector<std::string> all;
  if (ranks.size() == 1 && of > 2)
    all.emplace_back(
        "Only one rank saw it: replace its host or GPU and measure again (nvidia-smi -q -d ECC shows GPU memory "
        "errors).");
  all.emplace_back(
      "Check every element of every call (busbar-bench -c 2), with other algorithms (NCCL_ALGO; --mca coll ^tuned) and "
      "another version of the library. The change that removes the errors shows the cause.");
  all.emplace_back("Do not use the times of these cases: their calls did not do the right work.");
  return all;
}

std::vector<Finding> find_wrong_data(const Run& run) {
  std::vector<const CaseRecord*> bad;
  std::set<int> ranks;
  std::set<std::string> hosts, kinds;
  for (const CaseRecord& c : run.cases) {
    if (!wrong(c)) continue;
    bad.push_back(&c);
    kinds.insert(report::subject(c.key) + (c.key.type ? " " + *c.key.type : ""));
    ranks.insert(c.check.wrong_ranks.begin(), c.check.wrong_ranks.end());
  }
  if (bad.empty()) return {};
  for (const int rank : ranks)
    if (auto host = host_of(run, rank); !host.empty()) hosts.insert(std::move(host));
  const auto all = static_cast<std::size_t>(std::ranges::count_if(run.cases, checked));
  Finding f{.certainty = Certainty::known,
            .title = "results were wrong in " + of_cases(bad.size(), all),
            .evidence = {fmt::format("Affected: {}.", report::list(std::vector(kinds.begin(), kinds.end())))},
            .tries = wrong_data_tries(ranks, run.head.ranks),
            .where = where(bad)};
  for (std::size_t i = 0; i < std::min<std::size_t>(bad.size(), 2); ++i)
    f.evidence.push_back(example_of_wrong_data(*bad[i]));
  f.where.ranks = {ranks.begin(), ranks.end()};
  f.where.hosts = {hosts.begin(), hosts.end()};
  if (!ranks.empty()) f.evidence.push_back(fmt::format("Seen by {} of {}.", rank_names(f.where.ranks), run.head.ranks));
  if (auto errors = memory_errors(run); !errors.empty()) f.evidence.push_back(std::move(errors));
  return {f};
}

}  // namespace

extern const Rule wrong_data{
    .name = "wrong_data",
    .about = "a check found wrong results",
    .order = 10,
    .suspicious = true,
    .has_data = [](const Run& run) { return std::ranges::any_of(run.cases, checked); },
    .look = find_wrong_data,
};

}  // namespace busbar::explain
