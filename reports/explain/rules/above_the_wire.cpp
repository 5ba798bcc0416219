// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/expected/expected.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

/// Copies the fields that ceilings depend on; those about the algorithm only if `algorithm`.
CaseRecord light(const CaseRecord& c, std::size_t index, bool algorithm) {
  CaseRecord copy;
  copy.index = static_cast<int>(index);
  copy.key = c.key;
  copy.time_s = c.time_s;
  copy.algbw_GBps = c.algbw_GBps;
  copy.busbw_GBps = c.busbw_GBps;
  copy.bus_factor = c.bus_factor;
  if (algorithm)
    copy.choice = c.choice;
  else
    copy.key.algorithm.reset();
  return copy;
}

/// The NCCL cases without their algorithms, so that ceilings assume a flat ring, as busbw does. Each index is the
/// position in run.cases.
std::vector<Run> as_flat_ring(const Run& run) {
  std::vector<Run> ring(1);
  ring[0].head = run.head;
  ring[0].cases.reserve(run.cases.size());
  for (std::size_t i = 0; i < run.cases.size(); ++i)
    if (is_measured(run.cases[i].status) && run.cases[i].key.backend == "nccl")
      ring[0].cases.push_back(light(run.cases[i], i, false));
  return ring;
}

/// The algorithm that NCCL reported, else the requested one; empty if unknown.
std::string algorithm_of(const CaseRecord& c) { return c.choice ? text_of(*c.choice) : c.key.algorithm.value_or(""); }

/// Why a case exceeds even the ceiling of its own algorithm; empty if it does not.
std::string why_still_above(const Run& run, const CaseRecord& c) {
  std::vector<Run> alone(1);
  alone[0].head = run.head;
  alone[0].cases = {light(c, 0, true)};
  const auto expected = expected::expect(alone, std::nullopt);
  return expected.empty() ? "" : expected.front().points.front().why_above();
}

std::string why(const Run& run, const CaseRecord& c) {
  if (auto text = why_still_above(run, c); !text.empty()) return "Why: " + text;
  const std::string algorithm = algorithm_of(c);
  const std::string used = fmt::format("NCCL used {}. ", report::shortened(algorithm));
  if (algorithm.starts_with("nvls"))
    return used + "NVLink switches reduce the data: a GPU sends it about once, in a ring nearly twice.";
  if (algorithm.starts_with("collnet"))
    return used + "Network switches reduce the data: a node sends it once, in a ring nearly twice.";
  if (algorithm.starts_with("tree"))
    return used + "In a tree over two nodes, each node sends its data once, in a ring nearly twice.";
  return used + "Its traffic differs from that of a flat ring.";
}

bool has_data_for_above_the_wire(const Run& run) {
  for (const auto& series : expected::expect(as_flat_ring(run), std::nullopt))
    if (std::ranges::any_of(series.points, [](const auto& point) { return point.ceiling() != nullptr; })) return true;
  return false;
}

std::vector<Finding> find_above_the_wire(const Run& run) {
  const std::vector<Run> ring = as_flat_ring(run);
  const auto expected = expected::expect(ring, std::nullopt);
  std::vector<const CaseRecord*> above;
  const expected::ExpectedPoint* most = nullptr;
  std::size_t all = 0;
  for (const auto& series : expected)
    for (const auto& point : series.points) {
      all += point.ceiling() != nullptr;
      if (point.why_above().empty()) continue;
      above.push_back(&run.cases[static_cast<std::size_t>(point.record->index)]);
      if (most == nullptr || *point.achieved() > *most->achieved()) most = &point;
    }
  if (above.empty()) return {};
  const CaseRecord& c = run.cases[static_cast<std::size_t>(most->record->index)];
  return {{.certainty = algorithm_of(c).empty() ? Certainty::likely : Certainty::known,
           .title = "busbw exceeds the link bandwidth in " + of_cases(above.size(), all),
           .evidence = {fmt::format("{}: busbw is {} GB/s, {} of the {} GB/s ceiling of a flat ring: {} ({}).",
                                    case_name(c), report::bandwidth(c.busbw_GBps), percent(*most->achieved()),
                                    report::bandwidth(most->ceiling()->busbw_GBps), most->ceiling()->what,
                                    report::shortened(most->ceiling()->source)),
                        why(run, c)},
           .tries = {"Use busbar expect to see the link traffic, if the algorithm is known.",
                     "Measure with a ring to see the link bandwidth: --algorithm ring, or NCCL_ALGO=RING.",
                     "Use algbw (size / time): the bandwidth that a program gets with any algorithm."},
           .where = where(above)}};
}

}  // namespace

extern const Rule above_the_wire{
    .name = "above_the_wire",
    .about = "busbw exceeds the link bandwidth because the algorithm is not a ring",
    .order = 180,
    .has_data = has_data_for_above_the_wire,
    .look = find_above_the_wire,
};

}  // namespace busbar::explain
