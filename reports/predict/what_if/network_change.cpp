// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/what_if/network_change.hpp"

#include <cmath>
#include <variant>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/record/run.hpp"
#include "reports/expected/node_network.hpp"
#include "reports/predict/what_if/moved_terms.hpp"

namespace busbar::predict {
namespace {

using expected::LineRate;

/// NICs of a node in a given rate: 8 of "8x200Gb/s", else 1.
double nics_of(const LineRate& rate) {
  const std::size_t x = rate.text.find('x');
  return x == std::string::npos ? 1 : std::stod(rate.text.substr(0, x));
}

}  // namespace

std::optional<KnownNetwork> known_network(const std::optional<LineRate>& given, const std::vector<Run>& runs) {
  if (given) return KnownNetwork{.GBps = given->GBps, .nics = nics_of(*given), .text = given->text};
  std::optional<KnownNetwork> all;
  for (const Run& run : runs) {
    const bool nccl = !run.cases.empty() && run.cases.front().key.backend == "nccl";
    const auto found = expected::slowest_network(run.head, nccl);
    const auto* network = std::get_if<expected::NodeNetwork>(&found);
    if (network == nullptr || !(network->raw_GBps > 0)) return std::nullopt;
    if (all && (all->GBps != network->raw_GBps || *all->nics != network->nics)) return std::nullopt;
    all = {.GBps = network->raw_GBps, .nics = network->nics, .text = network->source};
  }
  return all;
}

NetworkChange network_change(const Change& c, const std::optional<KnownNetwork>& now) {
  if (!c.nics && !c.line_rate) return {};
  if (!now)
    throw UsageError(
        fmt::format("--what-if: '{}' needs the rate of a node as it is; give it with --line-rate 200Gb/s", c.name));
  if (!c.line_rate && !now->nics)
    throw UsageError(
        fmt::format("--what-if: nics={} needs the number of NICs as it is; give it with --line-rate "
                    "2x200Gb/s",
                    *c.nics));
  const double nics = c.nics ? *c.nics : nics_of(*c.line_rate);
  const double one = c.line_rate ? c.line_rate->GBps / nics_of(*c.line_rate) : now->GBps / *now->nics;
  const double ratio_of_nics = nics / now->nics.value_or(nics);
  NetworkChange change{.GBps = nics * one, .factor = nics * one / now->GBps};
  change.doubt = doubt_of_ratio * std::hypot(std::log(ratio_of_nics), std::log(change.factor / ratio_of_nics));
  change.text = c.line_rate && !c.nics ? c.line_rate->text : fmt::format("{:g} x {:g} Gb/s", nics, 8 * one);
  return change;
}

}  // namespace busbar::predict
