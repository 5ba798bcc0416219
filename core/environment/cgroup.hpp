// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/files/kernel_files.hpp"

/// Limits of a process by control groups. `root` as in read_host().
namespace busbar::facts {

/// Folders of this process's group and all its parents, innermost first; each limits those below. Some may not exist:
/// in a container the path may be the host's, but only the container's part is mounted.
struct Cgroups {
  std::vector<Path> version1, version2;
};

/// Groups that limit this process through `controller` ("cpu", "memory", "cpuset").
[[nodiscard]] Cgroups cgroups(const Path& root, std::string_view controller);

/// A CPU time quota and its group.
struct CpuQuota {
  double cpus = 0;  ///< CPU seconds per second
  Path stat;        ///< cpu.stat of the group with the quota
};

/// The smallest quota of this process's group and its parents; empty if there is none.
[[nodiscard]] std::optional<CpuQuota> cpu_quota(const Path& root);

/// Number of CPUs in this process's cpuset, regardless of later binding; empty if no group has one.
[[nodiscard]] std::optional<int> cpus_in_cgroup(const Path& root);

}  // namespace busbar::facts
