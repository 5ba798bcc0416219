// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/environment/facts.hpp"

namespace busbar::facts {
namespace {

std::optional<std::string> field(std::string_view text, std::string_view key) {
  const auto value = value_of(text, key, ':');
  return value ? clean(*value) : std::nullopt;
}

bool is_version(std::string_view word) {
  const auto parts = split(word, '.');
  return parts.size() >= 2 && std::all_of(parts.begin(), parts.end(), [](auto part) {
           return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
         });
}

}  // namespace

std::vector<Gpu> gpus(const Path& root) {
  std::vector<Gpu> all;
  const Path folder = root / "proc/driver/nvidia/gpus";
  for (const auto& address : entries(folder)) {
    const auto information = read_text(folder / address / "information");
    if (!information) continue;
    auto uuid = field(*information, "GPU UUID");
    if (uuid && uuid->find('?') != std::string::npos) uuid.reset();  // "GPU-????????-..." before the first use
    auto bus = field(*information, "Bus Location");
    all.push_back(
        {.name = field(*information, "Model").value_or("unknown"), .bus = bus ? bus : clean(address), .uuid = uuid});
  }
  return all;
}

std::optional<std::string> gpu_driver(const Path& root) {
  // "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.15  Release Build ...": the words before the
  // number vary.
  const auto version = line(root / "proc/driver/nvidia/version");
  if (!version) return std::nullopt;
  const auto words = split(*version, ' ');
  const auto word = std::find_if(words.begin(), words.end(), is_version);
  return word == words.end() ? std::nullopt : clean(*word);
}

}  // namespace busbar::facts
