// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Which algorithm an MPI library chooses for a collective, by its own rules: data files of this folder, read off the
/// libraries' sources. Open MPI 3.0 to 5.0 (component tuned), MPICH 3.1 to 5.0. Intel MPI's rules are not public.
namespace busbar::libraries {

/// A call as the rules see it. Ranks are evenly distributed over the nodes and ordered by node.
struct MpiCall {
  std::string_view collective;  ///< busbar's name: "broadcast"
  int ranks = 1, nodes = 1;
  std::uint64_t bytes = 0;  ///< as busbar counts sizes: the larger of a rank's buffers
  std::uint64_t element_bytes = 1;
  bool commutative = true;
};

struct MpiChoice {
  std::string algorithm;       ///< the library's name, as --algorithm requests it: "rabenseifner"; "han": a component
  std::string row;             ///< algorithm of reports/fit with its steps and volume; empty: none has them
  bool between_nodes = false;  ///< ranks of a node are combined first: the algorithm is that of one rank of each node
};

/// The choice of `library`, "Open MPI 4.1.4" as in records. Empty if no data file has this library and version, or none
/// of its rules is for the collective.
[[nodiscard]] std::optional<MpiChoice> mpi_choice(std::string_view library, const MpiCall&);

/// The row for an algorithm of this library (MpiChoice::row), chosen or requested; empty: none, or nothing is known.
[[nodiscard]] std::string mpi_row(std::string_view library, const MpiCall&, std::string_view algorithm);

/// File and versions that the rules for `library` were read off; empty if there are none.
[[nodiscard]] std::string mpi_source(std::string_view library);

}  // namespace busbar::libraries
