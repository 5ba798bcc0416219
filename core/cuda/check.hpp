// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <source_location>
#include <string_view>

#include <cuda_runtime_api.h>

#include "core/base/error.hpp"

/// Shared code for NVIDIA GPUs, over the CUDA runtime. Linked into modules that are loaded on demand
/// (core/files/module.hpp), never into a program.
namespace busbar::cuda {

/// Throws Error for a failed call; std::bad_alloc for cudaErrorMemoryAllocation. Out of line: not in the timed path.
[[noreturn]] void throw_error(cudaError_t code, std::string_view what, const std::source_location& at);

/// Throws as throw_error() does if `code` is not cudaSuccess.
inline void check(cudaError_t code, std::string_view what,
                  const std::source_location& at = std::source_location::current()) {
  if (code != cudaSuccess) [[unlikely]]
    throw_error(code, what, at);
}

}  // namespace busbar::cuda
