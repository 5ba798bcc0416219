// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/cold_caches.hpp"

#include <algorithm>
#include <string>

#include "core/environment/environment.hpp"
#include "core/files/kernel_files.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t line_bytes = 64, usual_bytes = std::size_t{32} << 20;

/// Parses a cache size as the kernel writes it, "32768K".
std::optional<std::size_t> size_of_cache(std::string text) {
  if (!text.ends_with('K')) return std::nullopt;
  text.pop_back();
  const auto kib = facts::to_number(text);
  return kib && *kib > 0 ? std::optional(static_cast<std::size_t>(*kib) << 10) : std::nullopt;
}

std::size_t bytes_to_evict() {
  const std::vector<int> cpus = affinity();
  const std::string first = "cpu" + std::to_string(cpus.empty() ? 0 : cpus.front());
  return largest_cache_bytes(fs::path("/sys/devices/system/cpu") / first).value_or(usual_bytes);
}

}  // namespace

std::optional<std::size_t> largest_cache_bytes(const fs::path& cpu) {
  std::optional<std::size_t> largest;
  for (const std::string& name : facts::entries(cpu / "cache"))
    if (const auto text = facts::line(cpu / "cache" / name / "size"))
      if (const auto bytes = size_of_cache(*text)) largest = std::max(largest.value_or(0), *bytes);
  return largest;
}

ColdCaches::ColdCaches() : words_(bytes_to_evict() / sizeof(std::uint64_t)) {}

void ColdCaches::evict() {
  for (std::size_t i = 0; i < words_.size(); i += line_bytes / sizeof(words_[0])) {
    volatile std::uint64_t& word = words_[i];
    word = word + 1;
  }
}

}  // namespace busbar
