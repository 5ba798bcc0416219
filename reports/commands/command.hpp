// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>

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
  std::string_view heading;  ///< that it stands under there
  /// Adds its options to `line` and returns what to run once they are parsed. That may throw Error, which main prints.
  std::function<Exit()> (*attach)(CommandLine& line);
};

/// A file to read or to write.
inline const Value file_value{.name = "FILE", .completes = Completes::files};
/// One record or more, or folders of them.
inline const Value records_value{.name = "FILE", .completes = Completes::files, .required = true};

/// The value of an option that --help shows before the others.
inline Value common_value(Value value) {
  value.common = true;
  return value;
}

/// A collective by name, or several; other tools may have measured more than those that are offered.
Value collective_value(bool list = false);

/// Prints a document as `format` says: "md", or text for the terminal that standard output is, if it is one.
void print_document(const report::Document& document, std::string_view format);
/// Prints JSON; what is no UTF-8 in it is replaced.
void print_json(const nlohmann::json& json);

/// --format of what is printed; `format` holds the default.
void add_format(CommandLine& line, std::string& format);

}  // namespace busbar
