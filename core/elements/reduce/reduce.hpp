// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "core/elements/dtype.hpp"
#include "core/elements/redop.hpp"

/// Reductions in this process's memory, for all types except fp8 and all operations except mulsum. Safe to call from
/// any thread and from a C callback (an MPI user op).
namespace busbar {

/// inout[i] = in[i] op inout[i] for `count` elements.
/// Integers wrap. fp16 and bf16: computed in float, then rounded to nearest even. min and max of floating types are NaN
/// if either operand is; of two zeros they may return either. avg computes the sum: divide_local() by the number of
/// ranks gives the average. The buffers must be aligned for the type, and be disjoint or the same.
void reduce_local(Op op, DType type, const void* in, void* inout, std::size_t count) noexcept;

/// inout[i] = inout[i] / divisor, with 1 <= divisor <= 2^24. Integers truncate towards zero; floating types are
/// correctly rounded.
void divide_local(DType type, void* inout, std::size_t count, int divisor) noexcept;

}  // namespace busbar
