// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include <fmt/core.h>

namespace busbar {

/// What a library said that it chose for a collective, in its own names, lower case: "ring", "simple".
struct LibraryChoice {
  std::string algorithm, protocol;
  std::optional<int> channels;  ///< parallel ways that the data takes; empty where the library does not say

  friend bool operator==(const LibraryChoice&, const LibraryChoice&) = default;
};

/// "ring/simple/24": algorithm, protocol, channels; "?" for channels that are not known.
[[nodiscard]] inline std::string text_of(const LibraryChoice& c) {
  return fmt::format("{}/{}/{}", c.algorithm, c.protocol, c.channels ? std::to_string(*c.channels) : "?");
}

}  // namespace busbar
