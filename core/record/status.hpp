// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include "core/base/enum_words.hpp"

namespace busbar {

enum class Status {
  ok,
  partial,  ///< has a time, but was ended before it had the rounds that an interval needs
  skipped,
  failed,
};

[[nodiscard]] constexpr auto words_of(Status) {
  return std::to_array<std::string_view>({"ok", "partial", "skipped", "failed"});
}

/// Whether the data of a case was right.
enum class CheckState {
  passed,
  failed,
  off,   ///< not looked at
  none,  ///< there is no data: a barrier, no bytes
  unknown,
};
[[nodiscard]] constexpr auto words_of(CheckState) {
  return std::to_array<std::string_view>({"passed", "failed", "off", "none", "unknown"});
}

/// How a run ended.
enum class EndStatus {
  ok,
  failed,       ///< some case did, or nothing could be measured
  aborted,      ///< ranks were waiting on each other
  interrupted,  ///< by a signal
  output,       ///< results could not be written
  unknown,
};
[[nodiscard]] constexpr auto words_of(EndStatus) {
  return std::to_array<std::string_view>({"ok", "failed", "aborted", "interrupted", "output", "unknown"});
}

/// Its plan was done, whatever its cases came to.
[[nodiscard]] constexpr bool ran_to_end(EndStatus status) {
  return status == EndStatus::ok || status == EndStatus::failed;
}

/// Where the figures of a record come from. They never mean quite the same.
enum class Origin {
  measured,   ///< by busbar
  simulated,  ///< by busbar on a machine that is not there
  imported,   ///< from another tool's output
};
[[nodiscard]] constexpr auto words_of(Origin) {
  return std::to_array<std::string_view>({"measured", "simulated", "imported"});
}

/// The case has a time that nothing was found wrong with.
[[nodiscard]] constexpr bool is_measured(Status status) { return status == Status::ok || status == Status::partial; }

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
