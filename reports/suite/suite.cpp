// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/suite.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/files/folders.hpp"
#include "reports/runs/json_file.hpp"
#include "reports/suite/placeholders.hpp"
#include "reports/suite/strict_object.hpp"

namespace busbar::suite {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view format_name = "busbar suite";
constexpr int format_version = 1;
constexpr int most_nodes = 100'000, most_ranks = 10'000, most_launches = 1'000, most_seconds = 604'800;

/// True if `text` can be part of file names and commands.
bool is_name(std::string_view text) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return !text.empty() && text.size() <= 60 && std::ranges::all_of(text, allowed) && text[0] != '-';
}

std::string read_name(const StrictObject& object) {
  const std::string name = object.text("name");
  if (!is_name(name))
    object.wrong("name", fmt::format("'{}' is not a name of at most 60 lower-case letters, digits, - and _", name));
  return name;
}

/// An integer from 1 to `most`; empty for "all".
std::optional<int> read_number_or_all(const StrictObject& object, std::string_view key, int most) {
  if (!object.has(key) || object.at(key) == "all") return std::nullopt;
  const auto& value = object.at(key);
  if (!value.is_number_integer() || value < 1 || value > most)
    object.wrong(key, fmt::format("{} is neither \"all\" nor a whole number from 1 to {}", shown(value), most));
  return value.get<int>();
}

std::map<std::string, std::string> read_labels(const StrictObject& object) {
  auto labels = object.names_or_none("labels");
  for (const auto& [key, value] : labels)
    if (key.empty() || key.find('=') != std::string::npos)
      object.wrong("labels", fmt::format("'{}' is not a label's name: '=' is not allowed", key));
  return labels;
}

std::string read_program(const StrictObject& object) {
  const std::string program = object.text("program");
  if (std::ranges::find(programs(), program, &Program::name) == programs().end()) {
    std::vector<std::string_view> names;
    for (const Program& p : programs()) names.push_back(p.name);
    object.wrong("program", fmt::format("unknown '{}'; known: {}", program, fmt::join(names, ", ")));
  }
  return program;
}

/// Rejects options that the suite sets itself, so that steps never share a file and labels remain the suite's.
void refuse_own_options(const StrictObject& object, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (const std::string_view own : {"--out", "--overwrite", "--label"})
      if (arguments[i] == own || arguments[i].starts_with(std::string(own) + "="))
        object.wrong(fmt::format("arguments[{}]", i),
                     fmt::format("the suite sets {} itself; \"labels\" is for labels of a step", own));
}

Step read_step(const nlohmann::json& json, const std::string& file, const std::string& place) {
  const StrictObject object(json, file, place,
                            {"name", "about", "program", "arguments", "nodes", "ranks_per_node", "launches", "labels",
                             "time_limit_s", "required"});
  Step step{.name = read_name(object),
            .about = object.text_or("about", ""),
            .program = read_program(object),
            .arguments = object.texts_or_none("arguments"),
            .nodes = read_number_or_all(object, "nodes", most_nodes),
            .ranks_per_node = read_number_or_all(object, "ranks_per_node", most_ranks),
            .launches = object.count_or("launches", 1, 1, most_launches),
            .labels = read_labels(object),
            .time_limit_s = object.count_or("time_limit_s", 600, 1, most_seconds),
            .required = object.flag_or("required", false)};
  refuse_own_options(object, step.arguments);
  return step;
}

std::map<std::string, std::string> read_variables(const StrictObject& object) {
  auto variables = object.names_or_none("variables");
  for (const auto& [key, value] : variables) {
    const std::string place = fmt::format("variables.{}", key);
    if (!is_name(key)) object.wrong(place, "is not a name of lower-case letters, digits, - and _");
    if (is_placeholder_of_a_launch(key)) object.wrong(place, "is what every launch has a value for; name it otherwise");
  }
  return variables;
}

