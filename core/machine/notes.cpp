// SPDX-License-Identifier: Apache-2.0
#include "core/machine/notes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "core/environment/files.hpp"

namespace busbar {
namespace {

constexpr double most_noise = 0.01;  ///< share of the time; a quiet 2-core virtual machine has 0.007 to 0.02
constexpr double most_speed_ratio = 1.25;
constexpr double longest_step_s = 1e-7;  ///< of the clock: a tenth of the fastest calls
constexpr double longest_read_s = 2e-7;

using Note = std::optional<std::string>;

int ranks_on(const MachineFacts& facts, const Host& host) {
  return static_cast<int>(std::ranges::count(facts.placement, host.name, &RankPlace::host));
}

bool oversubscribed(const MachineFacts& facts, const Host& host) {
  return host.threads && ranks_on(facts, host) > *host.threads;
}

/// "3.2 us" of seconds.
std::string duration(double s) {
  if (s >= 1e-3) return fmt::format("{:.3g} ms", s * 1e3);
  return s >= 1e-6 ? fmt::format("{:.3g} us", s * 1e6) : fmt::format("{:.3g} ns", s * 1e9);
}

/// " (and 3 more ranks)"
std::string and_more(std::ptrdiff_t more, const char* what) {
  if (more <= 0) return "";
  return fmt::format(" (and {} more {}{})", more, what, more == 1 ? "" : "s");
}

/// The first of `rows` for which `value` is largest, and how many more exceed `limit`; nothing where none does.
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

/// Hosts that are parts of one machine.
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
      "OS noise on {}{}: {:.1f} % of the time was taken, {} at most at once; stop other work or bind ranks",
      rank_at(facts, found->first), and_more(found->second, "rank"), n.stolen_share * 100, duration(n.longest_s));
}

Note speed(const MachineFacts& facts) {
  const auto found = worst(facts.noise, most_speed_ratio, [](const Noise& n) { return n.speed_ratio; });
  if (!found) return std::nullopt;
  const Noise& n = facts.noise[found->first];
  return fmt::format(
      "the speed of the CPU of {}{} varied {:.1f}x within {:.3g} s: bursts of samples see one speed or the other",
      rank_at(facts, found->first), and_more(found->second, "rank"), n.speed_ratio, n.measured_s);
}

Note oversubscription(const MachineFacts& facts) {
  const auto load = [&](const Host& host) { return host.threads ? ranks_on(facts, host) / double(*host.threads) : 0; };
  const auto found = worst(facts.hosts, 1, load);
  if (!found) return std::nullopt;
  const Host& host = facts.hosts[found->first];
  return fmt::format("{} ranks share {} CPU{} on {}{}: times show the scheduler as well", ranks_on(facts, host),
                     *host.threads, *host.threads == 1 ? "" : "s", host.name, and_more(found->second, "host"));
}

Note quota(const MachineFacts& facts) {
  const auto lack = [&](const Host& host) { return host.cpu_quota ? ranks_on(facts, host) / *host.cpu_quota : 0; };
  const auto found = worst(facts.hosts, 1, lack);
  if (!found) return std::nullopt;
  const Host& host = facts.hosts[found->first];
  return fmt::format("a quota gives the {} ranks on {}{} the time of {:.3g} CPUs: they are stopped when it is used up",
                     ranks_on(facts, host), host.name, and_more(found->second, "host"), *host.cpu_quota);
}

/// Ranks that the scheduler may move. Where they have to share CPUs, binding is no help.
Note binding(const MachineFacts& facts) {
  const auto movable = [&](const RankPlace& place) {
    const auto host = std::ranges::find(facts.hosts, place.host, &Host::name);
    return place.bound == false && (host == facts.hosts.end() || (host->threads != 1 && !oversubscribed(facts, *host)));
  };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(facts.placement, movable));
  if (count == 0) return std::nullopt;
  const auto who =
      count == facts.placement.size() ? "ranks" : fmt::format("{} of {} ranks", count, facts.placement.size());
  return who + " are not bound to cores" +
         (facts.bind_hint.empty() ? "" : fmt::format("; {} binds them", facts.bind_hint));
}

/// Two ranks on one CPU while the host has one for each.
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
  return fmt::format("the CPU governor of {}{} is {}: clocks follow the load; performance holds them up", host.name,
                     and_more(found->second, "host"), *host.governor);
}

Note clock(const MachineFacts& facts) {
  const Timer& timer = facts.timer;
  if (timer.resolution_s <= longest_step_s && timer.cost_s <= longest_read_s) return std::nullopt;
  const auto source = facts.hosts.empty() ? std::nullopt : facts.hosts.front().clock_source;
  return fmt::format("the clock ({}) moves in steps of {} and takes {} to read: short calls are not told apart",
                     source.value_or("source not known"), duration(timer.resolution_s), duration(timer.cost_s));
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
