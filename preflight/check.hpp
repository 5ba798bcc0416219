// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/table.hpp"
#include "preflight/facts.hpp"
#include "preflight/stage.hpp"

namespace busbar::preflight {

/// From good to bad.
enum class State : int {
  ok,
  not_applicable,  ///< there is nothing here that it is about; `read` says what is missing
  unknown,         ///< it could not be read; `read` says why
  warning,         ///< a job runs, but not as it could, or something else will go wrong
  failed,          ///< a job fails, hangs, or measures something else than it says
};
[[nodiscard]] std::string_view name(State);

/// What a check has seen, of all ranks or of some.
struct Finding {
  State state = State::ok;
  std::string read;                ///< one line: what was read, with its units, and where
  std::vector<std::string> hosts;  ///< that it is about; empty: all of them
  std::vector<int> ranks;
};

/// One thing to look at: one file in preflight/checks/. A pure function of facts: it reads nothing itself.
struct Check {
  std::string_view name;      ///< identifier, without the name of its stage
  Stage stage;                ///< in which it is judged; facts of this stage and of those before are there
  std::string_view about;     ///< what it looks at, one line
  std::string_view expected;  ///< what is right
  std::string_view why;       ///< what happens where it is not
  std::string_view advice;    ///< what to do then
  bool before_mpi = false;    ///< each rank also judges by itself alone, before MPI_Init
  /// At least one finding; those that are alike on several ranks are one.
  std::vector<Finding> (*judge)(const Facts&);
};

/// The worst of them; ok for none.
[[nodiscard]] State worst(const std::vector<Finding>&);

}  // namespace busbar::preflight
