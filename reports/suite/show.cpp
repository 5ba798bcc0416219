// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/show.hpp"

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "reports/suite/placeholders.hpp"

namespace busbar::suite {
namespace {

/// Time limit of a launch, its sampling budget, and its duration if done.
std::string time_text(const Launch& launch, const Step& step, const History& history) {
  std::string text = fmt::format("limit {} s", step.time_limit_s);
  if (launch.sampling_at_most_s) text += fmt::format(", samples for at most {:g} s", *launch.sampling_at_most_s);
  if (is_done(launch, step, history))
    text += fmt::format("; done, took {:.0f} s", history.endings.at(launch.name).wall_s);
  return text;
}

struct Sums {
  std::size_t left = 0;     ///< launches still to run
  std::size_t unknown = 0;  ///< those without --run-budget
  double sampling_s = 0, limit_s = 0;
};

Sums sums_of(const Suite& suite, const Plan& plan, const History& history) {
  Sums sums;
  for (const Launch& launch : plan.launches) {
    const Step& step = suite.steps[launch.step];
    if (is_done(launch, step, history)) continue;
    ++sums.left;
    sums.unknown += !launch.sampling_at_most_s;
    sums.sampling_s += launch.sampling_at_most_s.value_or(0);
    sums.limit_s += step.time_limit_s;
  }
  return sums;
}

}  // namespace

std::string plan_text(const Suite& suite, const Plan& plan, const Given& given, const History& history) {
  std::string text =
      fmt::format("# suite {} on {}: {}\n", suite.name, plural(given.hosts.size(), "host"), hosts_text(given.hosts));
  std::size_t number = 0;
  for (const Launch& launch : plan.launches) {
    const Step& step = suite.steps[launch.step];
    text += fmt::format("\n# [{} of {}] {}: {} on {}; {}{}\n{}\n", ++number, plan.launches.size(), launch.name,
                        plural(launch.ranks(), "rank"), plural(launch.nodes, "node"), time_text(launch, step, history),
                        step.required ? "; required" : "", shell_line(launch.argv));
  }
  for (const LeftOut& left : plan.left_out)
    text += fmt::format("\n# {} is left out: {}\n", suite.steps[left.step].name, left.reason);
  const Sums sums = sums_of(suite, plan, history);
  text += fmt::format(
      "\n# to run: {} of {}. Sampling takes at most {:.0f} s by --run-budget{}; start-up and checks come on top\n",
      sums.left, plural(plan.launches.size(), "command"), sums.sampling_s,
      sums.unknown > 0 ? fmt::format(" ({} without one not counted)", sums.unknown) : "");
  return text + fmt::format("# time limits together: {:.0f} s\n", sums.limit_s);
}

nlohmann::json plan_json(const Suite& suite, const Plan& plan, const Given& given, const History& history) {
  nlohmann::json launches = nlohmann::json::array(), left_out = nlohmann::json::array();
  for (const Launch& launch : plan.launches) {
    const Step& step = suite.steps[launch.step];
    const bool done = is_done(launch, step, history);
    launches.push_back({{"name", launch.name},
                        {"step", step.name},
                        {"launch", launch.number},
                        {"nodes", launch.nodes},
                        {"ranks_per_node", launch.ranks_per_node},
                        {"ranks", launch.ranks()},
                        {"argv", launch.argv},
                        {"result", launch.result.string()},
                        {"log", launch.log.string()},
                        {"time_limit_s", step.time_limit_s},
                        {"sampling_at_most_s", launch.sampling_at_most_s},
                        {"required", step.required},
                        {"done", done},
                        {"took_s", done ? std::optional(history.endings.at(launch.name).wall_s) : std::nullopt}});
  }
  for (const LeftOut& left : plan.left_out)
    left_out.push_back({{"step", suite.steps[left.step].name}, {"reason", left.reason}});
  return {{"suite", suite.name}, {"hosts", hosts_text(given.hosts)}, {"launches", launches}, {"left_out", left_out}};
}

}  // namespace busbar::suite
