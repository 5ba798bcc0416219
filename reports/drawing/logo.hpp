// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace busbar::report {

/// An image as a data: URI to embed in the page. Accepts PNG, JPEG, GIF, WebP and SVG, detected by the first bytes, up
/// to 1 MiB. Scripts in an SVG never run inside an <img>. Throws UsageError, naming --logo and the file, for anything
/// else.
[[nodiscard]] std::string logo_uri(const std::filesystem::path&);

}  // namespace busbar::report
