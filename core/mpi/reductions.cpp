// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/reductions.hpp"

#include <fmt/core.h>

#include "core/elements/reduce/reduce.hpp"
#include "core/mpi/check.hpp"

namespace busbar {
namespace {

MPI_Op native_op(Op op) {
  // In the order of Op. An average is a sum first; MPI has no mulsum.
  const std::array<MPI_Op, op_names.size()> ops{MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_SUM, MPI_OP_NULL};
  return ops[static_cast<std::size_t>(op)];
}

template <DType type, Op op>
void user_function(void* in, void* inout, int* count, MPI_Datatype* /*always the type's carrier*/) {
  reduce_local(op, type, in, inout, static_cast<std::size_t>(*count));
}

void no_function(void* /*in*/, void* /*inout*/, int* /*count*/, MPI_Datatype* /*any*/) {}

/// All operations are commutative, like the native ones.
MPI_Op register_op(MPI_User_function* function, std::vector<MPI_Op>& made) {
  MPI_Op op = MPI_OP_NULL;
  mpi_check(MPI_Op_create(function, 1, &op), "MPI_Op_create");
  made.push_back(op);
  return op;
}

template <DType type>
std::array<MPI_Op, op_names.size()> register_ops(std::vector<MPI_Op>& made) {
  const MPI_Op sum = register_op(&user_function<type, Op::sum>, made);
  return {sum,
          register_op(&user_function<type, Op::prod>, made),
          register_op(&user_function<type, Op::min>, made),
          register_op(&user_function<type, Op::max>, made),
          sum,
          MPI_OP_NULL};
}

}  // namespace

MpiReductions::MpiReductions(bool with_data) {
  for (const auto& t : dtypes)
    for (std::size_t op = 0; op < op_names.size(); ++op)
      ops_[static_cast<std::size_t>(t.type)][op] = is_fp8(t.type) ? MPI_OP_NULL : native_op(static_cast<Op>(op));
  ops_[static_cast<std::size_t>(DType::f16)] = register_ops<DType::f16>(made_);
  ops_[static_cast<std::size_t>(DType::bf16)] = register_ops<DType::bf16>(made_);
  if (with_data) return;
  const MPI_Op none = register_op(&no_function, made_);
  for (auto& of_type : ops_)
    for (MPI_Op& op : of_type)
      if (op != MPI_OP_NULL) op = none;
}

MpiReductions::~MpiReductions() {
  for (MPI_Op& op : made_) MPI_Op_free(&op);
}

MPI_Datatype MpiReductions::datatype(DType type) {
  // In the order of DType. MPI has no floating types of 16 or 8 bits.
  const std::array<MPI_Datatype, dtypes.size()> types{MPI_INT8_T,   MPI_INT32_T,  MPI_INT64_T,  MPI_UINT8_T,
                                                      MPI_UINT32_T, MPI_UINT64_T, MPI_UINT16_T, MPI_UINT16_T,
                                                      MPI_FLOAT,    MPI_DOUBLE,   MPI_UINT8_T,  MPI_UINT8_T};
  return types[static_cast<std::size_t>(type)];
}

std::string MpiReductions::describe(DType type, Op op) {
  static constexpr std::array<std::string_view, 4> native_names{"MPI_SUM", "MPI_PROD", "MPI_MIN", "MPI_MAX"};
  const Op first = op == Op::avg ? Op::sum : op;
  std::string text = registered(type)
                         ? fmt::format("busbar's {} of {}, registered with MPI_Op_create", name(first), name(type))
                         : std::string(native_names[static_cast<std::size_t>(first)]);
  if (op == Op::avg) text += ", then busbar divides by the number of ranks";
  return text;
}

}  // namespace busbar
