// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

/// The loops of core/elements/reduce/reduce.hpp, one table per instruction set.
namespace busbar::reduction {

inline constexpr std::size_t op_count = 4;     ///< sum, prod, min, max, in the order of Op
inline constexpr std::size_t type_count = 10;  ///< DType up to f64, in the order of DType

using Combine = void (*)(const void* in, void* inout, std::size_t count);
using Divide = void (*)(void* inout, std::size_t count, int divisor);

struct Kernels {
  Combine combine[op_count][type_count];
  Divide divide[type_count];
};

/// For every processor of this architecture.
extern const Kernels portable_kernels;

/// For x86-64 with AVX2 and F16C. Defined on x86-64 only.
extern const Kernels avx2_kernels;

/// The fastest kernels that this processor can run. CMake links one definition per architecture.
[[nodiscard]] const Kernels& best_kernels() noexcept;

}  // namespace busbar::reduction
