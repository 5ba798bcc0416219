// SPDX-License-Identifier: Apache-2.0
#include "core/job/machine_notes.hpp"

#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/files/kernel_files.hpp"

namespace busbar {
namespace {

constexpr double most_noise = 0.01;  ///< fraction of the time; 0.007 to 0.02 on a quiet 2-core virtual machine
constexpr double most_speed_ratio = 1.25;
constexpr double longest_step_s = 1e-7;  ///< of the clock: a tenth of the fastest calls
constexpr double longest_read_s = 2e-7;

using Note = std::optional<std::string>;

int ranks_on(const MachineFacts& facts, const Host& host) {
  return static_cast<int>(std::ranges::count(facts.placement, host.name, &RankPlace::host));
}

/// Ranks and CPUs of a host.
struct Share {
  int ranks = 0;
  std::optional<int> cpus;  ///< empty: unknown
};

/// By host. CPUs are those its ranks may use, or all of the host if unknown or if a rank is bound to a single CPU:
/// another note covers ranks on the same CPU.
std::map<std::string, Share> shares(const MachineFacts& facts) {
  std::map<std::string, std::set<int>> cpus;
  std::map<std::string, Share> all;
  std::set<std::string> by_ranks, by_host;
  for (const RankPlace& place : facts.placement) {
    ++all[place.host].ranks;
    const auto own = place.cpus ? facts::numbers_of(*place.cpus) : std::nullopt;
    (own && own->size() > 1 ? by_ranks : by_host).insert(place.host);
    if (own) cpus[place.host].insert(own->begin(), own->end());
  }
  for (const Host& host : facts.hosts) {
    const auto share = all.find(host.name);
    if (share == all.end()) continue;
    share->second.cpus = host.threads;
    if (!by_host.contains(host.name))
      share->second.cpus = std::min<int>(host.threads.value_or(INT_MAX), static_cast<int>(cpus[host.name].size()));
  }
  return all;
}

/// Formats seconds, "3.2 us".
std::string format_interruption(double s) {
  if (s >= 1e-3) return fmt::format("{:.3g} ms", s * 1e3);
  return s >= 1e-6 ? fmt::format("{:.3g} us", s * 1e6) : fmt::format("{:.3g} ns", s * 1e9);
}

/// " (and 3 more ranks)"; empty if there are none.
std::string and_more(std::ptrdiff_t more, const char* what) {
  if (more <= 0) return "";
  return fmt::format(" (and {} more {}{})", more, what, more == 1 ? "" : "s");
}

/// The first row with the largest `value`, and how many more exceed `limit`; empty if none does.
template <class Rows, class Value>
std::optional<std::pair<std::size_t, std::ptrdiff_t>> worst(const Rows& rows, double limit, Value value) {
  std::size_t at = 0;
  std::ptrdiff_t over = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (value(rows[i]) > limit) ++over;
    if (value(rows[i]) > value(rows[at])) at = i;
  }
  if (over == 0) return std::nullopt;
  return std::pair(at, over - 1);
}

std::string rank_at(const MachineFacts& facts, std::size_t row) {
  const RankPlace& place = facts.placement[row];
  return fmt::format("rank {} ({})", place.rank, place.host);
}

/// Hosts that share one machine.
Note lab(const MachineFacts& facts) {
  const auto made = std::ranges::find_if(facts.hosts, [](const Host& host) { return host.lab.has_value(); });
  if (made == facts.hosts.end()) return std::nullopt;
  return fmt::format("a lab: {} is {}; this shows that things work, not how fast a network is", made->name, *made->lab);
}

Note noise(const MachineFacts& facts) {
  const auto found = worst(facts.noise, most_noise, [](const Noise& n) { return n.stolen_share; });
  if (!found) return std::nullopt;
  const Noise& n = facts.noise[found->first];
  return fmt::format(
      "OS noise on {}{}: lost {:.1f} % of the time, longest interruption {}; stop other work or bind ranks",
      rank_at(facts, found->first), and_more(found->second, "rank"), n.stolen_share * 100,
      format_interruption(n.longest_s));
}

Note speed(const MachineFacts& facts) {
  const auto found = worst(facts.noise, most_speed_ratio, [](const Noise& n) { return n.speed_ratio; });
  if (!found) return std::nullopt;
  const Noise& n = facts.noise[found->first];
  return fmt::format(
      "the speed of the CPU of {}{} varied {:.1f}x within {:.3g} s: bursts of samples see one speed or the other",
      rank_at(facts, found->first), and_more(found->second, "rank"), n.speed_ratio, n.measured_s);
}

double load(const Share& share) { return share.cpus ? share.ranks / double(*share.cpus) : 0; }

Note oversubscription(const MachineFacts& facts) {
  auto all = shares(facts);
  const auto found = worst(facts.hosts, 1, [&](const Host& host) { return load(all[host.name]); });
  if (!found) return std::nullopt;
  const Host& host = facts.hosts[found->first];
  const Share& share = all[host.name];
  return fmt::format("{} ranks share {} CPU{} on {}{}{}: times show the scheduler as well", share.ranks, *share.cpus,
                     *share.cpus == 1 ? "" : "s", host.name, and_more(found->second, "host"),
                     !facts.yields   ? ""
                     : *facts.yields ? ", and yield while they wait"
                                     : ", and do not yield");
}

Note quota(const MachineFacts& facts) {
  const auto lack = [&](const Host& host) { return host.cpu_quota ? ranks_on(facts, host) / *host.cpu_quota : 0; };
  const auto found = worst(facts.hosts, 1, lack);
  if (!found) return std::nullopt;
  const Host& host = facts.hosts[found->first];
  return fmt::format("a quota gives the {} ranks on {}{} the time of {:.3g} CPUs: they are stopped when it is used up",
                     ranks_on(facts, host), host.name, and_more(found->second, "host"), *host.cpu_quota);
}

/// Ranks that the scheduler may move. If ranks share CPUs, binding does not help.
Note binding(const MachineFacts& facts) {
  auto all = shares(facts);
  const auto movable = [&](const RankPlace& place) {
    const auto host = std::ranges::find(facts.hosts, place.host, &Host::name);
    return place.bound == false && (host == facts.hosts.end() || (host->threads != 1 && load(all[host->name]) <= 1));
  };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(facts.placement, movable));
  if (count == 0) return std::nullopt;
  const auto who =
      count == facts.placement.size() ? "ranks" : fmt::format("{} of {} ranks", count, facts.placement.size());
  return who + " are not bound to cores" +
         (facts.bind_hint.empty() ? "" : fmt::format("; {} binds them", facts.bind_hint));
}

