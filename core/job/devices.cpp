// SPDX-License-Identifier: Apache-2.0
#include "core/job/devices.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/environment/environment.hpp"
#include "core/nvml/facts.hpp"
#include "core/record/parts.hpp"
#include "core/record/run_record.hpp"

namespace busbar {
namespace {

/// What the first rank of a host broadcasts.
struct Told {
  std::string host, note;
};

Told ask_nvml(Host host) {
  const auto nvml = nvml::Library::open();
  if (!nvml.library) return {.host = {}, .note = fmt::format("{}: GPUs were not read: {}", host.name, nvml.problem)};
  nvml::add_gpu_facts(host, nvml.library);
  return {.host = nlohmann::json(host).dump(), .note = {}};
}

/// Opens NVML only on hosts with such ranks.
void ask_of_hosts(Group& group, bool measures_with_gpu, const std::vector<int>& hosts, RunRecord& run) {
  const auto with_gpu = group.all_gather(measures_with_gpu ? 1.0 : 0.0);
  if (std::ranges::count(with_gpu, 1.0) == 0) return;
  const auto has_gpu = [&](int host) {
    for (std::size_t r = 0; r < hosts.size(); ++r)
      if (hosts[r] == host && with_gpu[r] > 0) return true;
    return false;
  };
  const int mine = hosts[static_cast<std::size_t>(group.rank())];
  const bool first = std::ranges::find(hosts, mine) - hosts.begin() == group.rank();
  const Told told = first && has_gpu(mine) ? ask_nvml(run.hosts.at(static_cast<std::size_t>(mine))) : Told{};
  const auto texts = group.all_gather(told.host);
  for (std::size_t r = 0; r < texts.size(); ++r)
    if (!texts[r].empty())
      run.hosts.at(static_cast<std::size_t>(hosts[r])) = nlohmann::json::parse(texts[r]).get<Host>();
  for (const std::string& note : group.all_gather(told.note))
    if (!note.empty()) run.notes.push_back(note);
}

void describe_placement(Group& group, const BackendFacts& mine, RunRecord& run) {
  const auto names = group.all_gather(mine.device.value_or(""));
  const auto buses = group.all_gather(mine.device_bus.value_or(""));
  const auto uuids = group.all_gather(mine.device_uuid.value_or(""));
  for (std::size_t r = 0; r < run.placement.size(); ++r) {
    if (names[r].empty()) continue;
    run.placement[r].device = names[r];
    run.placement[r].device_bus = buses[r];
    run.placement[r].device_uuid = uuids[r];
  }
}

}  // namespace

void describe_devices(Group& group, const BackendFacts& mine, const std::vector<int>& hosts, RunRecord& run) {
  run.libraries.insert(mine.libraries.begin(), mine.libraries.end());
  run.notes.insert(run.notes.end(), mine.notes.begin(), mine.notes.end());
  describe_placement(group, mine, run);
  std::array shared{mine.shared_device ? 1.0 : 0.0};
  group.max(shared);
  run.method.shared_gpu = shared[0] > 0;
  if (shared[0] > 0)
    run.notes.push_back("ranks share a GPU (--share-gpu): these figures show that calls work, not how fast they are");
  ask_of_hosts(group, mine.device_uuid.has_value(), hosts, run);
}

}  // namespace busbar
