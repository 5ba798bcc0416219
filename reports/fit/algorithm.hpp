// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "reports/fit/scale.hpp"

namespace busbar::fit {

/// Cost model of a collective's algorithm: number of consecutive messages, and volume sent by the busiest place.
struct Algorithm {
  std::string_view collective;
  std::string_view name;
  bool of_nccl = false;  ///< available in NCCL
  /// Consecutive messages: between nodes if there are several, each including its path through a node.
  double (*steps)(const Scale&);
  /// Data a node sends to or receives from other nodes, in multiples of CaseKey::bytes; on one node: data a rank sends.
  double (*volume)(const Scale&);
  /// Number of messages that the size is split into: with more ranks, a ring's messages get shorter, a tree's do not.
  double (*pieces)(const Scale&);
};

/// Algorithms of a collective that a backend may use: those documented for NCCL; all of them for other libraries,
/// except those that only rules of reports/libraries name. Sources: R. Thakur, R. Rabenseifner, W. Gropp: Optimization
/// of Collective Communication Operations in MPICH, 2005 (ring, recursive doubling and halving, Rabenseifner's,
/// Bruck's, van de Geijn's, binomial); E. Chan et al.: Collective communication: theory, practice, and experience, 2007
/// (lower bounds); P. Sanders, J. Speck, J. Träff: Two-tree algorithms for full bandwidth broadcast, reduction and
/// scan, 2009 (double tree); volumes of NCCL's ring and tree: reports/expected/traffic.hpp.
[[nodiscard]] std::vector<const Algorithm*> algorithms_of(std::string_view collective, std::string_view backend);

/// The algorithm that a library calls `name` ("ring", "tree"); null if there is none.
[[nodiscard]] const Algorithm* algorithm_named(std::string_view collective, std::string_view name);

/// True for algorithms of which messages need not wait for each other: a rank may post them all at once.
[[nodiscard]] bool sends_at_once(const Algorithm&);

}  // namespace busbar::fit
