// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/nccl_parts.hpp"

#include <fmt/core.h>

namespace busbar::preflight {

std::optional<CheckResult> without_nccl(const Facts& f) {
  std::vector<int> without;
  for (std::size_t r = 0; r < f.ranks.size(); ++r)
    if (f.ranks[r].nccl_missing) without.push_back(static_cast<int>(r));
  if (without.empty()) return std::nullopt;
  const std::string& why = *f.ranks[static_cast<std::size_t>(without[0])].nccl_missing;
  if (without.size() == f.ranks.size()) return not_applicable(why);
  return about_ranks(State::unknown, f, without, fmt::format("{}: {}", name_ranks(f, without), why));
}

}  // namespace busbar::preflight
