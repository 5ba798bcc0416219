// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>

#include <sched.h>

#include "core/environment/environment.hpp"
#include "core/environment/facts.hpp"

namespace busbar::facts {
namespace {

struct ArmPart {
  std::string_view implementer, part, name;
};

/// Server processors by MIDR_EL1, with numbers published by Arm and its licensees.
constexpr std::array<ArmPart, 21> arm_parts{{
    {"0x41", "0xd07", "Cortex-A57"},     {"0x41", "0xd08", "Cortex-A72"},     {"0x41", "0xd0b", "Cortex-A76"},
    {"0x41", "0xd0c", "Neoverse-N1"},    {"0x41", "0xd40", "Neoverse-V1"},    {"0x41", "0xd49", "Neoverse-N2"},
    {"0x41", "0xd4a", "Neoverse-E1"},    {"0x41", "0xd4f", "Neoverse-V2"},    {"0x41", "0xd83", "Neoverse-V3AE"},
    {"0x41", "0xd84", "Neoverse-V3"},    {"0x41", "0xd8e", "Neoverse-N3"},    {"0x43", "0x0a1", "ThunderX-88XX"},
    {"0x43", "0x0af", "ThunderX2-99xx"}, {"0x43", "0x0b8", "ThunderX3-T110"}, {"0x46", "0x001", "A64FX"},
    {"0x48", "0xd01", "TaiShan-v110"},   {"0x48", "0xd02", "TaiShan-v120"},   {"0x4e", "0x004", "Carmel"},
    {"0xc0", "0xac3", "Ampere-1"},       {"0xc0", "0xac4", "Ampere-1a"},      {"0x51", "0xc00", "Falkor"},
}};

std::optional<std::string> arm_model(std::string_view cpuinfo) {
  const auto implementer = value_of(cpuinfo, "CPU implementer", ':');
  const auto part = value_of(cpuinfo, "CPU part", ':');
  if (!implementer || !part) return std::nullopt;
  for (const auto& row : arm_parts)
    if (row.implementer == *implementer && row.part == *part) return std::string(row.name);
  return clean("ARM implementer " + std::string(*implementer) + " part " + std::string(*part));
}

std::optional<std::string> cpu_model(std::string_view cpuinfo) {
  for (const auto* key : {"model name", "cpu model", "cpu"})  // x86, MIPS, POWER
    if (const auto value = value_of(cpuinfo, key, ':'); value && !to_number(*value)) return clean(*value);
  return arm_model(cpuinfo);
}

std::optional<int> threads_online(const Path& cpus, std::string_view cpuinfo) {
  if (const auto online = line(cpus / "online"))
    if (const auto count = count_of(*online)) return count;
  const auto rows = split(cpuinfo, '\n');
  const auto count = std::count_if(rows.begin(), rows.end(), [](auto row) { return row.starts_with("processor"); });
  if (count == 0) return std::nullopt;
  return static_cast<int>(count);
}

/// Identifies the core of a thread: the list of its threads, or package, die and core number (core numbers restart in
/// each package).
std::optional<std::string> core_of(const Path& topology, const std::optional<std::int64_t>& package) {
  for (const auto* list : {"core_cpus_list", "thread_siblings_list"})
    if (auto siblings = line(topology / list)) return siblings;
  const auto core = number(topology / "core_id");
  if (!core || *core < 0) return std::nullopt;
  const auto die = number(topology / "die_id").value_or(0);
  return std::to_string(package.value_or(0)) + "/" + std::to_string(die) + "/" + std::to_string(*core);
}

bool is_cpu_folder(std::string_view name) { return name.starts_with("cpu") && to_number(name.substr(3)).has_value(); }

void read_topology(const Path& cpus, Host& host) {
  std::set<std::int64_t> packages;
  std::set<std::string> cores;
  for (const auto& name : entries(cpus)) {
    if (!is_cpu_folder(name)) continue;
    const Path topology = cpus / name / "topology";
    const auto package = number(topology / "physical_package_id");
    if (package && *package >= 0) packages.insert(*package);
    if (const auto core = core_of(topology, package)) cores.insert(*core);
  }
  if (!packages.empty()) host.sockets = static_cast<int>(packages.size());
  if (!cores.empty()) host.cores = static_cast<int>(cores.size());
}

}  // namespace

void read_cpu(const Path& root, Host& host) {
  const std::string cpuinfo = read_text(root / "proc/cpuinfo").value_or("");
  const Path cpus = root / "sys/devices/system/cpu";
  host.cpu_model = cpu_model(cpuinfo);
  host.threads = threads_online(cpus, cpuinfo);
  read_topology(cpus, host);
}

}  // namespace busbar::facts

namespace busbar {

std::string format_cpu_list(const std::vector<int>& cpus) {
  std::vector<int> sorted = cpus;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::string list;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t last = i;
    while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
    list += (list.empty() ? "" : ",") + std::to_string(sorted[i]);
    if (last > i) list += "-" + std::to_string(sorted[last]);
    i = last + 1;
  }
  return list;
}

std::vector<int> affinity() {
  static constexpr std::size_t most = 1 << 20;
  for (std::size_t size = 1024; size <= most; size *= 2) {  // the kernel refuses a set smaller than its own
    const std::size_t bytes = CPU_ALLOC_SIZE(size);
    std::vector<unsigned long> words(bytes / sizeof(unsigned long));
    auto* set = reinterpret_cast<cpu_set_t*>(words.data());
    if (::sched_getaffinity(0, bytes, set) != 0) continue;
    std::vector<int> cpus;
    for (std::size_t cpu = 0; cpu < size; ++cpu)
      if (CPU_ISSET_S(cpu, bytes, set)) cpus.push_back(static_cast<int>(cpu));
    return cpus;
  }
  return {};
}

}  // namespace busbar