std::vector<Step> read_steps(const StrictObject& object, const std::string& file) {
  const auto& list = object.at("steps");
  if (!list.is_array() || list.empty()) object.wrong("steps", "is not a list of one step or more [{...}]");
  std::vector<Step> steps;
  for (const auto& json : list) {
    const std::string place = fmt::format("steps[{}]", steps.size());
    Step step = read_step(json, file, place);
    const auto same = std::ranges::find(steps, step.name, &Step::name);
    if (same != steps.end())
      object.wrong(place + ".name", fmt::format("'{}' is the name of steps[{}] too; each step has a name of its own",
                                                step.name, same - steps.begin()));
    steps.push_back(std::move(step));
  }
  return steps;
}

nlohmann::json number_or_all(const std::optional<int>& number) {
  return number ? nlohmann::json(*number) : nlohmann::json("all");
}

nlohmann::json json_of(const Step& s) {
  nlohmann::json json{{"name", s.name},
                      {"about", s.about},
                      {"program", s.program},
                      {"arguments", s.arguments},
                      {"nodes", number_or_all(s.nodes)},
                      {"ranks_per_node", number_or_all(s.ranks_per_node)},
                      {"launches", s.launches},
                      {"labels", s.labels},
                      {"time_limit_s", s.time_limit_s},
                      {"required", s.required}};
  if (s.about.empty()) json.erase("about");
  return json;
}

}  // namespace

const std::vector<Program>& programs() {
  static const std::vector<Program> all{{.name = "busbar-bench", .writes_record = true},
                                        {.name = "busbar-train", .writes_record = true},
                                        {.name = "busbar-preflight", .writes_record = false}};
  return all;
}

const Program& program_of(const Step& step) { return *std::ranges::find(programs(), step.program, &Program::name); }

Suite parse_suite(std::string_view text, const std::string& file) {
  const nlohmann::json json = parse_strictly(text, file);
  const StrictObject object(json, file, "", {"format", "version", "name", "about", "variables", "labels", "steps"});
  if (object.text("format") != format_name)
    object.wrong("format", fmt::format("{} is not \"{}\"", shown(object.at("format")), format_name));
  if (object.at("version") != format_version)
    object.wrong("version", fmt::format("{} is not {}, the one that this busbar reads", shown(object.at("version")),
                                        format_version));
  Suite suite{.name = read_name(object),
              .about = object.text_or("about", ""),
              .variables = read_variables(object),
              .labels = read_labels(object),
              .steps = read_steps(object, file)};
  for (std::size_t i = 0; i < suite.steps.size(); ++i)
    for (std::size_t k = 0; k < suite.steps[i].arguments.size(); ++k)
      check_placeholders(suite.steps[i].arguments[k], suite.variables,
                         fmt::format("{}: steps[{}].arguments[{}]", file, i, k));
  return suite;
}

Suite read_suite(const std::filesystem::path& path) { return parse_suite(report::read_text(path), path.string()); }

void to_json(nlohmann::json& json, const Suite& suite) {
  json = {{"format", format_name},
          {"version", format_version},
          {"name", suite.name},
          {"about", suite.about},
          {"variables", suite.variables},
          {"labels", suite.labels},
          {"steps", nlohmann::json::array()}};
  if (suite.about.empty()) json.erase("about");
  for (const Step& step : suite.steps) json["steps"].push_back(json_of(step));
}

std::vector<std::string> shipped_suites(const fs::path& folder) { return names_in(folder, ".json"); }

std::string default_suite(std::size_t hosts) {
  if (hosts == 1) return "one-node";
  return hosts == 2 ? "two-nodes" : "many-nodes";
}

fs::path find_suite(const std::string& name, const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_regular_file(name, ignored)) return name;
  const auto names = shipped_suites(folder);
  if (std::ranges::find(names, name) != names.end()) return folder / (name + ".json");
  throw UsageError(fmt::format("no suite '{}': neither a file nor one of those in {}{}", name, folder.string(),
                               names.empty() ? ", where there is none" : fmt::format(": {}", fmt::join(names, ", "))));
}

}  // namespace busbar::suite
