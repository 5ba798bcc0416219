// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace busbar {

/// What a library said that it chose for a collective, in its own names, lower case: "ring", "simple".
struct LibraryChoice {
  std::string algorithm, protocol;
  std::optional<int> channels;  ///< parallel ways that the data takes; empty where the library does not say

  friend bool operator==(const LibraryChoice&, const LibraryChoice&) = default;
};

}  // namespace busbar
