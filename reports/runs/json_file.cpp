// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/json_file.hpp"

#include <fstream>
#include <iterator>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"

namespace busbar::report {

std::string read_text(const std::filesystem::path& path) {
  constexpr std::uintmax_t most_bytes = 64U << 20U;
  std::error_code problem;
  const auto size = std::filesystem::file_size(path, problem);
  std::ifstream file(path, std::ios::binary);
  if (problem || !file) throw UsageError(fmt::format("{}: cannot be read", path.string()));
  if (size > most_bytes) throw UsageError(fmt::format("{}: is longer than 64 MiB", path.string()));
  return {std::istreambuf_iterator<char>(file), {}};
}

void parse_json_file(std::string_view text, std::string_view file, const JsonFormat& format,
                     const std::function<void(const nlohmann::json&)>& read) {
  const auto none = fmt::format("is not {}; {} writes one", format.what, format.writer);
  try {
    const auto j = parse_json(text);
    if (!j.is_object() || j.value("format", "") != format.name) throw Error(none);
    if (j.value("version", 0) != format.version)
      throw Error(fmt::format("is {} of another version than {}; make it again", format.what, format.version));
    read(j);
  } catch (const nlohmann::json::exception&) {
    throw UsageError(fmt::format("{}: {}", file, none));
  } catch (const Error& e) {
    throw UsageError(fmt::format("{}: {}", file, e.what()));
  }
}

void require(bool holds, std::string_view what) {
  if (!holds) throw Error(std::string(what));
}

}  // namespace busbar::report
