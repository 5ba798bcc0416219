// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace busbar {

enum class Status {
  ok,
  partial,  ///< has a time, but was ended before it had the rounds that an interval needs
  skipped,
  failed,
};

/// In the order of their values.
[[nodiscard]] constexpr auto words_of(Status) {
  return std::to_array<std::string_view>({"ok", "partial", "skipped", "failed"});
}

/// The case has a time that nothing was found wrong with.
[[nodiscard]] constexpr bool is_measured(Status status) { return status == Status::ok || status == Status::partial; }

[[nodiscard]] constexpr std::string_view name(Status status) {
  return words_of(status)[static_cast<std::size_t>(status)];
}

/// How many cases ended how.
struct CaseCounts {
  int ok = 0, partial = 0, skipped = 0, failed = 0;

  void add(Status status) {
    switch (status) {
      case Status::ok:
        ++ok;
        break;
      case Status::partial:
        ++partial;
        break;
      case Status::skipped:
        ++skipped;
        break;
      case Status::failed:
        ++failed;
        break;
    }
  }
  [[nodiscard]] int measured() const { return ok + partial; }
};

}  // namespace busbar
