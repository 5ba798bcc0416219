// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "reports/import/beside/companion.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

constexpr std::size_t most_devices = 256;

/// Without "ESC [ ... m", which nvidia-smi prints even into files.
std::string without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033' && i + 1 < text.size() && text[i + 1] == '[')
      i = std::min(text.find_first_not_of("0123456789;", i + 2), text.size());
    else
      plain += text[i];
  }
  return plain;
}

bool is_gpu(std::string_view word) { return word.starts_with("GPU") && small_integer(word.substr(3)).has_value(); }

bool is_link(std::string_view word) {
  static const std::set<std::string_view> words{"X", "SYS", "NODE", "PHB", "PXB", "PIX", "PSB"};
  return words.contains(word) || (word.starts_with("NV") && small_integer(word.substr(2)).has_value());
}

/// Names of the header's devices, which are followed by "CPU Affinity" and others.
std::vector<std::string> devices_of(const std::vector<Word>& header) {
  std::vector<std::string> devices;
  for (const Word& w : header) {
    if (w.text == "CPU" || w.text == "NUMA" || w.text == "GPU") break;
    if (!is_name(w.text) || devices.size() == most_devices) return {};
    devices.emplace_back(w.text);
  }
  return devices;
}

std::optional<GpuLinks> links_in(std::string_view text) {
  GpuLinks links;
  LogLines lines(text);
  while (const auto line = lines.next()) {
    const std::vector<Word> all = words(line->text);
    if (all.empty() || !is_gpu(all.front().text)) continue;
    if (links.columns.empty()) {
      links.columns = devices_of(all);
      if (links.columns.empty()) return std::nullopt;
      continue;
    }
    if (all.size() <= links.columns.size() || all.front().text != fmt::format("GPU{}", links.rows.size()))
      return std::nullopt;
    auto& row = links.rows.emplace_back();
    for (std::size_t i = 1; i <= links.columns.size(); ++i) {
      if (!is_link(all[i].text)) return std::nullopt;
      row.emplace_back(all[i].text);
    }
  }
  const auto gpus = static_cast<std::size_t>(std::ranges::count_if(links.columns, is_gpu));
  return gpus > 0 && links.rows.size() == gpus ? std::optional(links) : std::nullopt;
}

/// "8 GPUs of a node, NV18 between them".
std::string links_text(const GpuLinks& links) {
  std::set<std::string> kinds;
  for (std::size_t row = 0; row < links.rows.size(); ++row)
    for (std::size_t column = 0; column < row; ++column) kinds.insert(*links.rows[row][column]);
  const std::string gpus = plural(links.rows.size(), "GPU") + " of a node";
  return kinds.empty() ? gpus : fmt::format("{}, {} between them", gpus, fmt::join(kinds, " and "));
}

std::optional<CompanionFacts> read_gpu_topology(std::string_view text) {
  auto links = links_in(without_colours(text));
  if (!links) return std::nullopt;
  CompanionFacts facts{.gpus = static_cast<int>(links->rows.size()), .remarks = {links_text(*links)}};
  facts.gpu_links = *std::move(links);
  return facts;
}

}  // namespace

extern const Companion gpu_topology{
    .name = "GPU topology",
    .about = "*topo*: output of nvidia-smi topo -m",
    .is_named = [](std::string_view file) { return holds(file, "topo") && !file.ends_with(".xml"); },
    .read = read_gpu_topology,
};

}  // namespace busbar
