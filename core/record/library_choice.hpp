// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include <fmt/core.h>

namespace busbar {

/// The library's reported choice for a collective, in its names, lower case: "ring", "simple".
struct LibraryChoice {
  std::string algorithm, protocol;
  std::optional<int> channels;  ///< parallel data paths; empty if not reported

  friend bool operator==(const LibraryChoice&, const LibraryChoice&) = default;
};

/// "ring/simple/24": algorithm, protocol, channels; "?" for unknown channels.
[[nodiscard]] inline std::string text_of(const LibraryChoice& c) {
  return fmt::format("{}/{}/{}", c.algorithm, c.protocol, c.channels ? std::to_string(*c.channels) : "?");
}

}  // namespace busbar
