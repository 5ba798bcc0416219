// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/files/kernel_files.hpp"

/// Control groups: what bounds a process besides the size of its host. `root` as for read_host().
namespace busbar::facts {

/// Folders of this process's group and of all above it, innermost first: each bounds those below. In a container the
/// path may be that of the host, of which only the container's own part is mounted, so not every folder is there.
struct Cgroups {
  std::vector<Path> version1, version2;
};

/// Those that `controller` ("cpu", "memory", "cpuset") bounds this process by.
[[nodiscard]] Cgroups cgroups(const Path& root, std::string_view controller);

/// A quota of processor time and where it stands.
struct CpuQuota {
  double cpus = 0;  ///< seconds of processor time a second
  Path stat;        ///< cpu.stat of the group that has it
};

/// The least quota of this process's group and those above; nothing where none has one.
[[nodiscard]] std::optional<CpuQuota> cpu_quota(const Path& root);

/// How many CPUs the groups of this process let it run on (cpuset), whatever it was bound to since; nothing where no
/// group says.
[[nodiscard]] std::optional<int> cpus_in_cgroup(const Path& root);

}  // namespace busbar::facts
