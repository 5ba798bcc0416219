// SPDX-License-Identifier: Apache-2.0
#include "core/record/run.hpp"

#include <filesystem>

#include "core/base/units.hpp"

namespace busbar {

std::string display_name(const Run& run) {
  std::string all;
  for (const auto& [key, value] : run.head.labels) all += (all.empty() ? "" : " ") + key + "=" + value;
  return all.empty() ? std::filesystem::path(run.path).stem().string() : all;
}

std::string scale_text(const RunRecord& r) {
  return (r.ranks > 0 ? plural(r.ranks, "rank") : "unknown ranks") + (r.nodes ? " on " + plural(*r.nodes, "node") : "");
}

}  // namespace busbar