/// Two ranks on one CPU although the host has enough CPUs.
Note same_cpu(const MachineFacts& facts) {
  std::map<std::pair<std::string, std::string>, int> first_rank;
  Note note;
  std::ptrdiff_t pairs = 0;
  for (const RankPlace& place : facts.placement) {
    if (!place.cpus || facts::count_of(*place.cpus) != 1) continue;
    const auto [other, is_first] = first_rank.try_emplace({place.host, *place.cpus}, place.rank);
    if (is_first || pairs++ > 0) continue;
    note = fmt::format("ranks {} and {} are bound to the same CPU, {} of {}", other->second, place.rank, *place.cpus,
                       place.host);
  }
  if (note) *note += and_more(pairs - 1, "rank") + ": they take turns";
  return note;
}

Note governor(const MachineFacts& facts) {
  const auto changes = [](const Host& host) { return host.governor && *host.governor != "performance" ? 1.0 : 0.0; };
  const auto found = worst(facts.hosts, 0, changes);
  if (!found) return std::nullopt;
  const Host& host = facts.hosts[found->first];
  return fmt::format("the CPU governor of {}{} is {}: clocks follow the load; performance keeps them high", host.name,
                     and_more(found->second, "host"), *host.governor);
}

Note clock(const MachineFacts& facts) {
  const Timer& timer = facts.timer;
  if (timer.resolution_s <= longest_step_s && timer.cost_s <= longest_read_s) return std::nullopt;
  const auto source = facts.hosts.empty() ? std::nullopt : facts.hosts.front().clock_source;
  return fmt::format("the clock ({}) has steps of {} and takes {} to read: short calls cannot be resolved",
                     source.value_or("source not known"), format_interruption(timer.resolution_s),
                     format_interruption(timer.cost_s));
}

}  // namespace

std::vector<std::string> machine_notes(const MachineFacts& facts) {
  std::vector<std::string> notes;
  for (Note note : {lab(facts), oversubscription(facts), quota(facts), same_cpu(facts), binding(facts), noise(facts),
                    speed(facts), governor(facts), clock(facts)})
    if (note) notes.push_back(*std::move(note));
  return notes;
}

}  // namespace busbar
