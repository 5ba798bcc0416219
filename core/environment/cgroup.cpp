// SPDX-License-Identifier: Apache-2.0
#include "core/environment/cgroup.hpp"

#include <algorithm>
#include <string>

namespace busbar::facts {
namespace {

/// This process's path in the version 1 hierarchy of `controller`, or in the version 2 hierarchy ("0::/path").
std::optional<std::string> cgroup_path(std::string_view rows, std::string_view controller, bool first_version) {
  for (const std::string_view row : split(rows, '\n')) {
    const auto controllers = row.find(':');
    if (controllers == std::string_view::npos) continue;
    const auto path = row.find(':', controllers + 1);
    if (path == std::string_view::npos) continue;
    const auto names = split(row.substr(controllers + 1, path - controllers - 1), ',');
    const bool has_it = std::find(names.begin(), names.end(), controller) != names.end();
    if (first_version ? has_it : names.empty()) return std::string(row.substr(path + 1));
  }
  return std::nullopt;
}

void append_upwards(std::vector<Path>& folders, const Path& mount, Path path) {
  path = path.relative_path();
  while (true) {
    folders.push_back(mount / path);
    if (path.empty()) return;
    path = path.parent_path();
  }
}

/// Quota divided by period, both in microseconds; empty without a quota (-1).
std::optional<double> ratio(std::optional<std::int64_t> quota, std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

/// Parses cpu.max of version 2: "150000 100000" or "max 100000".
std::optional<double> quota_of(const Path& cpu_max) {
  const auto row = line(cpu_max);
  if (!row) return std::nullopt;
  const auto parts = split(*row, ' ');
  return parts.size() == 2 ? ratio(to_number(parts[0]), to_number(parts[1])) : std::nullopt;
}

}  // namespace

Cgroups cgroups(const Path& root, std::string_view controller) {
  const std::string rows = read_text(root / "proc/self/cgroup").value_or("");
  const Path mount = root / "sys/fs/cgroup";
  Cgroups all;
  if (const auto path = cgroup_path(rows, controller, true)) append_upwards(all.version1, mount / controller, *path);
  if (const auto path = cgroup_path(rows, controller, false)) {
    append_upwards(all.version2, mount, *path);
    append_upwards(all.version2, mount / "unified", *path);  // hybrid mode: both versions are mounted
  }
  return all;
}

std::optional<CpuQuota> cpu_quota(const Path& root) {
  const Cgroups groups = cgroups(root, "cpu");
  std::optional<CpuQuota> least;
  const auto consider = [&](std::optional<double> cpus, const Path& group) {
    if (cpus && (!least || *cpus < least->cpus)) least = CpuQuota{*cpus, group / "cpu.stat"};
  };
  for (const Path& group : groups.version1)
    consider(ratio(number(group / "cpu.cfs_quota_us"), number(group / "cpu.cfs_period_us")), group);
  for (const Path& group : groups.version2) consider(quota_of(group / "cpu.max"), group);
  return least;
}

std::optional<int> cpus_in_cgroup(const Path& root) {
  const Cgroups groups = cgroups(root, "cpuset");
  const auto count = [](const Path& list) { return count_of(line(list).value_or("")); };
  for (const Path& group : groups.version1)
    if (const auto cpus = count(group / "cpuset.effective_cpus")) return cpus;
  for (const Path& group : groups.version2)
    if (const auto cpus = count(group / "cpuset.cpus.effective")) return cpus;
  return std::nullopt;
}

}  // namespace busbar::facts
