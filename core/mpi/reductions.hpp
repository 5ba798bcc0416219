// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <vector>

#include <mpi.h>

#include "core/elements/dtype.hpp"
#include "core/elements/redop.hpp"

namespace busbar {

/// MPI datatypes and operations for those of busbar. If MPI has none, busbar registers its own: fp16 and bf16 are sent
/// as 16-bit integers and reduced by registered MPI ops (core/elements/reduce/reduce.hpp); avg is a sum, divided by the
/// number of ranks after the call. Must live between MPI_Init and MPI_Finalize.
class MpiReductions {
 public:
  /// If `with_data` is false, operations do nothing, for a simulation of sizes only.
  explicit MpiReductions(bool with_data = true);
  ~MpiReductions();
  MpiReductions(const MpiReductions&) = delete;
  MpiReductions& operator=(const MpiReductions&) = delete;

  [[nodiscard]] static MPI_Datatype datatype(DType type);
  /// True for types that registered operations reduce.
  [[nodiscard]] static bool registered(DType type) { return type == DType::f16 || type == DType::bf16; }
  /// MPI_OP_NULL if there is none: for fp8 and mulsum.
  [[nodiscard]] MPI_Op op(DType type, Op op) const {
    return ops_[static_cast<std::size_t>(type)][static_cast<std::size_t>(op)];
  }
  /// Who reduces, for the record. Only valid if op() is not MPI_OP_NULL.
  [[nodiscard]] static std::string describe(DType type, Op op);

 private:
  std::vector<MPI_Op> made_;
  std::array<std::array<MPI_Op, op_names.size()>, dtypes.size()> ops_{};
};

}  // namespace busbar
