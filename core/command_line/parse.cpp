// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/base/words.hpp"
#include "core/command_line/command_line.hpp"
#include "core/command_line/documents.hpp"

namespace busbar {
namespace {

/// CLI11's options for a table. CLI11 only assigns words to options; we interpret them.
using Made = std::map<const Option*, CLI::Option*>;

CLI::Option* add_option(CLI::App& app, const Option& row) {
  if (row.flag()) return app.add_flag(row.flags)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  CLI::Option* option = app.add_option(row.flags);
  if (!takes_several(row)) return option;
  option->expected(1, CLI::detail::expected_max_vector_size)->take_all();
  if (row.value.list) option->delimiter(',');
  option->allow_extra_args(row.positional() || !(row.value.list || row.value.single));
  return option;
}

void add_options(CLI::App& app, const CommandLine& line, Made& made) {
  for (const Option& row : line.options) made[&row] = add_option(app, row);
  for (const CommandLine& sub : line.subcommands) add_options(*app.add_subcommand(sub.name), sub, made);
  if (!line.passes_to.empty()) app.prefix_command();
}

/// "a whole number from 1 to 16".
std::string number_wanted(const Value& value) {
  std::string text = "a whole number";
  if (value.low > std::numeric_limits<int>::min()) text += fmt::format(" from {}", value.low);
  if (value.high < std::numeric_limits<int>::max()) text += fmt::format(" to {}", value.high);
  return text;
}

template <class T>
T parse_whole(const Option& row, const std::string& word) {
  T number{};
  const char* const end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, number);
  bool fits = problem == std::errc{} && stop == end && std::in_range<int>(number);
  fits = fits && std::cmp_greater_equal(number, row.value.low) && std::cmp_less_equal(number, row.value.high);
  if (!fits) throw UsageError(fmt::format("{}: '{}' is not {}", row.typed, word, number_wanted(row.value)));
  return number;
}

/// Sets the target of a given option. Throws UsageError.
void set_target(const Option& row, const std::vector<std::string>& words) {
  if (row.value.strict)
    for (const std::string& word : words) (void)parse_choice(row.typed, word, row.value.choices);
  if (auto* const* flag = std::get_if<bool*>(&row.target))
    **flag = true;
  else if (auto* const* several = std::get_if<std::vector<std::string>*>(&row.target))
    **several = words;
  else if (auto* const* text = std::get_if<std::string*>(&row.target))
    **text = words.back();
  else if (auto* const* number = std::get_if<int*>(&row.target))
    **number = parse_whole<int>(row, words.back());
  else if (auto* const* size = std::get_if<std::size_t*>(&row.target))
    **size = parse_whole<std::size_t>(row, words.back());
}

void require_no_conflict(const CommandLine& line) {
  for (const Option& row : line.options) {
    if (row.value.required && row.count == 0) throw UsageError(fmt::format("{} is required", row.names().back()));
    if (row.count > 0 && !row.value.excludes.empty() && line.count(row.value.excludes) > 0)
      throw UsageError(fmt::format("{} and {}: give one of them", row.typed, row.value.excludes));
  }
}

/// The name with which an option was given: "-e" in "-e 1M" and "-e1M", "--sizes" in "--sizes=8". Otherwise its last
/// name.
std::string typed_name(const Option& row, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    for (const std::string& name : row.names())
      if (name.starts_with("--") ? word.substr(0, word.find('=')) == name : word.starts_with(name)) return name;
  return row.names().back();
}

/// Copies the results of parsing: values of this line and of the given subcommand.
void store_results(CommandLine& line, const CLI::App& app, const Made& made, const std::vector<std::string>& words) {
  for (Option& row : line.options) {
    row.count = made.at(&row)->count();
    if (row.count == 0) continue;
    row.typed = typed_name(row, words);
    set_target(row, made.at(&row)->results());
  }
  require_no_conflict(line);
  if (!line.passes_to.empty() && line.rest.empty()) line.rest = app.remaining();
  for (CommandLine& sub : line.subcommands) {
    const CLI::App* its = app.get_subcommand(sub.name);
    if (!its->parsed()) continue;
    line.chosen = &sub;
    store_results(sub, *its, made, words);
  }
}

/// For the build, which installs the documents, and for scripts/docs-site. Help does not mention it.
Information write_document(const CommandLine& line, const std::string& kind) {
  if (kind == "bash") return {bash_completion(line)};
  if (kind == "zsh") return {zsh_completion(line)};
  if (kind == "man") return {man_page(line)};
  if (kind == "markdown") return {markdown_page(line)};
  throw UsageError(fmt::format("--write-document: unknown '{}'; known: bash, zsh, man, markdown", kind));
}

/// End of the words before the first "--"; those after it belong to another program.
auto end_of_own(std::vector<std::string>& words) { return std::ranges::find(words, "--"); }

/// Removes "--" and the words after it if the subcommand passes them on: CLI11 would parse them.
void cut_rest(CommandLine& line, std::vector<std::string>& words) {
  const auto sub = std::ranges::find(line.subcommands, words.empty() ? "" : words.front(), &CommandLine::name);
  const auto dashes = end_of_own(words);
  if (sub == line.subcommands.end() || sub->passes_to.empty() || dashes == words.end()) return;
  sub->rest.assign(dashes + 1, words.end());
  words.erase(dashes, words.end());
}

/// Removes TOPIC of "--help TOPIC" from `words` and returns it; empty if there is none.
std::string cut_topic(std::vector<std::string>& words) {
  const auto help = std::find_if(words.begin(), end_of_own(words),
                                 [](const std::string& word) { return word == "-h" || word == "--help"; });
  if (help == end_of_own(words) || help + 1 == words.end() || (help + 1)->starts_with('-')) return "";
  std::string topic = *(help + 1);
  words.erase(help + 1);
  return topic;
}

/// Rewrites "busbar help show" as "busbar show --help".
void turn_help_around(const CommandLine& line, std::vector<std::string>& words) {
  if (line.subcommands.empty() || words.empty() || words.front() != "help") return;
  words.erase(words.begin());
  words.emplace_back("--help");
}

std::vector<std::string> names_of_subcommands(const CommandLine& line) {
  std::vector<std::string> names;
  for (const CommandLine& sub : line.subcommands) names.push_back(sub.name);
  return names;
}

/// The selected command: a program or a subcommand at any level.
struct Addressed {
  const CommandLine* line;
  std::string name;               ///< "busbar suite run"
  std::vector<std::string> rest;  ///< words after the command
};

Addressed addressed(const CommandLine& line, const std::vector<std::string>& words) {
  Addressed at{.line = &line, .name = line.name, .rest = words};
  while (!at.rest.empty()) {
    const auto sub = std::ranges::find(at.line->subcommands, at.rest.front(), &CommandLine::name);
    if (sub == at.line->subcommands.end()) break;
    at = {.line = &*sub, .name = at.name + " " + sub->name, .rest = {at.rest.begin() + 1, at.rest.end()}};
  }
  return at;
}

void require_command(const CommandLine& line, const std::vector<std::string>& words) {
  const Addressed at = addressed(line, words);
  if (at.line->subcommands.empty()) return;
  const auto names = names_of_subcommands(*at.line);
  if (at.rest.empty()) throw UsageError(fmt::format("needs a command: {}", fmt::join(names, ", ")));
  if (!at.rest.front().starts_with('-')) throw UsageError(unknown_word("command", at.rest.front(), names));
}

/// `topic` may name a subcommand: "busbar --help show".
Information help(const CommandLine& line, std::vector<std::string> words, bool all, const std::string& topic) {
  const Addressed at = addressed(line, words);
  const auto names = names_of_subcommands(*at.line);
  if (std::ranges::count(names, topic) > 0) {
    words.insert(words.begin(), topic);
    return help(line, words, all, "");
  }
  const bool is_program = at.line == &line;
  if (all) return {whole_help(*at.line, at.name, is_program)};
  return {topic.empty() ? short_help(*at.line, at.name, is_program) : topic_help(*at.line, at.name, topic)};
}

/// Message for an unexpected word without a dash.
std::string unexpected_word(const CommandLine& line, const std::string& word) {
  const auto taken = std::ranges::find_if(line.options, &Option::positional);
  if (taken == line.options.end()) return fmt::format("unexpected '{}'; only options are accepted", word);
  return fmt::format("unexpected '{}'; one {} is accepted", word, taken->flags);
}

/// Message for a word that no option accepted.
std::string unexpected(const CommandLine& line, const std::string& word) {
  if (!word.starts_with('-')) return unexpected_word(line, word);
  std::vector<std::string> known;
  for (const Option& option : visible_options(line, true))
    for (const std::string& name : option.names()) known.push_back(name);
  const std::string flag = word.substr(0, word.find('='));
  const auto near = closest_word(flag, known);
  return near ? fmt::format("unknown option '{}'; did you mean '{}'?", flag, *near)
              : fmt::format("unknown option '{}'", flag);
}

/// Message for too few or too many values. CLI11's text starts with the flag.
std::string mismatch(const std::string& said) {
  const std::string flag = said.substr(0, said.find(':'));
  const bool missing = said.find("missing") != std::string::npos || said.ends_with("received 0");
  return missing ? fmt::format("{}: needs a value", flag) : fmt::format("{}: takes one value, and only once", flag);
}

std::optional<Information> parse_words(CommandLine& line, std::vector<std::string> words) {
  turn_help_around(line, words);
  const std::string topic = cut_topic(words);
  cut_rest(line, words);
  require_command(line, words);
  CLI::App app{line.about, line.name};
  app.set_help_flag("-h,--help");
  app.set_help_all_flag("--help-all");
  Made made;
  add_options(app, line, made);
  app.set_version_flag("-V,--version", fmt::format("{} {} ({})", line.name, version(), git_revision()));
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 expects reversed order
  } catch (const CLI::CallForVersion& e) {
    return Information{std::string(e.what()) + "\n"};
  } catch (const CLI::CallForAllHelp&) {
    return help(line, words, true, "");
  } catch (const CLI::CallForHelp&) {
    return help(line, words, false, topic);
  } catch (const CLI::ExtrasError& e) {
    const auto left = app.remaining(true);
    throw UsageError(left.empty() ? e.what() : unexpected(*addressed(line, words).line, left.front()));
  } catch (const CLI::ArgumentMismatch& e) {
    throw UsageError(mismatch(e.what()));
  } catch (const CLI::ParseError& e) {
    throw UsageError(e.what());
  }
  store_results(line, app, made, words);
  return std::nullopt;
}

}  // namespace

std::optional<Information> parse_command_line(CommandLine& line, std::vector<std::string> words) {
  if (words.size() == 2 && words[0] == "--write-document") return write_document(line, words[1]);
  const std::string name = addressed(line, words).name;
  try {
    return parse_words(line, std::move(words));
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("{} (see {} --help)", e.what(), name));
  }
}

}  // namespace busbar
