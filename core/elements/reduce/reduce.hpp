// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "core/elements/dtype.hpp"
#include "core/elements/redop.hpp"

/// Reductions in the memory of this process, of all types but fp8 and all operations but mulsum. Safe to call from any
/// thread and from a C callback (an MPI user op).
namespace busbar {

/// inout[i] = in[i] op inout[i] for `count` elements.
/// Integers wrap. fp16 and bf16: each operation in float, then rounded to nearest even. min and max of floating types
/// are NaN where either side is; of two zeros they may return either. avg does what sum does: divide_local() by the
/// number of ranks makes it the average. The buffers are aligned as the type needs and either do not overlap or are the
/// same.
void reduce_local(Op op, DType type, const void* in, void* inout, std::size_t count) noexcept;

/// inout[i] = inout[i] / divisor, with 1 <= divisor <= 2^24. Integers: quotient towards zero. Floating types: correctly
/// rounded.
void divide_local(DType type, void* inout, std::size_t count, int divisor) noexcept;

}  // namespace busbar
