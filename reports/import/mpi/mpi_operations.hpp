// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// MPI operations as MPI benchmarks name them, and the meaning of their sizes in a record.
namespace busbar {

/// Meaning of a benchmark's size.
enum class MpiSize {
  buffer,  ///< the larger of a rank's buffers
  block,   ///< one rank's block of the buffer: multiply by the number of ranks
  blocks,  ///< the larger of a rank's buffers, which has a block for each rank
  twice,   ///< half of the buffer (messages to two neighbours): multiply by 2
  none,    ///< no data
};

/// An operation in its blocking, non-blocking or persistent form.
struct MpiOperation {
  std::string name;  ///< canonical: allreduce
  MpiSize size = MpiSize::buffer;
  bool reduces = false;
  std::string_view bus_like = {};        ///< collective of nccl-tests with the same bus factor; empty: none
  bool uneven = false;                   ///< takes a count per rank; benchmarks pass equal ones
  std::optional<std::string> form = {};  ///< CaseKey::form: "nonblocking", "persistent"

  /// CaseKey::counts.
  [[nodiscard]] std::optional<std::string> counts() const { return uneven ? std::optional("even") : std::nullopt; }
};

/// The blocking collective of a benchmark name: "Allreduce", "All-to-All", "Reduce_scatter_block".
[[nodiscard]] std::optional<MpiOperation> mpi_collective(std::string_view name);

/// Bytes of the larger of a rank's two buffers, as in a record's key; empty above 2^62.
[[nodiscard]] std::optional<std::uint64_t> buffer_bytes(MpiSize, std::uint64_t size, int ranks);

/// An MPI datatype: "MPI_FLOAT" is fp32 with 4 bytes. Unknown types keep their name without "MPI_" and have no size.
struct MpiType {
  std::string name;
  std::uint64_t bytes = 0;  ///< 0: unknown
};
[[nodiscard]] std::optional<MpiType> mpi_type(std::string_view name);

/// True if any table that a benchmark printed has the column.
template <class Program>
[[nodiscard]] bool any_table_has(const Program& p, std::string_view column) {
  return std::ranges::any_of(p.tables, [column](const auto& table) { return table.has(column); });
}

}  // namespace busbar
