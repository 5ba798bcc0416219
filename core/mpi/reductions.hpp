// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <vector>

#include <mpi.h>

#include "core/elements/dtype.hpp"
#include "core/elements/redop.hpp"

namespace busbar {

/// MPI's datatypes and operations for ours, with operations of our own where MPI has none: fp16 and bf16 travel as
/// 16-bit integers and are reduced by MPI ops that busbar registers (core/elements/reduce/reduce.hpp); avg is a sum,
/// divided by the number of ranks after the call. Lives between MPI_Init and MPI_Finalize.
class MpiReductions {
 public:
  /// `with_data` false: operations leave what they are given as it is, for a simulation that has sizes only.
  explicit MpiReductions(bool with_data = true);
  ~MpiReductions();
  MpiReductions(const MpiReductions&) = delete;
  MpiReductions& operator=(const MpiReductions&) = delete;

  [[nodiscard]] static MPI_Datatype datatype(DType type);
  /// Types that are reduced by operations of ours.
  [[nodiscard]] static bool registered(DType type) { return type == DType::f16 || type == DType::bf16; }
  /// MPI_OP_NULL where there is none: of fp8, and mulsum.
  [[nodiscard]] MPI_Op op(DType type, Op op) const {
    return ops_[static_cast<std::size_t>(type)][static_cast<std::size_t>(op)];
  }
  /// Who reduces, for the record. Not for what op() has none for.
  [[nodiscard]] static std::string describe(DType type, Op op);

 private:
  std::vector<MPI_Op> made_;
  std::array<std::array<MPI_Op, op_names.size()>, dtypes.size()> ops_{};
};

}  // namespace busbar
