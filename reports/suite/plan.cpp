// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/plan.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/privacy.hpp"
#include "core/base/units.hpp"
#include "reports/suite/placeholders.hpp"
#include "reports/suite/strict_object.hpp"

namespace busbar::suite {
namespace {

/// The variables of a suite, overridden by the command line.
Values variables(const Suite& suite, const Given& given) {
  Values values = suite.variables;
  for (const auto& [key, value] : given.set) {
    if (!values.contains(key)) {
      std::vector<std::string> known;
      for (const auto& [name, ignored] : suite.variables) known.push_back(name);
      throw UsageError(fmt::format("--set: suite {} has no variable '{}'; it has {}", suite.name, key,
                                   known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
    values[key] = value;
  }
  return values;
}

/// The hosts of a step; `slots` is its ranks per node.
std::vector<Host> hosts_of(const Step& step, const std::string& place, const std::vector<Host>& all) {
  const auto nodes = static_cast<std::size_t>(step.nodes.value_or(static_cast<int>(all.size())));
  if (nodes > all.size())
    throw UsageError(fmt::format("{}.nodes: {}, and there {} {}", place, nodes, all.size() == 1 ? "is" : "are",
                                 plural(all.size(), "host")));
  std::vector<Host> hosts(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(nodes));
  const Host fewest = *std::ranges::min_element(hosts, {}, &Host::slots);
  const int ranks = step.ranks_per_node.value_or(fewest.slots);
  if (ranks > fewest.slots)
    throw UsageError(
        fmt::format("{}.ranks_per_node: {}, and {} has {}", place, ranks, fewest.name, plural(fewest.slots, "slot")));
  for (Host& host : hosts) host.slots = ranks;
  return hosts;
}

Values values_of(const std::vector<Host>& hosts) {
  std::vector<std::string> names;
  for (const Host& host : hosts) names.push_back(host.name);
  const int nodes = static_cast<int>(hosts.size()), ranks_per_node = hosts[0].slots;
  return {{"nodes", std::to_string(nodes)},
          {"ranks", std::to_string(nodes * ranks_per_node)},
          {"ranks_per_node", std::to_string(ranks_per_node)},
          {"hosts", fmt::format("{}", fmt::join(names, ","))},
          {"slots", hosts_text(hosts)},
          {"layouts", fmt::format("{}", fmt::join(layouts(nodes, ranks_per_node), ","))}};
}

std::vector<std::string> launcher_words(const Given& given) {
  auto words = split_words(given.launcher, "--launcher");
  if (words.empty()) throw UsageError("--launcher: empty; give a command such as mpirun or 'mpirun --bind-to core'");
  if (!has_placeholder(given.launcher))
    for (const std::string& word : split_words(given.placement, "--launcher")) words.push_back(word);
  return words;
}

std::optional<double> run_budget(const std::vector<std::string>& arguments) {
  const auto flag = std::ranges::find(arguments, "--run-budget");
  if (flag == arguments.end() || flag + 1 == arguments.end()) return std::nullopt;
  const std::string& text = *(flag + 1);
  double seconds = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (problem != std::errc{} || end != text.data() + text.size() || !(seconds > 0)) return std::nullopt;
  return seconds;
}

/// Merges labels of the suite, the step and the command line; later ones win. The label `step` names the run in
/// reports.
std::map<std::string, std::string> labels_of(const Suite& suite, const Step& step, const Given& given) {
  std::map<std::string, std::string> labels{{"step", step.name}};
  for (const auto* some : {&suite.labels, &step.labels, &given.labels})
    for (const auto& [key, value] : *some) labels[key] = value;
  return labels;
}

/// A step with its values filled in; launches differ only in their number.
struct Prepared {
  Launch launch;
  std::vector<std::string> labels;  ///< as key=value
};

Launch numbered(const Prepared& prepared, const Step& step, const Given& given, int number) {
  Launch launch = prepared.launch;
  const bool record = program_of(step).writes_record;
  launch.number = number;
  launch.name = fmt::format("{}.{}", step.name, number);
  launch.result = given.out / (launch.name + (record ? ".jsonl" : ".json"));
  launch.log = given.out / (launch.name + ".log");
  launch.argv.insert(launch.argv.end(), {"--out", launch.result.string(), "--overwrite"});
  for (const std::string& label : prepared.labels) launch.argv.insert(launch.argv.end(), {"--label", label});
  return launch;
}

/// Empty if the step is left out.
std::optional<Prepared> prepare(const Suite& suite, std::size_t index, const std::string& file, const Given& given,
                                const Values& set, std::vector<LeftOut>& left_out) {
  const Step& step = suite.steps[index];
  const std::string place = fmt::format("{}: steps[{}]", file, index);
  const auto hosts = hosts_of(step, place, given.hosts);
  const bool lays_out = std::ranges::any_of(step.arguments, [](const auto& a) { return mentions(a, "layouts"); });
  const int nodes = static_cast<int>(hosts.size()), per_node = hosts[0].slots;
  if (lays_out && layouts(nodes, per_node).size() < 2) {
    left_out.push_back({index, fmt::format("{} on {} can be laid out in one way only", plural(per_node, "rank"),
                                           plural(nodes, "node"))});
    return std::nullopt;
  }
  Values values = values_of(hosts);
  Prepared prepared{.launch = {.step = index, .nodes = nodes, .ranks_per_node = per_node}};
  auto& argv = prepared.launch.argv;
  for (const std::string& word : launcher_words(given)) argv.push_back(filled(word, values, "--launcher"));
  argv.push_back(given.bin.empty() ? step.program : (given.bin / step.program).string());
  values.insert(set.begin(), set.end());
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < step.arguments.size(); ++i)
    arguments.push_back(filled(step.arguments[i], values, fmt::format("{}.arguments[{}]", place, i)));
  prepared.launch.sampling_at_most_s = run_budget(arguments);
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  if (program_of(step).writes_record)
    for (const auto& [key, value] : labels_of(suite, step, given)) prepared.labels.push_back(key + "=" + value);
  return prepared;
}

/// Converts "/steps/1/arguments/2" to "steps[1].arguments[2]".
std::string place_of(const std::string& pointer) {
  std::string place;
  for (std::size_t at = 1; at <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at), pointer.size());
    const std::string word = pointer.substr(at, end - at);
    const bool index = !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    place += index ? "[" + word + "]" : (place.empty() ? "" : ".") + word;
    at = end + 1;
  }
  return place;
}

}  // namespace

std::vector<std::string> layouts(int nodes, int ranks_per_node) {
  std::vector<std::string> all;
  for (int over = 1; over <= std::min(nodes, ranks_per_node); ++over)
    if (ranks_per_node % over == 0) all.push_back(fmt::format("{}x{}", over, ranks_per_node / over));
  return all;
}

Plan make_plan(const Suite& suite, const std::string& file, const Given& given) {
  const Values set = variables(suite, given);
  Plan plan;
  std::vector<std::optional<Prepared>> steps;
  for (std::size_t i = 0; i < suite.steps.size(); ++i)
    steps.push_back(prepare(suite, i, file, given, set, plan.left_out));
  const int rounds = std::ranges::max_element(suite.steps, {}, &Step::launches)->launches;
  for (int round = 1; round <= rounds; ++round) {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const std::size_t i = round % 2 == 1 ? k : steps.size() - 1 - k;
      if (steps[i] && round <= suite.steps[i].launches)
        plan.launches.push_back(numbered(*steps[i], suite.steps[i], given, round));
    }
  }
  return plan;
}

nlohmann::json fingerprint(const Suite& suite, const Given& given) {
  nlohmann::json json_of_suite;
  to_json(json_of_suite, suite);
  nlohmann::json all{{"suite", json_of_suite},    {"hosts", hosts_text(given.hosts)}, {"launcher", given.launcher},
                     {"bin", given.bin.string()}, {"labels", given.labels},           {"set", given.set}};
  remove_people(all, this_person());
  return all;
}

std::string first_difference(const nlohmann::json& before, const nlohmann::json& now) {
  for (const std::string key : {"suite", "hosts", "launcher", "bin", "labels", "set"}) {
    const auto was = before.value(key, nlohmann::json()), is = now.value(key, nlohmann::json());
    const auto changes = nlohmann::json::diff(was, is);
    if (changes.empty()) continue;
    const nlohmann::json::json_pointer where(changes[0].at("path").get<std::string>());
    const std::string place = place_of(where.to_string());
    const auto value = [&](const nlohmann::json& j) { return j.contains(where) ? shown(j.at(where)) : "not there"; };
    return fmt::format("{}{} was {}, and now is {}", key, place.empty() ? "" : " " + place, value(was), value(is));
  }
  return "";
}

}  // namespace busbar::suite
