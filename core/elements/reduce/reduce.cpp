// SPDX-License-Identifier: Apache-2.0
#include "core/elements/reduce/reduce.hpp"

#include "core/elements/reduce/kernels.hpp"

namespace busbar {
namespace {

static_assert(reduction::type_count == static_cast<std::size_t>(DType::f64) + 1);
static_assert(static_cast<int>(Op::sum) == 0 && static_cast<int>(Op::max) == 3 && reduction::op_count == 4);

const reduction::Kernels& kernels() noexcept {
  static const reduction::Kernels& chosen = reduction::best_kernels();
  return chosen;
}

}  // namespace

void reduce_local(Op op, DType type, const void* in, void* inout, std::size_t count) noexcept {
  const Op combined = op == Op::avg ? Op::sum : op;
  kernels().combine[static_cast<std::size_t>(combined)][static_cast<std::size_t>(type)](in, inout, count);
}

void divide_local(DType type, void* inout, std::size_t count, int divisor) noexcept {
  kernels().divide[static_cast<std::size_t>(type)](inout, count, divisor);
}

}  // namespace busbar
