// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

/// JSON files that busbar writes and reads again; users may have edited them.
namespace busbar::report {

/// Identifies a format: files begin with {"format": name, "version": version, ...}.
struct JsonFormat {
  std::string_view name;  ///< "busbar fit"
  int version = 1;
  std::string_view what;    ///< "a fit"
  std::string_view writer;  ///< "busbar fit -o"
};

/// Reads a file of at most 64 MiB. Throws UsageError with its name if it is unreadable or longer.
[[nodiscard]] std::string read_text(const std::filesystem::path&);

/// Calls `read` with the object in `text`. Throws UsageError "<file>: ..." (one line) if the format or version differs,
/// or if `read` throws an Error or an exception of the JSON library.
void parse_json_file(std::string_view text, std::string_view file, const JsonFormat& format,
                     const std::function<void(const nlohmann::json&)>& read);

/// For use in `read`: throws Error(`what`) if the condition is false.
void require(bool holds, std::string_view what);

}  // namespace busbar::report
