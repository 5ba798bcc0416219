// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/units.hpp"
#include "reports/explain/rule.hpp"
#include "reports/pair_matrix.hpp"
#include "reports/text.hpp"

namespace busbar::explain {
namespace {

using report::Pair, report::PairMatrix;
using Pairs = std::vector<const Pair*>;

constexpr double most_of_them = 0.75;  ///< share of the slow pairs that have an end in common, for it to be named

/// The end that most of the slow pairs have; empty where they have none in common.
std::string common_end(const Pairs& slow) {
  std::map<std::string, std::size_t> seen;
  for (const Pair* pair : slow) {
    ++seen[pair->row];
    ++seen[pair->column];
  }
  const auto most = std::ranges::max_element(seen, {}, [](const auto& s) { return s.second; });
  const auto enough = static_cast<std::size_t>(most_of_them * static_cast<double>(slow.size()));
  return slow.size() > 2 && most->second > enough ? most->first : "";
}

std::string sentence(const PairMatrix& m, const Pairs& slow) {
  std::string text =
      fmt::format("{}: median of {} pairs {} GB/s;", m.test, m.pairs.size(), report::bandwidth(m.median_GBps));
  for (std::size_t i = 0; i < std::min<std::size_t>(slow.size(), 3); ++i)
    text += fmt::format("{} {} {} GB/s", i == 0 ? "" : ",", pair_text(m, *slow[i]), report::bandwidth(slow[i]->GBps));
  return text + (slow.size() > 3 ? fmt::format(" and {} more.", slow.size() - 3) : ".");
}

std::vector<Finding> look(const Run& run) {
  std::vector<Finding> all;
  for (const PairMatrix& m : report::pair_matrices(run)) {
    const Pairs slow = report::slow_pairs(m);
    if (slow.empty()) continue;
    const std::string end = common_end(slow);
    Finding f{.certainty = Certainty::likely, .evidence = {sentence(m, slow)}, .tries = {}, .where = {}};
    f.title = fmt::format("{} of {} pairs{} carry less than {:.0f} % of the median, {}", slow.size(), m.pairs.size(),
                          end.empty() ? "" : fmt::format(", most of them with {},", end), 100 * report::slow_pair_share,
                          m.test);
    f.tries.push_back(
        fmt::format("Look at the links of {}: nvidia-smi topo -m, nvidia-smi nvlink --status, and of PCIe "
                    "nvidia-smi -q -d PCIE for generation and width.",
                    end.empty() ? "these" : end));
    all.push_back(std::move(f));
  }
  return all;
}

bool has_data(const Run& run) { return !report::pair_matrices(run).empty(); }

}  // namespace
}  // namespace busbar::explain

namespace busbar {

extern const explain::Rule slow_pairs{
    .name = "slow_pairs",
    .about = "between some pairs of devices or ranks goes much less than between the others",
    .order = 55,
    .has_data = explain::has_data,
    .look = explain::look,
};

}  // namespace busbar
