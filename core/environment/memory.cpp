// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/environment/cgroup.hpp"
#include "core/environment/facts.hpp"

namespace busbar::facts {
namespace {

/// A value of /proc/meminfo, e.g. "MemTotal:  24684092 kB", in bytes.
std::optional<std::uint64_t> meminfo(const Path& root, std::string_view key) {
  const auto all = read_text(root / "proc/meminfo");
  if (!all) return std::nullopt;
  auto value = value_of(*all, key, ':');
  if (!value || !value->ends_with(" kB")) return std::nullopt;
  value->remove_suffix(3);
  const auto kibibytes = to_number(trimmed(*value));
  if (!kibibytes || *kibibytes < 0 || *kibibytes > (std::int64_t{1} << 52)) return std::nullopt;
  return static_cast<std::uint64_t>(*kibibytes) * 1024;
}

/// File names of one cgroup version.
struct CgroupFiles {
  const char* limit;
  const char* usage;
  std::string_view cache;  ///< row of memory.stat: page cache that the kernel reclaims before an allocation fails
};
constexpr CgroupFiles version1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr CgroupFiles version2{"memory.max", "memory.current", "inactive_file"};

std::uint64_t cache_in(const Path& group, std::string_view row) {
  const auto stat = read_text(group / "memory.stat");
  if (!stat) return 0;
  for (const std::string_view entry : split(*stat, '\n')) {
    const auto blank = entry.find(' ');
    if (entry.substr(0, blank) != row || blank == std::string_view::npos) continue;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, to_number(trimmed(entry.substr(blank))).value_or(0)));
  }
  return 0;
}

/// Memory left in one group; empty if it has no limit ("max", or 2^63 less a page in version 1).
std::optional<std::uint64_t> left_in(const Path& group, const CgroupFiles& files) {
  const auto limit = number(group / files.limit);
  const auto usage = number(group / files.usage);
  if (!limit || !usage || *limit < 0 || *usage < 0 || *limit > (std::int64_t{1} << 62)) return std::nullopt;
  const auto used = static_cast<std::uint64_t>(*usage);
  const std::uint64_t held = used - std::min(used, cache_in(group, files.cache));
  return static_cast<std::uint64_t>(*limit) - std::min(held, static_cast<std::uint64_t>(*limit));
}

void lower(std::optional<std::uint64_t>& least, const std::optional<std::uint64_t>& bound) {
  if (bound) least = std::min(*bound, least.value_or(*bound));
}

}  // namespace

std::optional<std::uint64_t> total_memory(const Path& root) { return meminfo(root, "MemTotal"); }

}  // namespace busbar::facts

namespace busbar {

std::optional<std::uint64_t> available_memory(const std::filesystem::path& root) {
  const facts::Cgroups groups = facts::cgroups(root, "memory");
  auto least = facts::meminfo(root, "MemAvailable");
  for (const auto& group : groups.version1) facts::lower(least, facts::left_in(group, facts::version1));
  for (const auto& group : groups.version2) facts::lower(least, facts::left_in(group, facts::version2));
  return least;
}

}  // namespace busbar
