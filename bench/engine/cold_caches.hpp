// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace busbar {

/// Bytes of the largest cache of a CPU, whose folder this is (/sys/devices/system/cpu/cpu0); empty: not known.
[[nodiscard]] std::optional<std::size_t> largest_cache_bytes(const std::filesystem::path& cpu);

/// Pushes out of this CPU's caches what lies there, by writing to a buffer as large as the largest of them. Local.
class ColdCaches {
 public:
  /// Of the first CPU that this process may run on; 32 MiB where its caches are not known. Cores that share a cache
  /// each write all of it.
  ColdCaches();
  void evict();
  [[nodiscard]] std::size_t bytes() const { return words_.size() * sizeof(words_[0]); }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace busbar
