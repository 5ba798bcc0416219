// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "core/build_info.hpp"
#include "core/command_line/command_line.hpp"
#include "core/command_line/documents.hpp"
#include "core/error.hpp"

namespace busbar {
namespace {

/// What CLI11 made of a table.
using Made = std::map<const Option*, CLI::Option*>;

template <class T>
CLI::Option* add_option(CLI::App& app, const Option& row, T& target) {
  if constexpr (std::is_same_v<T, bool>) {
    return app.add_flag(row.flags, target, row.about);
  } else {
    CLI::Option* option = app.add_option(row.flags, target, row.about);
    const Value& value = row.value;
    if constexpr (std::is_integral_v<T>) {
      if (value.low == 1 && value.high == std::numeric_limits<int>::max())
        option->check(CLI::PositiveNumber);
      else if (value.low > std::numeric_limits<int>::min())
        option->check(CLI::Range(value.low, value.high));
    }
    if (!value.name.empty()) option->type_name(value.name);
    if (value.strict) option->check(CLI::IsMember(value.choices));
    if (value.list) option->delimiter(',');
    if (value.single) option->allow_extra_args(false);
    if (value.shown) option->capture_default_str();
    return option->required(value.required);
  }
}

void add_options(CLI::App& app, const CommandLine& line, Made& made) {
  for (const Option& row : line.options) {
    CLI::Option* option = std::visit([&](auto* target) { return add_option(app, row, *target); }, row.target);
    if (row.value.hidden || !row.group.empty()) option->group(row.value.hidden ? "" : row.group);
    made[&row] = option;
  }
  for (const Option& row : line.options)
    if (!row.value.excludes.empty()) made[&row]->excludes(app.get_option(row.value.excludes));
  if (!line.subcommands.empty()) app.require_subcommand(1);
  for (const CommandLine& sub : line.subcommands) add_options(*app.add_subcommand(sub.name, sub.about), sub, made);
  if (!line.footer.empty()) app.footer(line.footer);
  if (!line.passes_to.empty()) app.prefix_command();
}

/// What the user said, beside the values.
void take_results(CommandLine& line, const CLI::App& app, const Made& made) {
  for (Option& row : line.options) row.count = made.at(&row)->count();
  if (!line.passes_to.empty() && line.rest.empty()) line.rest = app.remaining();
  for (CommandLine& sub : line.subcommands) {
    const CLI::App* its = app.get_subcommand(sub.name);
    if (!its->parsed()) continue;
    line.chosen = &sub;
    take_results(sub, *its, made);
  }
}

/// For the build, which installs them: told of in no help.
Information write_document(const CommandLine& line, const std::string& kind) {
  if (kind == "bash") return {bash_completion(line)};
  if (kind == "zsh") return {zsh_completion(line)};
  if (kind == "man") return {man_page(line)};
  throw UsageError(fmt::format("--write-document: unknown '{}'; known: bash, zsh, man", kind));
}

/// Takes what stands behind "--" of a subcommand that passes it on out of `words`: CLI11 would look at it.
void cut_rest(CommandLine& line, std::vector<std::string>& words) {
  const auto sub = std::ranges::find(line.subcommands, words.empty() ? "" : words.front(), &CommandLine::name);
  const auto dashes = std::ranges::find(words, "--");
  if (sub == line.subcommands.end() || sub->passes_to.empty() || dashes == words.end()) return;
  sub->rest.assign(dashes + 1, words.end());
  words.erase(dashes, words.end());
}

}  // namespace

std::optional<Information> parse_command_line(CommandLine& line, std::vector<std::string> words) {
  if (words.size() == 2 && words[0] == "--write-document") return write_document(line, words[1]);
  cut_rest(line, words);
  CLI::App app{line.about, line.name};
  Made made;
  add_options(app, line, made);
  app.set_version_flag("--version", fmt::format("{} {} ({})", line.name, version(), git_revision()));
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // reversed, as CLI11 wants them
  } catch (const CLI::CallForVersion& e) {
    return Information{std::string(e.what()) + "\n"};
  } catch (const CLI::Success&) {
    return Information{app.help()};
  } catch (const CLI::ParseError& e) {
    throw UsageError(fmt::format("{} ({} --help shows what there is)", e.what(), line.name));
  }
  take_results(line, app, made);
  return std::nullopt;
}

}  // namespace busbar
