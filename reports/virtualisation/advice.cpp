// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/record/run.hpp"
#include "reports/explain/words.hpp"
#include "reports/virtualisation/conclusions.hpp"
#include "reports/virtualisation/texts.hpp"

namespace busbar::virtualisation {
namespace {

using compare::Verdict;

constexpr double much_slower = 1.25;  ///< latency between hosts, from which another network path is worth its trouble
constexpr double much_noise = 0.01;   ///< of CPU time, more than on the reference

/// Clock sources that are read without leaving the guest.
constexpr std::array<std::string_view, 4> fast_clocks{"tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
                                                      "arch_sys_counter"};

using Advices = std::vector<Advice>;

bool is_more(const Fact* fact) { return fact != nullptr && fact->point && fact->point->verdict == Verdict::slower; }

std::string against(const Fact& fact) {
  return fmt::format("{}: {} against {}", fact.what, fact.values[other], fact.values[reference]);
}

/// True if a lab of side `other` says that it has this already.
bool lab_has(const Study& study, std::string_view what) {
  const auto& labs = study.sides[other].layer.labs;
  return std::ranges::any_of(labs, [&](const std::string& lab) { return lab.find(what) != std::string::npos; });
}

bool is_pinned(const Study& study) { return lab_has(study, " on CPU "); }

void add_stolen(const Study& study, Advices& all) {
  const Fact* fact = find_fact(study, FactKind::stolen);
  if (!is_more(fact) || !(lost_fraction(fact->point->b.value) > explain::most_stolen)) return;
  all.push_back(
      {against(*fact), is_pinned(study)
                           ? "The virtual CPUs are pinned: keep other guests and the hypervisor's own threads off "
                             "their CPUs."
                           : "Pin virtual CPUs to physical ones, one each, and do not overcommit them; keep the "
                             "hypervisor's own threads on other CPUs."});
}

void add_noise(const Study& study, Advices& all) {
  const Fact* fact = find_fact(study, FactKind::noise);
  if (!is_more(fact)) return;
  const double more = lost_fraction(fact->point->b.value) - lost_fraction(fact->point->a.value);
  if (!(more > much_noise)) return;
  std::vector<std::string_view> ways;
  if (!is_pinned(study)) ways.emplace_back("pin virtual CPUs");
  ways.emplace_back("isolate their physical CPUs from the host's processes and interrupts (isolcpus, IRQ affinity)");
  if (!lab_has(study, "huge pages")) ways.emplace_back("back the guest's memory with huge pages");
  all.push_back({against(*fact), fmt::format("Try: {}.", fmt::join(ways, "; "))});
}

/// The clock sources of side `other` whose reads can leave the guest.
std::vector<std::string> slow_clocks(const Study& study, const std::vector<Run>& runs) {
  std::vector<std::string> all;
  const auto add = [&](const Host& host) {
    if (!host.clock_source || std::ranges::find(fast_clocks, *host.clock_source) != fast_clocks.end()) return;
    if (std::ranges::find(all, *host.clock_source) == all.end()) all.push_back(*host.clock_source);
  };
  for (const std::size_t i : study.sides[other].runs) std::ranges::for_each(runs[i].head.hosts, add);
  return all;
}

void add_clock(const Study& study, const std::vector<Run>& runs, Advices& all) {
  const std::vector<std::string> slow = slow_clocks(study, runs);
  if (slow.empty()) return;
  std::string evidence = fmt::format("clock source {}", fmt::join(slow, ", "));
  if (const Fact* read = find_fact(study, FactKind::clock_read)) evidence += "; " + against(*read);
  all.push_back({std::move(evidence),
                 "Use kvm-clock or tsc (clocksource=tsc, with an invariant TSC exposed to the guest): a read of others "
                 "can leave the guest."});
}

bool has_driver(const Study& study, const std::vector<Run>& runs, std::string_view driver) {
  return std::ranges::any_of(study.sides[other].runs, [&](std::size_t i) {
    return std::ranges::any_of(runs[i].head.hosts, [&](const Host& host) {
      return std::ranges::any_of(host.interfaces,
                                 [&](const NetworkInterface& n) { return n.is_up() && n.driver == driver; });
    });
  });
}

void add_network(const Study& study, const std::vector<Run>& runs, Advices& all) {
  const Fact* fact = find_fact(study, FactKind::latency_between);
  if (!is_more(fact) || fact->point->ratio.ratio() < much_slower || !has_driver(study, runs, "virtio_net")) return;
  std::vector<std::string_view> ways;
  if (!lab_has(study, "vhost")) ways.emplace_back("vhost in the host's kernel");
  if (!lab_has(study, "queues")) ways.emplace_back("a queue for each virtual CPU");
  ways.emplace_back("a device of the guest's own (SR-IOV, PCI passthrough)");
  all.push_back({against(*fact) + "; interface driver virtio_net", fmt::format("Try: {}.", fmt::join(ways, "; "))});
}

}  // namespace

std::vector<Advice> advice_of(const Study& study, const std::vector<Run>& runs) {
  Advices all;
  if (study.emulated() || !study.sides[other].layer.is_virtual()) return all;
  add_stolen(study, all);
  add_noise(study, all);
  add_clock(study, runs, all);
  add_network(study, runs, all);
  return all;
}

}  // namespace busbar::virtualisation
