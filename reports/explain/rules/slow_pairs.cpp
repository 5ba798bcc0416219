// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/fwd.hpp"
#include "reports/document/pair_matrix.hpp"
#include "reports/explain/rule.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

using report::Pair, report::PairMatrix;
using Pairs = std::vector<const Pair*>;

std::string slow_pairs_sentence(const PairMatrix& m, const Pairs& slow) {
  std::string text = fmt::format("{}: {} pairs, {};", m.test, m.pairs.size(), usual_text(m));
  for (std::size_t i = 0; i < std::min<std::size_t>(slow.size(), 3); ++i)
    text += fmt::format("{} {} {}", i == 0 ? "" : ",", pair_text(m, *slow[i]), value_text(m, slow[i]->value));
  return text + (slow.size() > 3 ? fmt::format(" and {} more.", slow.size() - 3) : ".");
}

/// Advice for GPU links within a node, or for network links between nodes.
std::vector<std::string> slow_pairs_tries(const Pairs& slow, const std::vector<std::string>& ends) {
  const std::string whose = ends.empty() ? "these pairs" : report::list(ends, 4);
  if (slow[0]->nodes.value_or(1) == 1)
    return {fmt::format(
        "Check the links of {}: nvidia-smi topo -m, nvidia-smi nvlink --status; for PCIe generation and width "
        "nvidia-smi -q -d PCIE.",
        whose)};
  return {fmt::format(
              "Check the links of {}: rate and width (ethtool, ibstat), errors (perfquery), the cable and the switch "
              "port.",
              whose),
          "Measure these pairs again with --alone: pairs that are slow only at the same time share a link."};
}

std::vector<Finding> find_slow_pairs(const Run& run) {
  std::vector<Finding> all;
  for (const PairMatrix& m : report::pair_matrices(run)) {
    const Pairs slow = report::slow_pairs(m);
    if (slow.empty()) continue;
    const auto ends = report::slow_ends(m);
    Finding f{.certainty = Certainty::likely, .evidence = {slow_pairs_sentence(m, slow)}};
    f.title = fmt::format("{} of {} pairs run at less than {:.0f} % of the usual speed{}, {}", slow.size(),
                          m.pairs.size(), 100 * report::slow_pair_share,
                          ends.empty() ? "" : ", mainly those " + report::text_of(ends, 4), m.test);
    f.tries = slow_pairs_tries(slow, report::names_of(ends));
    all.push_back(std::move(f));
  }
  return all;
}

}  // namespace

extern const Rule slow_pairs{
    .name = "slow_pairs",
    .about = "some pairs of devices or ranks are much slower than the others",
    .order = 55,
    .suspicious = true,
    .has_data = [](const Run& run) { return !report::pair_matrices(run).empty(); },
    .look = find_slow_pairs,
};

}  // namespace busbar::explain
