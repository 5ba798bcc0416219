// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/environment/facts.hpp"

namespace busbar::facts {
namespace {

/// A row "MemTotal:  24684092 kB" of /proc/meminfo, in bytes.
std::optional<std::uint64_t> meminfo(const Path& root, std::string_view key) {
  const auto all = text(root / "proc/meminfo");
  if (!all) return std::nullopt;
  auto value = value_of(*all, key, ':');
  if (!value || !value->ends_with(" kB")) return std::nullopt;
  value->remove_suffix(3);
  const auto kibibytes = to_number(trimmed(*value));
  if (!kibibytes || *kibibytes < 0 || *kibibytes > (std::int64_t{1} << 52)) return std::nullopt;
  return static_cast<std::uint64_t>(*kibibytes) * 1024;
}

/// How one version of cgroups names what we ask for.
struct CgroupFiles {
  const char* limit;
  const char* usage;
  std::string_view cache;  ///< row of memory.stat: page cache that the kernel gives back before it fails an allocation
};
constexpr CgroupFiles version1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr CgroupFiles version2{"memory.max", "memory.current", "inactive_file"};

std::uint64_t cache_in(const Path& group, std::string_view row) {
  const auto stat = text(group / "memory.stat");
  if (!stat) return 0;
  for (const std::string_view entry : split(*stat, '\n')) {
    const auto blank = entry.find(' ');
    if (entry.substr(0, blank) != row || blank == std::string_view::npos) continue;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, to_number(trimmed(entry.substr(blank))).value_or(0)));
  }
  return 0;
}

/// What is left in one group; nothing where it has no limit ("max", or version 1's 2^63 less a page).
std::optional<std::uint64_t> left_in(const Path& group, const CgroupFiles& files) {
  const auto limit = number(group / files.limit);
  const auto usage = number(group / files.usage);
  if (!limit || !usage || *limit < 0 || *usage < 0 || *limit > (std::int64_t{1} << 62)) return std::nullopt;
  const auto used = static_cast<std::uint64_t>(*usage);
  const std::uint64_t held = used - std::min(used, cache_in(group, files.cache));
  return static_cast<std::uint64_t>(*limit) - std::min(held, static_cast<std::uint64_t>(*limit));
}

/// The least that is left in the group `path` and all above it: each bounds those below. In a container the path may be
/// that of the host, of which only the container's own part is mounted; folders that are not there count for nothing.
std::optional<std::uint64_t> least_left(const Path& mount, Path path, const CgroupFiles& files) {
  std::optional<std::uint64_t> least;
  path = path.relative_path();
  while (true) {
    if (const auto left = left_in(mount / path, files)) least = std::min(*left, least.value_or(*left));
    if (path.empty()) return least;
    path = path.parent_path();
  }
}

/// Path of this process in the memory hierarchy of version 1, or in that of version 2 ("0::/path").
std::optional<std::string> cgroup_path(std::string_view rows, bool first_version) {
  for (const std::string_view row : split(rows, '\n')) {
    const auto controllers = row.find(':');
    if (controllers == std::string_view::npos) continue;
    const auto path = row.find(':', controllers + 1);
    if (path == std::string_view::npos) continue;
    const auto names = split(row.substr(controllers + 1, path - controllers - 1), ',');
    const bool memory = std::find(names.begin(), names.end(), "memory") != names.end();
    if (first_version ? memory : names.empty()) return std::string(row.substr(path + 1));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> total_memory(const Path& root) { return meminfo(root, "MemTotal"); }

}  // namespace busbar::facts

namespace busbar {

std::optional<std::uint64_t> available_memory(const std::filesystem::path& root) {
  const std::string rows = facts::text(root / "proc/self/cgroup").value_or("");
  const auto path1 = facts::cgroup_path(rows, true);
  const auto path2 = facts::cgroup_path(rows, false);
  const auto mount = root / "sys/fs/cgroup";
  const std::optional<std::uint64_t> bounds[] = {
      facts::meminfo(root, "MemAvailable"),
      path1 ? facts::least_left(mount / "memory", *path1, facts::version1) : std::nullopt,
      path2 ? facts::least_left(mount, *path2, facts::version2) : std::nullopt,
      path2 ? facts::least_left(mount / "unified", *path2, facts::version2) : std::nullopt,
  };
  std::optional<std::uint64_t> least;
  for (const auto& bound : bounds)
    if (bound) least = std::min(*bound, least.value_or(*bound));
  return least;
}

}  // namespace busbar
