// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

/// JSON that busbar writes for itself and that anyone may have changed since.
namespace busbar::report {

/// What a file of ours says that it is: {"format": name, "version": version, ...}.
struct JsonFormat {
  std::string_view name;  ///< "busbar fit"
  int version = 1;
  std::string_view what;    ///< "a fit"
  std::string_view writer;  ///< "busbar fit -o"
};

/// The text of a file of at most 64 MiB. Throws UsageError, naming it, where it cannot be read or is longer.
[[nodiscard]] std::string read_text(const std::filesystem::path&);

/// Calls `take` with the object in `text`. Throws UsageError "<file>: ..." in one line where it is none of this format
/// and version, and for whatever `take` throws as an Error or as an exception of the JSON library.
void take_json(std::string_view text, std::string_view file, const JsonFormat& format,
               const std::function<void(const nlohmann::json&)>& take);

/// For `take`: throws Error(`what`) unless it holds.
void require(bool holds, std::string_view what);

}  // namespace busbar::report
