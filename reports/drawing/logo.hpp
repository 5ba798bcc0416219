// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace busbar::report {

/// An image as a data: URI, to stand in the page. PNG, JPEG, GIF, WebP or SVG, known by its first bytes, at most 1 MiB;
/// a script in an SVG never runs in an <img>. Throws UsageError, naming --logo and the file, for anything else.
[[nodiscard]] std::string logo_uri(const std::filesystem::path&);

}  // namespace busbar::report
