// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "reports/fit/scale.hpp"

namespace busbar::fit {

/// How a collective may go about: how many messages follow each other, and how much the busiest place sends.
struct Algorithm {
  std::string_view collective;
  std::string_view name;
  bool of_nccl = false;  ///< NCCL has it
  /// Messages that follow each other: between nodes where there are several, each with its way through a node.
  double (*steps)(const Scale&);
  /// What a node sends to other nodes, or gets, in multiples of CaseKey::bytes; on one node: what a rank sends.
  double (*volume)(const Scale&);
  /// Into how many messages the size is cut: with more ranks those of a ring are shorter, those of a tree are not.
  double (*pieces)(const Scale&);
};

/// Those of a collective that a backend may use. NCCL's are those it documents; any other library may use all.
/// Sources: R. Thakur, R. Rabenseifner, W. Gropp: Optimization of Collective Communication Operations in MPICH, 2005
/// (ring, recursive doubling and halving, Rabenseifner's, Bruck's, van de Geijn's, binomial); E. Chan et al.:
/// Collective communication: theory, practice, and experience, 2007 (their lower bounds); P. Sanders, J. Speck, J.
/// Träff: Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009 (double tree); volumes of NCCL's
/// ring and tree: reports/expected/traffic.hpp.
[[nodiscard]] std::vector<const Algorithm*> algorithms_of(std::string_view collective, std::string_view backend);

/// The row that a library's own word stands for ("ring", "tree"); null where there is none.
[[nodiscard]] const Algorithm* algorithm_named(std::string_view collective, std::string_view name);

}  // namespace busbar::fit
