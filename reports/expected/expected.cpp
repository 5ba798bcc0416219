// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/expected.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/text/text.hpp"

namespace busbar::expected {
namespace {

/// Tolerance above the ceiling for rounding and clock noise.
constexpr double slack = 1.005;

bool has_busbw(const CaseRecord& c) {
  return is_measured(c.status) && !c.key.training && c.key.bytes > 0 && c.key.ranks > 1 && c.busbw_GBps &&
         c.bus_factor.value_or(0) > 0;
}

Machine machine_of(const RunRecord& run, bool nccl) {
  return {.gpus = gpus_used(run), .network = slowest_network(run, nccl)};
}

ExpectedPoint point_of(const RunRecord& run, const CaseRecord& c, const Machine& machine,
                       const std::optional<LineRate>& line_rate) {
  ExpectedPoint point{.record = &c, .traffic = traffic_of(run, c)};
  const CeilingInput of{.run = run, .record = c, .machine = machine, .traffic = point.traffic, .line_rate = line_rate};
  for (const Place* place : table<Place>())
    for (CeilingResult& found : place->findings(of)) {
      if (auto* ceiling = std::get_if<Ceiling>(&found))
        point.ceilings.push_back(std::move(*ceiling));
      else
        point.missing.push_back(std::get<Missing>(std::move(found)));
    }
  std::ranges::sort(point.ceilings, {}, [](const Ceiling& one) { return std::tie(one.busbw_GBps, one.what); });
  return point;
}

std::optional<double> wire_GBps(const ExpectedPoint& p, const std::optional<double>& share) {
  if (p.traffic.assumed || share.value_or(0) <= 0) return std::nullopt;
  return *p.record->busbw_GBps * *share / *p.record->bus_factor;
}

}  // namespace

bool on_own_gpus(const CeilingInput& p) {
  return is_on_device(p.record.key) && !p.run.method.shared_gpu.value_or(false);
}

std::optional<double> ExpectedPoint::achieved() const {
  if (ceilings.empty() || !(ceilings.front().busbw_GBps > 0)) return std::nullopt;
  return *record->busbw_GBps / ceilings.front().busbw_GBps;
}

std::optional<double> ExpectedPoint::node_wire_GBps() const { return wire_GBps(*this, traffic.node); }
std::optional<double> ExpectedPoint::rank_wire_GBps() const { return wire_GBps(*this, traffic.rank); }

std::string ExpectedPoint::why_above() const {
  if (achieved().value_or(0) <= slack) return "";
  const Ceiling& c = ceilings.front();
  const std::string wrong = c.given_by_user ? "the given rate is too low. Is it the sum over all NICs of a node?"
                                            : "the hardware facts behind the ceiling are wrong or incomplete.";
  const bool possible = *record->busbw_GBps <= slack * c.any_algorithm_GBps.value_or(*record->busbw_GBps);
  if (!possible) return "no algorithm sends that little data, so " + wrong;
  if (!traffic.assumed) return "either " + traffic.algorithm + " sends less than stated above, or " + wrong;
  return "busbw assumes a flat ring, and the record does not say which algorithm ran. One that sends less over this "
         "link can exceed the ceiling: a tree on two nodes, NVLS, SHARP, or a reduction inside nodes first. Or " +
         wrong;
}

std::optional<ExpectedPoint> expect_case(const RunRecord& run, const CaseRecord& c) {
  if (!has_busbw(c)) return std::nullopt;
  return point_of(run, c, machine_of(run, c.key.backend == "nccl"), std::nullopt);
}

std::vector<ExpectedSeries> expect(const std::vector<Run>& runs, const std::optional<LineRate>& line_rate) {
  const auto names = report::run_names(runs);
  std::vector<ExpectedSeries> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::map<std::string, std::size_t> known;
    std::map<bool, Machine> machines;  // key: true for NCCL, false for all other backends
    for (const CaseRecord& c : runs[i].cases) {
      if (!has_busbw(c)) continue;
      const auto [at, is_new] = known.try_emplace(series_name(c.key), all.size());
      if (is_new) all.push_back({.run = names[i], .points = {}});
      const bool nccl = c.key.backend == "nccl";
      if (!machines.contains(nccl)) machines[nccl] = machine_of(runs[i].head, nccl);
      all[at->second].points.push_back(point_of(runs[i].head, c, machines[nccl], line_rate));
    }
  }
  return all;
}

}  // namespace busbar::expected
