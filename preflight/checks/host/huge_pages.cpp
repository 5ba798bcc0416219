// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_huge_pages(const Facts& f) {
  std::vector<std::string> settings;
  for (const HostFacts& h : f.hosts)
    settings.push_back(fmt::format("transparent: {}; reserved: {}", h.host.transparent_huge_pages.value_or("unknown"),
                                   h.huge_pages ? std::to_string(*h.huge_pages) : "unknown"));
  return {same_on_hosts(State::warning, f, "huge page setting", settings)};
}

}  // namespace

extern const Check huge_pages{
    .name = "huge_pages",
    .stage = Stage::host,
    .about = "same huge page settings on all hosts",
    .expected = "same transparent huge page setting and same number of reserved pages on all hosts",
    .why =
        "transparent huge pages affect the speed of memory registration and of large messages; reserved, unused "
        "pages are lost to jobs",
    .advice =
        "Compare cat /sys/kernel/mm/transparent_hugepage/enabled and grep Huge /proc/meminfo on the hosts that "
        "differ.",
    .find = check_huge_pages,
};

}  // namespace busbar::preflight
