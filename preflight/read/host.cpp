// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "core/files/kernel_files.hpp"
#include "core/nvml/facts.hpp"
#include "core/ranks/launcher.hpp"
#include "preflight/read/read.hpp"

namespace busbar::preflight {
namespace {

std::optional<std::uint64_t> soft_limit(int resource) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return limit.rlim_cur;
}

/// A unitless number from /proc/meminfo.
std::optional<std::int64_t> count_in_meminfo(std::string_view key) {
  const auto all = facts::read_text("/proc/meminfo");
  const auto value = all ? facts::value_of(*all, key, ':') : std::nullopt;
  return value ? facts::to_number(facts::trimmed(*value)) : std::nullopt;
}

std::map<std::string, std::string> numa_cpus(const std::filesystem::path& root) {
  std::map<std::string, std::string> nodes;
  const auto folder = root / "sys/devices/system/node";
  for (const std::string& name : facts::entries(folder))
    if (name.starts_with("node") && facts::to_number(name.substr(4)))
      if (const auto cpus = facts::line(folder / name / "cpulist")) nodes[name.substr(4)] = *cpus;
  return nodes;
}

}  // namespace

HostFacts read_host_facts(std::optional<std::string>& nvml_problem) {
  HostFacts f{
      .host = read_host(),
      .available_bytes = available_memory(),
      .usable_cpus = cpus_of_job(),
      .huge_pages = count_in_meminfo("HugePages_Total"),
      .gpu_peer_memory = facts::is_there("/sys/module/nvidia_peermem") || facts::is_there("/sys/module/nv_peer_mem")};
  struct statvfs shm{};
  if (::statvfs("/dev/shm", &shm) == 0) {
    f.shm_bytes = shm.f_blocks * shm.f_frsize;
    f.shm_free_bytes = shm.f_bavail * shm.f_frsize;
  }
  const auto nvml = nvml::Library::open();
  if (nvml.library)
    nvml::add_gpu_facts(f.host, nvml.library);
  else
    nvml_problem = nvml.problem;
  return f;
}

Limits read_limits() { return {.memlock_bytes = soft_limit(RLIMIT_MEMLOCK), .open_files = soft_limit(RLIMIT_NOFILE)}; }

Place read_place(const std::filesystem::path& root) {
  Place place{.cpus = affinity(), .numa_nodes = {}};
  for (const auto& [node, cpus] : numa_cpus(root))
    if (std::ranges::find_first_of(place.cpus, facts::numbers_of(cpus).value_or(std::vector<int>{})) !=
        place.cpus.end())
      place.numa_nodes.push_back(static_cast<int>(facts::to_number(node).value_or(0)));
  return place;
}

}  // namespace busbar::preflight
