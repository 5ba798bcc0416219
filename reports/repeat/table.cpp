// SPDX-License-Identifier: Apache-2.0
#include "reports/repeat/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "core/statistics/distributions.hpp"
#include "core/statistics/summary.hpp"
#include "core/statistics/undisturbed.hpp"
#include "reports/repeat/pooled_cases.hpp"
#include "reports/suite/placeholders.hpp"

namespace busbar::repeat {
namespace {

constexpr const char* meaning =
    "# launches: those with undisturbed rounds\n"
    "# time: median over these launches, of the undisturbed rounds of each\n"
    "# +-%: half-width of its 95 % confidence interval\n"
    "#   (Student's t of logarithms between launches, winsorised)\n"
    "# spread: standard deviation between launches (winsorised)\n";

std::string percent(std::optional<double> share) {
  if (!share) return "-";
  return fmt::format("{:.{}f}", 100 * *share, *share < 0.0995 ? 1 : 0);
}

std::string columns() {
  return fmt::format("# {:>7} {:>8} {:>10} {:>6} {:>7} {:>9} {:>9}\n# {:>7} {:>8} {:>10} {:>6} {:>7} {:>9} {:>9}\n",
                     "size", "launches", "time", "+-%", "spread", "algbw", "busbw", "", "", "(us)", "", "(%)", "(GB/s)",
                     "(GB/s)");
}

/// At least three significant digits from 0.1 us on.
std::string microseconds(double seconds) {
  const double us = seconds * 1e6;
  return fmt::format("{:.{}f}", us, us < 10 ? 3 : 2);
}

std::string row(const PooledCase& one) {
  const auto half = one.interval ? std::optional(relative_half_width(*one.interval)) : std::nullopt;
  return fmt::format("{:>9} {:>8} {:>10} {:>6} {:>7} {:>9} {:>9}\n", one.name, one.times_s.size(),
                     microseconds(one.time_s), percent(half), percent(one.spread), bandwidth_cell(one.algbw_GBps),
                     bandwidth_cell(one.busbw_GBps));
}

/// Rounds of some cases.
struct Disturbance {
  std::size_t cases = 0, rounds = 0, disturbed = 0, slowed = 0, far = 0;
  std::vector<double> ratios;

