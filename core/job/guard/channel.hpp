// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace busbar::guarding {

/// Messages between a rank and its guard: a pair of connected sockets that keeps them apart. A message may carry an
/// open file along.
struct Message {
  std::string text;
  int file = -1;  ///< the receiver's to close; -1: none
};

/// Both ends; each is closed by its owner. Throws Error.
struct Channel {
  int rank = -1, guard = -1;
};
[[nodiscard]] Channel open_channel();

/// False where the other end is closed.
bool send(int end, const std::string& text, int file = -1);
/// The next message, without waiting for one. `closed` is set where the other end is closed and all was read.
[[nodiscard]] std::optional<Message> receive(int end, bool& closed);

}  // namespace busbar::guarding
