// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

namespace busbar::repeat {

/// Results of one command so far.
struct Tally {
  std::string command;           ///< as typed; empty: unknown
  std::vector<const Run*> good;  ///< launches that ended well
  int failed = 0;                ///< failed launches, otherwise ignored
};

/// A legend, then a block per command with a row per case: time over launches, interval and launch-to-launch variation.
/// Lines end in newlines; ASCII.
[[nodiscard]] std::string table(const std::vector<Tally>&);

/// "10 launches, 9.8 s; widest +-4.1 %; 10 more (9.8 s): about +-2.7 %".
[[nodiscard]] std::string foot(const std::vector<Tally>&, double wall_s);

/// The command of a launch, as typed; empty: unknown.
[[nodiscard]] std::string command_of(const Run&);

/// Groups the launches of a `busbar repeat` record by command.
[[nodiscard]] std::vector<Tally> tally(const std::vector<Run>& launches);

/// True if the record has its end with exit code 0 or none. What the launcher did afterwards changes no figure.
[[nodiscard]] bool ended_well(const Run&);

}  // namespace busbar::repeat
