// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <source_location>
#include <string_view>

#include <cuda_runtime_api.h>

#include "core/base/error.hpp"

/// What all code for NVIDIA GPUs shares, over the CUDA runtime. It is part of modules that are loaded on demand
/// (core/files/module.hpp), never of a program.
namespace busbar::cuda {

/// Throws the Error of a call that did not succeed; std::bad_alloc for cudaErrorMemoryAllocation. Kept out of line,
/// away from the timed path.
[[noreturn]] void throw_error(cudaError_t code, std::string_view what, const std::source_location& at);

/// Throws Error with CUDA's own text where `code` is not cudaSuccess.
inline void check(cudaError_t code, std::string_view what,
                  const std::source_location& at = std::source_location::current()) {
  if (code != cudaSuccess) [[unlikely]]
    throw_error(code, what, at);
}

}  // namespace busbar::cuda
