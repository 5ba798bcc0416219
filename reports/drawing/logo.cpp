// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/logo.hpp"

#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/files/sha256.hpp"

namespace busbar::report {
namespace {

using namespace std::string_view_literals;

constexpr std::uintmax_t most_bytes = 1 << 20;

struct Format {
  std::string_view start, type;
};
constexpr std::array formats{Format{"\x89PNG\r\n\x1a\n"sv, "image/png"},
                             Format{"\xff\xd8\xff"sv, "image/jpeg"},
                             Format{"GIF8"sv, "image/gif"},
                             Format{"RIFF"sv, "image/webp"},
                             Format{"<svg"sv, "image/svg+xml"},
                             Format{"<?xml"sv, "image/svg+xml"}};

}  // namespace

std::string logo_uri(const std::filesystem::path& path) {
  std::error_code problem;
  const auto size = std::filesystem::file_size(path, problem);
  if (problem) throw UsageError(fmt::format("--logo: cannot read {}: {}", path.string(), problem.message()));
  if (size > most_bytes)
    throw UsageError(fmt::format("--logo: {} has {} bytes, at most 1 MiB go into a page", path.string(), size));
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (const auto& [start, type] : formats) {
    if (bytes.starts_with(start)) return fmt::format("data:{};base64,{}", type, base64(bytes));
  }
  throw UsageError(fmt::format("--logo: {} is not a PNG, JPEG, GIF, WebP or SVG image", path.string()));
}

}  // namespace busbar::report
