// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

/// The loops behind core/elements/reduce/reduce.hpp, once for every instruction set they are compiled for.
namespace busbar::reduction {

inline constexpr std::size_t op_count = 4;     ///< sum, prod, min, max, in the order of Op
inline constexpr std::size_t type_count = 10;  ///< DType up to f64, in its order

using Combine = void (*)(const void* in, void* inout, std::size_t count);
using Divide = void (*)(void* inout, std::size_t count, int divisor);

struct Kernels {
  Combine combine[op_count][type_count];
  Divide divide[type_count];
};

/// For what every processor of this architecture has.
extern const Kernels portable_kernels;

/// For x86-64 with AVX2 and F16C. Defined there only.
extern const Kernels avx2_kernels;

/// The fastest that this processor can run. One definition per architecture, chosen by CMake.
[[nodiscard]] const Kernels& best_kernels() noexcept;

}  // namespace busbar::reduction
