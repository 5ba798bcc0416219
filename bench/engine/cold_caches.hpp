// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace busbar {

/// Size of the largest cache of a CPU in bytes; empty: unknown. `cpu`: its folder (/sys/devices/system/cpu/cpu0).
[[nodiscard]] std::optional<std::size_t> largest_cache_bytes(const std::filesystem::path& cpu);

/// Evicts this CPU's caches by writing to a buffer as large as the largest of them. Local.
class ColdCaches {
 public:
  /// Uses the first CPU of this process's affinity, or 32 MiB if its cache sizes are unknown. Each core writes the
  /// whole buffer, even if cores share the cache.
  ColdCaches();
  void evict();
  [[nodiscard]] std::size_t bytes() const { return words_.size() * sizeof(words_[0]); }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace busbar
