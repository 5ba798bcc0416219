// SPDX-License-Identifier: Apache-2.0
#include "reports/import/mpi/mpi_operations.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

struct MpiRow {
  std::string_view spelling;  ///< lower case, no "_" and "-"
  std::string_view name;
  MpiSize size;
  bool reduces;
  std::string_view bus_like;
};

// Variants with counts for each rank are called with equal counts by the benchmarks.
constexpr std::array mpi_collectives{
    MpiRow{"allreduce", "allreduce", MpiSize::buffer, true, "allreduce"},
    MpiRow{"allgather", "allgather", MpiSize::block, false, "allgather"},
    MpiRow{"allgatherv", "allgatherv", MpiSize::block, false, "allgather"},
    MpiRow{"alltoall", "alltoall", MpiSize::block, false, "alltoall"},
    MpiRow{"alltoallv", "alltoallv", MpiSize::block, false, "alltoall"},
    MpiRow{"alltoallw", "alltoallw", MpiSize::block, false, "alltoall"},
    MpiRow{"barrier", "barrier", MpiSize::none, false, ""},
    MpiRow{"bcast", "broadcast", MpiSize::buffer, false, "broadcast"},
    MpiRow{"broadcast", "broadcast", MpiSize::buffer, false, "broadcast"},
    MpiRow{"exscan", "exscan", MpiSize::buffer, true, ""},
    MpiRow{"gather", "gather", MpiSize::block, false, "gather"},
    MpiRow{"gatherv", "gatherv", MpiSize::block, false, "gather"},
    MpiRow{"reduce", "reduce", MpiSize::buffer, true, "reduce"},
    MpiRow{"reducelocal", "reduce_local", MpiSize::buffer, true, ""},
    MpiRow{"reducescatter", "reduce_scatter", MpiSize::buffer, true, "reduce_scatter"},
    MpiRow{"reducescatterblock", "reduce_scatter_block", MpiSize::buffer, true, "reduce_scatter"},
    MpiRow{"scan", "scan", MpiSize::buffer, true, ""},
    MpiRow{"scatter", "scatter", MpiSize::block, false, "scatter"},
    MpiRow{"scatterv", "scatterv", MpiSize::block, false, "scatter"},
};

struct TypeRow {
  std::string_view mpi, name;
  std::uint64_t bytes;
};

constexpr std::array mpi_types{
    TypeRow{"MPI_CHAR", "int8", 1},     TypeRow{"MPI_SIGNED_CHAR", "int8", 1}, TypeRow{"MPI_INT8_T", "int8", 1},
    TypeRow{"MPI_BYTE", "byte", 1},     TypeRow{"MPI_INT", "int32", 4},        TypeRow{"MPI_INT32_T", "int32", 4},
    TypeRow{"MPI_INT64_T", "int64", 8}, TypeRow{"MPI_FLOAT", "fp32", 4},       TypeRow{"MPI_DOUBLE", "fp64", 8},
};

std::string squeezed_operation(std::string_view text) {
  std::string s;
  for (const char c : text)
    if (c != '_' && c != '-') s += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

}  // namespace

std::optional<MpiOperation> mpi_collective(std::string_view name) {
  const auto row = std::ranges::find(mpi_collectives, squeezed_operation(name), &MpiRow::spelling);
  if (row == mpi_collectives.end()) return std::nullopt;
  return MpiOperation{
      .name = std::string(row->name), .size = row->size, .reduces = row->reduces, .bus_like = row->bus_like};
}

MpiOperation non_blocking(MpiOperation o) {
  o.name.insert(0, 1, 'i');
  return o;
}

MpiOperation persistent(MpiOperation o) {
  o.name += "_init";
  return o;
}

std::optional<std::uint64_t> buffer_bytes(MpiSize size, std::uint64_t bytes, int ranks) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  const std::uint64_t factor = size == MpiSize::block   ? static_cast<std::uint64_t>(ranks)
                               : size == MpiSize::twice ? 2
                                                        : 1;
  if (size == MpiSize::none) return 0;
  return factor == 0 || bytes > most / factor ? std::nullopt : std::optional(bytes * factor);
}

std::optional<MpiType> mpi_type(std::string_view name) {
  const auto row = std::ranges::find(mpi_types, name, &TypeRow::mpi);
  if (row != mpi_types.end()) return MpiType{.name = std::string(row->name), .bytes = row->bytes};
  if (!name.starts_with("MPI_") || !is_name(name)) return std::nullopt;
  return MpiType{.name = std::string(name.substr(4)), .bytes = 0};
}

}  // namespace busbar
