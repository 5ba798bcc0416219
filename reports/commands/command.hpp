// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.hpp"
#include "core/base/table.hpp"
#include "core/command_line/command_line.hpp"
#include "reports/document/document.hpp"

namespace busbar {

/// One subcommand of `busbar`: one file in reports/commands/.
struct Command {
  std::string_view name;
  std::string_view about;    ///< one line for `busbar --help`
  std::string_view heading;  ///< its section in `busbar --help`
  /// Adds options to `line` and returns the function to run after parsing. That may throw Error, which main prints.
  std::function<Exit()> (*attach)(CommandLine& line);
};

/// An input or output file.
inline const Value file_value{.name = "FILE", .completes = Completes::files};
/// One or more records, or folders of them.
inline const Value records_value{.name = "FILE", .completes = Completes::files, .required = true};

/// Marks an option that --help lists first.
inline Value common_value(Value value) {
  value.common = true;
  return value;
}

/// One or several collectives; names other than the offered choices are allowed, since other tools have more.
Value collective_value(bool list = false);

/// Prints a document as Markdown for "md", else as text with the style of standard output. Returns Exit::ok.
Exit print_document(const report::Document& document, std::string_view format);
/// JSON as the commands print and write it: with line ends; invalid UTF-8 is replaced.
[[nodiscard]] std::string json_text(const nlohmann::json& json);
/// Prints that text. Returns Exit::ok.
Exit print_json(const nlohmann::json& json);

/// Adds --format; `format` is its default and its value.
void add_format(CommandLine& line, std::string& format);

/// Adds --library of a fit; `library` is its default and its value, for fit::parse_library.
void add_library(CommandLine& line, std::string& library);

}  // namespace busbar
