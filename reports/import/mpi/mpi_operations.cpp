// SPDX-License-Identifier: Apache-2.0
#include "reports/import/mpi/mpi_operations.hpp"

#include <algorithm>
#include <array>

#include "core/base/words.hpp"
#include "reports/import/text_lines.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

struct Variant {
  std::string_view spelling;  ///< as returned by squeezed_operation()
  std::string_view name;
  MpiSize size;
  bool reduces;
  std::string_view bus_like;
};

// Collectives that only other tools measure.
constexpr std::array variants{
    Variant{"alltoallw", "alltoallw", MpiSize::block, false, "alltoall"},
    Variant{"exscan", "exscan", MpiSize::buffer, true, ""},
    Variant{"reducelocal", "reduce_local", MpiSize::buffer, true, ""},
    Variant{"scan", "scan", MpiSize::buffer, true, ""},
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

std::string squeezed_operation(std::string_view text) { return lower_case(text, "_-"); }

/// OSU and IMB give the size of one block, but for reduce_scatter of all blocks.
MpiSize size_of_operation(const CollectiveFacts& c) {
  if (!c.moves_data) return MpiSize::none;
  if (c.one_size) return MpiSize::buffer;
  return c.reduces ? MpiSize::blocks : MpiSize::block;
}

/// The operation of a collective that busbar measures, too.
std::optional<MpiOperation> shared_collective(std::string_view spelling) {
  for (const CollectiveFacts& c : all_collective_facts())
    if (spelling == squeezed_operation(c.name) || spelling == c.alias)
      return MpiOperation{.name = std::string(c.name),
                          .size = size_of_operation(c),
                          .reduces = c.reduces,
                          .bus_like = c.moves_data ? c.name : "",
                          .uneven = c.uneven};
  return std::nullopt;
}

}  // namespace

std::optional<MpiOperation> mpi_collective(std::string_view name) {
  const std::string spelling = squeezed_operation(name);
  const auto row = std::ranges::find(variants, spelling, &Variant::spelling);
  if (row == variants.end()) return shared_collective(spelling);
  return MpiOperation{
      .name = std::string(row->name), .size = row->size, .reduces = row->reduces, .bus_like = row->bus_like};
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
