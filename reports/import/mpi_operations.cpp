// SPDX-License-Identifier: Apache-2.0
#include "reports/import/mpi_operations.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

struct Row {
  std::string_view spelling;  ///< lower case, no "_" and "-"
  std::string_view name;
  MpiSize size;
  bool reduces;
  std::string_view bus_like;
};

// Variants with counts for each rank are called with equal counts by the benchmarks.
constexpr std::array collectives{
    Row{"allreduce", "allreduce", MpiSize::buffer, true, "allreduce"},
    Row{"allgather", "allgather", MpiSize::block, false, "allgather"},
    Row{"allgatherv", "allgatherv", MpiSize::block, false, "allgather"},
    Row{"alltoall", "alltoall", MpiSize::block, false, "alltoall"},
    Row{"alltoallv", "alltoallv", MpiSize::block, false, "alltoall"},
    Row{"alltoallw", "alltoallw", MpiSize::block, false, "alltoall"},
    Row{"barrier", "barrier", MpiSize::none, false, ""},
    Row{"bcast", "broadcast", MpiSize::buffer, false, "broadcast"},
    Row{"broadcast", "broadcast", MpiSize::buffer, false, "broadcast"},
    Row{"exscan", "exscan", MpiSize::buffer, true, ""},
    Row{"gather", "gather", MpiSize::block, false, "gather"},
    Row{"gatherv", "gatherv", MpiSize::block, false, "gather"},
    Row{"reduce", "reduce", MpiSize::buffer, true, "reduce"},
    Row{"reducelocal", "reduce_local", MpiSize::buffer, true, ""},
    Row{"reducescatter", "reduce_scatter", MpiSize::buffer, true, "reduce_scatter"},
    Row{"reducescatterblock", "reduce_scatter_block", MpiSize::buffer, true, "reduce_scatter"},
    Row{"scan", "scan", MpiSize::buffer, true, ""},
    Row{"scatter", "scatter", MpiSize::block, false, "scatter"},
    Row{"scatterv", "scatterv", MpiSize::block, false, "scatter"},
};

struct TypeRow {
  std::string_view mpi, name;
  std::uint64_t bytes;
};

constexpr std::array types{
    TypeRow{"MPI_CHAR", "int8", 1},     TypeRow{"MPI_SIGNED_CHAR", "int8", 1}, TypeRow{"MPI_INT8_T", "int8", 1},
    TypeRow{"MPI_BYTE", "byte", 1},     TypeRow{"MPI_INT", "int32", 4},        TypeRow{"MPI_INT32_T", "int32", 4},
    TypeRow{"MPI_INT64_T", "int64", 8}, TypeRow{"MPI_FLOAT", "fp32", 4},       TypeRow{"MPI_DOUBLE", "fp64", 8},
};

std::string squeezed(std::string_view text) {
  std::string s;
  for (const char c : text)
    if (c != '_' && c != '-') s += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

}  // namespace

std::optional<MpiOperation> mpi_collective(std::string_view name) {
  const auto row = std::ranges::find(collectives, squeezed(name), &Row::spelling);
  if (row == collectives.end()) return std::nullopt;
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
  const auto row = std::ranges::find(types, name, &TypeRow::mpi);
  if (row != types.end()) return MpiType{.name = std::string(row->name), .bytes = row->bytes};
  if (!name.starts_with("MPI_") || !is_name(name)) return std::nullopt;
  return MpiType{.name = std::string(name.substr(4)), .bytes = 0};
}

}  // namespace busbar
