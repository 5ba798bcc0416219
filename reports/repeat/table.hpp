// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

namespace busbar::repeat {

/// What is known so far of one command.
struct Tally {
  std::string command;           ///< as it was typed; empty: not known
  std::vector<const Run*> good;  ///< launches that ended well
  int failed = 0;                ///< that did not, and count for nothing else
};

/// What the columns mean, then a block a command: a row a case with the time over launches, the interval between
/// launches, how far launches differ, and what each says of itself. Lines end in newlines; ASCII.
[[nodiscard]] std::string table(const std::vector<Tally>&);

/// "10 launches, 9.8 s; widest +-4.1 %; 10 more (9.8 s): about +-2.7 %".
[[nodiscard]] std::string foot(const std::vector<Tally>&, double wall_s);

/// The launches of records of `busbar repeat`, by their command.
[[nodiscard]] std::vector<Tally> tally(const std::vector<Run>& launches);

/// Its record has its end, with exit code 0: what the launcher did afterwards changes no figure.
[[nodiscard]] bool ended_well(const Run&);

}  // namespace busbar::repeat
