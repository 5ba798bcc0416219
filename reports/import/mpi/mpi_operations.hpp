// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// MPI's operations as the benchmarks of MPI call them, and what their sizes mean for a record.
namespace busbar {

/// What a benchmark's size counts.
enum class MpiSize {
  buffer,  ///< the larger of a rank's buffers
  block,   ///< one rank's block of it: times ranks
  blocks,  ///< the larger of a rank's buffers, which has a block for every rank
  twice,   ///< half of it: messages to two neighbours
  none,    ///< there is no data
};

/// One operation, in one of MPI's ways of calling it.
struct MpiOperation {
  std::string name;  ///< canonical: allreduce; iallreduce without blocking; allreduce_init persistent
  MpiSize size = MpiSize::buffer;
  bool reduces = false;
  std::string_view bus_like = {};  ///< the collective of nccl-tests with the same bus factor; empty: it has none
};

/// The collective behind a name without its way of calling: "Allreduce", "All-to-All", "Reduce_scatter_block".
[[nodiscard]] std::optional<MpiOperation> mpi_collective(std::string_view name);

/// Canonical names of the same in another way.
[[nodiscard]] MpiOperation non_blocking(MpiOperation);
[[nodiscard]] MpiOperation persistent(MpiOperation);

/// Bytes of the larger of a rank's two buffers, as a record's key has them; nothing where that is more than 2^62.
[[nodiscard]] std::optional<std::uint64_t> buffer_bytes(MpiSize, std::uint64_t size, int ranks);

/// A type of MPI: "MPI_FLOAT" is fp32 of 4 bytes. Types of other names have no size, and their name without "MPI_".
struct MpiType {
  std::string name;
  std::uint64_t bytes = 0;  ///< 0: not known
};
[[nodiscard]] std::optional<MpiType> mpi_type(std::string_view name);

}  // namespace busbar
