// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/import/beside/companion.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

/// The value of an attribute of a tag: 200000 of <net name="mlx5_0" speed="200000">; empty if it has none.
std::string_view attribute(std::string_view tag, std::string_view name) {
  return before(behind(tag, fmt::format(" {}=\"", name)), "\"");
}

/// What the tags of a dump count. NCCL writes one tag a line.
struct NcclDevices {
  int gpus = 0;
  std::set<int> links;       ///< numbers of NVLinks of each GPU
  int links_of_gpu = 0;      ///< of the latest GPU
  std::set<int> rates_Mbps;  ///< of network devices
  int networks = 0;
  std::set<std::string> hosts;

  void end_gpu() {
    if (gpus > 0) links.insert(links_of_gpu);
    links_of_gpu = 0;
  }
  void add(std::string_view tag);
};

void NcclDevices::add(std::string_view tag) {
  constexpr int most = 1 << 20;
  if (tag.starts_with("<gpu ")) {
    end_gpu();
    ++gpus;
  } else if (tag.starts_with("<nvlink ")) {
    if (const auto count = small_integer(attribute(tag, "count")))
      links_of_gpu = std::min(links_of_gpu + std::min(*count, most), most);
  } else if (tag.starts_with("<net ")) {
    ++networks;
    if (const auto rate = small_integer(attribute(tag, "speed"))) rates_Mbps.insert(*rate);
  } else if (tag.starts_with("<cpu ")) {
    hosts.emplace(attribute(tag, "host_hash"));
  }
}

std::string devices_text(const NcclDevices& d) {
  std::string text = plural(d.gpus, "GPU");
  if (d.links.size() == 1 && *d.links.begin() > 0)
    text += fmt::format(" of {} each", plural(*d.links.begin(), "NVLink"));
  if (d.networks > 0) text += fmt::format(", {}", plural(d.networks, "network device"));
  if (d.rates_Mbps.size() == 1) text += fmt::format(" of {:g} Gb/s", 1e-3 * *d.rates_Mbps.begin());
  return text + " in NCCL's topology";
}

std::optional<CompanionFacts> read_nccl_topology(std::string_view text) {
  if (!holds(text, "<system")) return std::nullopt;
  NcclDevices devices;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const std::size_t close = text.find('>', at);
    if (close == std::string_view::npos) break;
    devices.add(text.substr(at, close - at));
    at = close;
  }
  devices.end_gpu();
  if (devices.gpus == 0) return std::nullopt;
  CompanionFacts facts{.remarks = {devices_text(devices)}};
  if (devices.hosts.size() <= 1) facts.gpus = devices.gpus;
  return facts;
}

}  // namespace

extern const Companion nccl_topology{
    .name = "NCCL topology",
    .about = "*topo*.xml: what NCCL_TOPO_DUMP_FILE named",
    .is_named = [](std::string_view file) { return holds(file, "topo") && file.ends_with(".xml"); },
    .read = read_nccl_topology,
};

}  // namespace busbar
