// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/mpi_library/mpi_library.hpp"
#include "reports/explain/algorithms.hpp"

namespace busbar::explain {

/// A file that makes an MPI library use faster algorithms.
struct Tuning {
  std::string text;                   ///< of the file; empty if it would have no rule
  std::vector<FasterAlgorithm> used;  ///< by key
  std::vector<std::string> left_out;  ///< sentences: what the file cannot say, and why
  std::string use;                    ///< the command line that uses it, with {} for the file's name
};

/// The tuning file of a library, for the measured numbers of ranks and no others. An algorithm holds from its size up
/// to the next measured one; below the smallest size and above the largest the library decides. Cases of one size that
/// differ in type, operation or place must agree on the algorithm.
/// Open MPI: rules of coll/tuned (coll_tuned_dynamic_rules_filename). MPICH: variables for the shell, of collectives
/// for which one algorithm is faster at all measured sizes. Intel MPI: variables with ranges of sizes and ranks.
/// `version`: "Open MPI 4.1.4". Throws Error if busbar cannot write files for this library.
[[nodiscard]] Tuning tuning_of(const MpiLibrary&, std::string_view version, const ComparedAlgorithms&);

}  // namespace busbar::explain
