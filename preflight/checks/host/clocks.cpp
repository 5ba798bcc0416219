// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_clocks(const Facts& f) {
  constexpr double most_s = 0.5;
  if (f.hosts.size() < 2) return {not_applicable("only one host")};
  std::vector<CheckResult> findings;
  double widest = 0;
  for (std::size_t h = 1; h < f.hosts.size(); ++h) {
    const double offset = f.hosts[h].clock_offset_s, error = f.hosts[h].clock_error_s;
    widest = std::max(widest, std::abs(offset) + error);
    if (std::abs(offset) - error > most_s)
      findings.push_back(
          about_hosts(State::warning, f, {static_cast<int>(h)},
                      fmt::format("{} is {:.3f} s {} {} (+- {:.3f} s)", f.hosts[h].host.name, std::abs(offset),
                                  offset > 0 ? "ahead of" : "behind", f.hosts[0].host.name, error)));
  }
  if (findings.empty())
    findings.push_back(all_well(fmt::format("all within {} of {}", format_duration(widest), f.hosts[0].host.name)));
  return findings;
}

}  // namespace

extern const Check clocks{
    .name = "clocks",
    .stage = Stage::host,
    .about = "time-of-day clocks of all hosts",
    .expected = "clocks differ by less than 0.5 s",
    .why =
        "logs from different hosts do not line up, files get timestamps in the future, and certificates may be "
        "rejected",
    .advice = "Run chronyc tracking (or timedatectl) on the host that is off; start chronyd or ntpd there.",
    .find = check_clocks,
};

}  // namespace busbar::preflight
