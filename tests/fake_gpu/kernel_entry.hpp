// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include <vector_types.h>

namespace fake_gpu {

/// How a kernel is launched.
struct Shape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
};

/// One kernel that runs on the CPU.
struct EmulatedKernel {
  const char* tag;   ///< std::type_info::name() of Tag<&kernel>: the kernel's name is in it
  const char* type;  ///< the same of its function type
  /// Copies the arguments, as a launch does. The result runs all threads of the grid.
  /// That throws std::runtime_error where threads of a block wait in different places.
  std::function<void()> (*bind)(void** arguments, const Shape& shape);
};

/// The one symbol of a library of emulated kernels.
constexpr const char* kernels_symbol = "fake_gpu_emulated_kernels";
using KernelsFunction = const EmulatedKernel* (*)(std::size_t* count);

}  // namespace fake_gpu