  void add(const PooledCase& one) {
    ++cases;
    rounds += one.rounds + one.disturbed;
    disturbed += one.disturbed;
    slowed += one.slowed;
    far += one.far;
    if (one.disturbed_ratio) ratios.push_back(*one.disturbed_ratio);
  }
  [[nodiscard]] std::string share(std::size_t some) const {
    return percent(static_cast<double>(some) / static_cast<double>(rounds));
  }
  [[nodiscard]] std::string reasons() const {
    return fmt::format(
        "#   {} % on CPUs over {:.0f} % slower (another guest on the core, a lower clock),\n"
        "#   {} % on distant CPUs (a barrier took over {:.1f} times as long)\n",
        share(slowed), 100 * (slowed_ratio - 1), share(far), far_ratio);
  }
};

/// Disturbed rounds, and how much longer their calls took: those that do not count, and those of cases that count all
/// rounds. Empty without either.
std::string text_of_disturbed(std::span<const PooledCase> cases) {
  Disturbance left_out, counted;
  for (const PooledCase& one : cases) (one.as_measured ? counted : left_out).add(one);
  std::string s;
  if (!left_out.ratios.empty())
    s += fmt::format("# {} % of the rounds were disturbed and do not count; calls took {:.2f}x as long:\n",
                     left_out.share(left_out.disturbed), median(left_out.ratios)) +
         left_out.reasons();
  if (counted.disturbed > 0)
    s += fmt::format("# {} of {} cases: all rounds count; {} % were undisturbed{}:\n", counted.cases, cases.size(),
                     counted.share(counted.rounds - counted.disturbed),
                     counted.ratios.empty()
                         ? ""
                         : fmt::format(", the others\n#   took {:.2f}x as long", median(counted.ratios))) +
         counted.reasons();
  return s;
}

/// A time of a launch, and the same of earlier launches.
using TimeAndKnown = std::pair<double, double>;

std::optional<TimeAndKnown> barrier_of(const EndRecord& end) {
  if (!end.settling || !end.settling->known_barrier_s) return std::nullopt;
  return TimeAndKnown{end.settling->best_barrier_s, *end.settling->known_barrier_s};
}

std::optional<TimeAndKnown> pace_of(const EndRecord& end) {
  if (!end.pace || !end.pace->known_s) return std::nullopt;
  return TimeAndKnown{end.pace->full_s, *end.pace->known_s};
}

/// Each the least over launches. Empty if a launch does not know earlier ones.
std::optional<TimeAndKnown> least_of(std::span<const Run* const> launches,
                                     std::optional<TimeAndKnown> (*of)(const EndRecord&)) {
  std::optional<TimeAndKnown> least;
  for (const Run* run : launches) {
    const auto one = of(*run->end);
    if (!one) return std::nullopt;
    least = {std::min(one->first, least.value_or(*one).first), std::min(one->second, least.value_or(*one).second)};
  }
  return least;
}

/// Says so if no launch was on CPUs as fast, or as near, as those of launches before: no round of these can tell. Else
/// empty.
std::string text_of_unusual_cpus(std::span<const Run* const> launches) {
  std::string s;
  const auto pace = least_of(launches, pace_of), barrier = least_of(launches, barrier_of);
  if (pace && pace->first > slowed_ratio * pace->second)
    s += fmt::format(
        "# All launches ran on slow CPUs: at least {:.1f} times as slow as in earlier launches.\n"
        "#   At full pace figures would differ.\n",
        pace->first / pace->second);
  if (barrier && barrier->first > far_ratio * barrier->second)
    s += fmt::format(
        "# All launches ran on distant CPUs: a barrier took at least {:.1f} times as long\n"
        "#   as in earlier launches ({} and {}). On near ones figures would differ.\n",
        barrier->first / barrier->second, format_duration(barrier->first), format_duration(barrier->second));
  return s;
}

std::string block(const Tally& of) {
  std::string s = of.command.empty() ? "#\n" : fmt::format("#\n# {}\n", of.command);
  std::string series;
  const auto cases = pool_cases(of.good);
  for (const PooledCase& one : cases) {
    if (one.series != series) s += fmt::format("#\n# {}\n", one.series) + columns();
    series = one.series;
    s += row(one);
  }
  return s + text_of_disturbed(cases) + text_of_unusual_cpus(of.good);
}

/// Factor by which the half-width shrinks from `now` to `later` launches.
double gain(std::size_t now, std::size_t later) {
  const auto t = [](std::size_t n) { return upper_quantile(0.025, static_cast<double>(n) - 1); };
  return t(later) / t(now) * std::sqrt(static_cast<double>(now) / static_cast<double>(later));
}

}  // namespace

std::string table(const std::vector<Tally>& commands) {
  std::string s = meaning;
  for (const Tally& of : commands) s += block(of);
  return s;
}

std::string foot(const std::vector<Tally>& commands, double wall_s) {
  std::size_t launches = 0;
  int failed = 0;
  std::optional<double> most = 0.0;
  double later = 0;  // after twice as many launches
  for (const Tally& of : commands) {
    launches += of.good.size();
    failed += of.failed;
    const auto cases = pool_cases(of.good);
    const auto its = widest(cases);
    most = most && its ? std::optional(std::max(*most, *its)) : std::nullopt;
    for (const PooledCase& one : cases)
      if (one.interval)
        later = std::max(later, relative_half_width(*one.interval) * gain(one.times_s.size(), 2 * one.times_s.size()));
  }
  std::string s = fmt::format("# {} {}", launches, launches == 1 ? "launch" : "launches");
  if (failed > 0) s += fmt::format(", {} failed and left out", failed);
  if (wall_s > 0) s += fmt::format(", {:.1f} s", wall_s);
  if (!most || *most <= 0) return s + "\n";
  s += fmt::format("; widest +-{} %", percent(most));
  if (wall_s > 0) s += fmt::format("; {} more ({:.0f} s): about +-{} %", launches, wall_s, percent(later));
  return s + "\n";
}

bool ended_well(const Run& run) {
  return run.end && run.end->exit_code.value_or(0) == 0;  // the program's: mpirun can fail or be late as it ends
}

std::string command_of(const Run& run) { return run.launch ? suite::shell_line(run.launch->argv) : ""; }

std::vector<Tally> tally(const std::vector<Run>& launches) {
  std::vector<Tally> all;
  for (const Run& run : launches) {
    const auto command = static_cast<std::size_t>(run.launch ? run.launch->command : 1);
    if (all.size() < command) all.resize(command);
    Tally& of = all[command - 1];
    if (of.command.empty()) of.command = command_of(run);
    if (ended_well(run))
      of.good.push_back(&run);
    else
      ++of.failed;
  }
  return all;
}

}  // namespace busbar::repeat
