// SPDX-License-Identifier: Apache-2.0
#include "core/job/telemetry.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/json.hpp"
#include "core/nvml/facts.hpp"

namespace busbar {
namespace {

/// What the first rank of a host tells the others.
struct Told {
  std::string host, note;
};

Told ask_nvml(Host host) {
  const auto nvml = nvml::Library::open();
  if (!nvml.library) return {.host = {}, .note = fmt::format("{}: GPUs were not read: {}", host.name, nvml.problem)};
  nvml::add_gpu_facts(host, nvml.library);
  return {.host = nlohmann::json(host).dump(), .note = {}};
}

}  // namespace

void add_gpu_facts(Group& group, const std::vector<int>& hosts, bool measures_with_gpu, RunRecord& run) {
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

void add_telemetry(Group& group, const GpuTelemetry& mine, CaseRecord& record) {
  const auto texts = group.all_gather(mine.readings > 0 ? nlohmann::json(mine).dump() : "");
  if (std::ranges::all_of(texts, &std::string::empty)) return;
  for (const std::string& text : texts)
    record.telemetry.push_back(text.empty() ? GpuTelemetry{} : nlohmann::json::parse(text).get<GpuTelemetry>());
  record.throttled = throttled(record.telemetry);
  if (record.throttled.value_or(false)) record.remarks.push_back(throttling(record.telemetry));
}

}  // namespace busbar
