// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/environment/cgroup.hpp"
#include "core/environment/facts.hpp"

namespace busbar::facts {
namespace {

/// A file that contains 0 or 1.
std::optional<bool> flag(const Path& path) {
  const auto value = number(path);
  if (value != 0 && value != 1) return std::nullopt;
  return *value == 1;
}

/// intel_pstate reports whether turbo is disabled; other drivers whether boost is enabled, globally or per CPU.
std::optional<bool> turbo(const Path& cpus) {
  if (const auto forbidden = flag(cpus / "intel_pstate/no_turbo")) return !*forbidden;
  if (const auto boost = flag(cpus / "cpufreq/boost")) return boost;
  return flag(cpus / "cpu0/cpufreq/boost");
}

/// Parses "always [madvise] never" as "madvise".
std::optional<std::string> chosen_word(const Path& path) {
  const auto words = line(path).value_or("");
  const auto open = words.find('['), close = words.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  return clean(std::string_view(words).substr(open + 1, close - open - 1));
}

}  // namespace

void read_speed(const Path& root, Host& host) {
  const Path cpus = root / "sys/devices/system/cpu";
  host.governor = line(cpus / "cpu0/cpufreq/scaling_governor");
  host.cpufreq_driver = line(cpus / "cpu0/cpufreq/scaling_driver");
  host.turbo = turbo(cpus);
  host.smt = flag(cpus / "smt/active");
  if (const auto quota = cpu_quota(root)) host.cpu_quota = quota->cpus;
  host.clock_source = line(root / "sys/devices/system/clocksource/clocksource0/current_clocksource");
  host.transparent_huge_pages = chosen_word(root / "sys/kernel/mm/transparent_hugepage/enabled");
}

}  // namespace busbar::facts

namespace busbar {

std::optional<int> usable_cpus(const std::filesystem::path& root) {
  Host host;
  facts::read_cpu(root, host);
  const auto allowed = facts::cpus_in_cgroup(root);
  if (!allowed || !host.threads) return allowed ? allowed : host.threads;
  return std::min(*allowed, *host.threads);
}

}  // namespace busbar
