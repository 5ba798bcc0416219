// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace busbar::guarding {

/// Message between a rank and its guard over a socket pair that keeps message boundaries. It may carry an open file.
struct Message {
  std::string text;
  int file = -1;  ///< owned by the receiver; -1: none
};

/// Both ends of the socket pair; each owner closes its end.
struct Channel {
  int rank = -1, guard = -1;
};
[[nodiscard]] Channel open_channel();

/// False if the other end is closed. The caller keeps `file`.
bool send(int end, const std::string& text, int file = -1);
/// The next message, without waiting; empty: none. Sets `closed` if the other end is closed and all was read.
[[nodiscard]] std::optional<Message> receive(int end, bool& closed);

}  // namespace busbar::guarding
