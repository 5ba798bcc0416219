// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/gpus_used.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include <fmt/core.h>

#include "core/base/words.hpp"
#include "core/environment/pci.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/run_record.hpp"

namespace busbar::expected {
namespace {

bool is_of(const RankPlace& place, const Gpu& gpu) {
  if (place.device_uuid && gpu.uuid) return place.device_uuid == gpu.uuid;
  if (!place.device_bus || !gpu.bus) return false;
  const auto address = facts::pci_address(*gpu.bus);
  return place.device_bus == gpu.bus || (address && facts::pci_address(*place.device_bus) == address);
}

/// Whether NVLinks connect the set's first GPU with all others, directly or not; empty if a pair is unknown.
std::optional<bool> all_reachable(const Host& h, const std::vector<std::size_t>& gpus) {
  std::vector<bool> seen(h.gpus.size());
  std::vector<std::size_t> reached{gpus.front()};
  seen[gpus.front()] = true;
  for (std::size_t at = 0; at < reached.size(); ++at)
    for (const std::size_t other : gpus) {
      const auto links = nvlinks_between(h, reached[at], other);
      if (!links) return std::nullopt;
      if (*links == 0 || seen[other]) continue;
      seen[other] = true;
      reached.push_back(other);
    }
  return reached.size() == gpus.size();
}

std::optional<Joined> joined(const Host& h, const std::vector<std::size_t>& gpus) {
  const auto reachable = all_reachable(h, gpus);
  if (!reachable) return std::nullopt;
  if (!*reachable) return Joined::by_pcie;
  for (const std::size_t a : gpus)
    for (const std::size_t b : gpus)
      if (a != b && nvlinks_between(h, a, b).value_or(0) == 0) return Joined::in_part;
  return Joined::by_nvlink;
}

using Places = std::vector<const RankPlace*>;

/// Indices of the GPUs these ranks used; empty if one is unknown.
std::vector<std::size_t> indices(const Places& ranks, const Host& h) {
  std::vector<std::size_t> all;
  for (const RankPlace* rank : ranks) {
    const auto gpu = std::ranges::find_if(h.gpus, [&](const Gpu& g) { return is_of(*rank, g); });
    if (gpu == h.gpus.end()) return {};
    add_new(all, static_cast<std::size_t>(gpu - h.gpus.begin()));
  }
  return all;
}

}  // namespace

bool is_on_device(const CaseKey& key) { return key.memory ? *key.memory == "device" : key.backend == "nccl"; }

std::string gpu_name(const RunRecord& run) {
  const auto used = gpus_used(run);
  if (const auto* sets = std::get_if<std::vector<GpuSet>>(&used))
    for (const GpuSet& set : *sets)
      if (!set.gpus.empty()) return set.host->gpus[set.gpus.front()].name;
  return run.hosts.empty() || run.hosts.front().gpus.empty() ? "" : run.hosts.front().gpus.front().name;
}

std::optional<int> nvlinks_between(const Host& h, std::size_t a, std::size_t b) {
  if (a == b) return 0;
  if (!h.gpu_links || a >= h.gpu_links->rows.size() || b >= h.gpu_links->rows[a].size()) return std::nullopt;
  const auto& word = h.gpu_links->rows[a][b];
  if (!word) return std::nullopt;
  if (!word->starts_with("NV")) return 0;
  int links = 0;
  std::from_chars(word->data() + 2, word->data() + word->size(), links);
  return links > 0 ? std::optional(links) : std::nullopt;
}

std::variant<std::vector<GpuSet>, std::string> gpus_used(const RunRecord& run) {
  const auto disabled = run.environment.find("NCCL_P2P_DISABLE");
  const bool no_nvlink = disabled != run.environment.end() && disabled->second == "1";
  std::vector<GpuSet> all;
  std::map<std::string_view, Places> ranks;
  for (const RankPlace& place : run.placement) ranks[place.host].push_back(&place);
  for (const Host& h : run.hosts) {
    if (!ranks.contains(h.name)) continue;
    GpuSet set{.host = &h, .gpus = indices(ranks[h.name], h)};
    if (set.gpus.empty()) return h.name + ": the record does not say which GPUs its ranks used";
    set.joined = set.gpus.size() == 1 || no_nvlink ? Joined::by_pcie : joined(h, set.gpus);
    all.push_back(std::move(set));
  }
  if (all.empty()) return "the record does not say where the ranks ran";
  return all;
}

std::string name_of(const GpuSet& set, std::size_t gpu) { return fmt::format("{} GPU{}", set.host->name, gpu); }

}  // namespace busbar::expected
