// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace busbar {

enum class Status {
  ok,
  partial,  ///< has a time, but was ended before it had the rounds that an interval needs
  skipped,
  failed,
};

/// The case has a time that nothing was found wrong with.
[[nodiscard]] constexpr bool is_measured(Status status) { return status == Status::ok || status == Status::partial; }

[[nodiscard]] std::string_view name(Status);

}  // namespace busbar
