// SPDX-License-Identifier: Apache-2.0
#include "reports/repeat/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "core/statistics/distributions.hpp"
#include "reports/repeat/pooled_cases.hpp"
#include "reports/suite/placeholders.hpp"

namespace busbar::repeat {
namespace {

constexpr const char* meaning =
    "# time: median over launches; +-%: half-width of its 95 % confidence interval\n"
    "#   (Student's t of logarithms between launches, winsorised)\n"
    "# spread: standard deviation between launches (winsorised)\n"
    "# within: median half-width within a launch\n";

std::string percent(std::optional<double> share) {
  if (!share) return "-";
  return fmt::format("{:.{}f}", 100 * *share, *share < 0.0995 ? 1 : 0);
}

std::string columns() {
  return fmt::format(
      "# {:>7} {:>8} {:>10} {:>6} {:>7} {:>7} {:>9} {:>9}\n# {:>7} {:>8} {:>10} {:>6} {:>7} {:>7} {:>9} {:>9}\n",
      "size", "launches", "time", "+-%", "spread", "within", "algbw", "busbw", "", "", "(us)", "", "(%)", "(%)",
      "(GB/s)", "(GB/s)");
}

std::string row(const PooledCase& one) {
  const auto half = one.interval ? std::optional(relative_half_width(*one.interval)) : std::nullopt;
  return fmt::format("{:>9} {:>8} {:>10.2f} {:>6} {:>7} {:>7} {:>9} {:>9}\n", one.name, one.times_s.size(),
                     one.time_s * 1e6, percent(half), percent(one.spread), percent(one.within),
                     bandwidth_cell(one.algbw_GBps), bandwidth_cell(one.busbw_GBps));
}

std::string block(const Tally& of) {
  std::string s = of.command.empty() ? "#\n" : fmt::format("#\n# {}\n", of.command);
  std::string series;
  for (const PooledCase& one : pool_cases(of.good)) {
    if (one.series != series) s += fmt::format("#\n# {}\n", one.series) + columns();
    series = one.series;
    s += row(one);
  }
  return s;
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
  std::size_t launches = 0, fewest = commands.empty() ? 0 : commands[0].good.size();
  int failed = 0;
  std::optional<double> most = 0.0;
  for (const Tally& of : commands) {
    launches += of.good.size();
    fewest = std::min(fewest, of.good.size());
    failed += of.failed;
    const auto its = widest(pool_cases(of.good));
    most = most && its ? std::optional(std::max(*most, *its)) : std::nullopt;
  }
  std::string s = fmt::format("# {} launches", launches);
  if (failed > 0) s += fmt::format(", {} failed and left out", failed);
  if (wall_s > 0) s += fmt::format(", {:.1f} s", wall_s);
  if (!most || *most <= 0 || fewest < 2) return s + "\n";
  s += fmt::format("; widest +-{} %", percent(most));
  if (wall_s > 0)
    s += fmt::format("; {} more ({:.0f} s): about +-{} %", launches, wall_s, percent(*most * gain(fewest, 2 * fewest)));
  return s + "\n";
}

bool ended_well(const Run& run) {
  return run.end && run.end->exit_code.value_or(0) == 0;  // the program's: mpirun can fail or be late as it ends
}

std::vector<Tally> tally(const std::vector<Run>& launches) {
  std::vector<Tally> all;
  for (const Run& run : launches) {
    const auto command = static_cast<std::size_t>(run.launch ? run.launch->command : 1);
    if (all.size() < command) all.resize(command);
    Tally& of = all[command - 1];
    if (of.command.empty() && run.launch) of.command = suite::shell_line(run.launch->argv);
    if (ended_well(run))
      of.good.push_back(&run);
    else
      ++of.failed;
  }
  return all;
}

}  // namespace busbar::repeat
