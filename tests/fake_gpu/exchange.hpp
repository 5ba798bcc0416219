// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "shared_ranks.hpp"

namespace fake_gpu {

/// Sent ahead of the data, to detect ranks with different calls.
struct Label {
  std::int32_t what = 0;
  std::int32_t type = 0;
  std::int32_t op = 0;
  std::int32_t root = 0;
  std::uint64_t bytes = 0;

  bool operator==(const Label&) const = default;
};

struct Send {
  int to;
  Label label;
  std::span<const std::byte> data;
};

struct Receive {
  int from;
  Label label;
  std::span<std::byte> data;
};

/// Moves all of it side by side; what goes between the same two ranks goes in order. Returns when all has been sent and
/// read by the other side, so that a send without its receive waits. \throws Abandoned when `given_up` says so;
/// std::runtime_error when the other side sends something else.
void exchange(SharedRanks& ranks, const std::vector<Send>& sends, const std::vector<Receive>& receives,
              const std::function<bool()>& given_up);

struct Abandoned {};

}  // namespace fake_gpu
