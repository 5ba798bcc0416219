// SPDX-License-Identifier: Apache-2.0
#include "reports/virtualisation/layer.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/record/run_record.hpp"

namespace busbar::virtualisation {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

void Layer::add_hosts(const RunRecord& run) {
  for (const Host& host : run.hosts) {
    if (host.virtualisation != "unknown") hypervisors.insert(host.virtualisation);
    if (host.container) containers.insert(*host.container);
    if (host.lab) labs.insert(*host.lab);
    const bool is_virtual_lab = host.lab && contains(*host.lab, "virtual machines on one machine");
    virtual_lab = virtual_lab || is_virtual_lab;
    emulated = emulated || host.virtualisation == "QEMU" || (is_virtual_lab && contains(*host.lab, "TCG"));
  }
}

std::string Layer::text() const {
  if (hypervisors.empty()) return "unknown";
  const std::string on = fmt::format("{}", fmt::join(hypervisors, ", "));
  return containers.empty() ? on : fmt::format("{} in {}", on, fmt::join(containers, ", "));
}

bool Layer::is_virtual() const {
  return !hypervisors.empty() && !(hypervisors.size() == 1 && hypervisors.contains("bare metal"));
}

int Layer::depth() const {
  return 4 * static_cast<int>(virtual_lab) + 2 * static_cast<int>(is_virtual()) + static_cast<int>(!containers.empty());
}

bool differ(const Layer& a, const Layer& b) {
  if (a.hypervisors.empty() || b.hypervisors.empty()) return false;
  return a.hypervisors != b.hypervisors || a.containers != b.containers || a.virtual_lab != b.virtual_lab;
}

}  // namespace busbar::virtualisation
