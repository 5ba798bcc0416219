// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/check.hpp"

#include <new>

#include <fmt/core.h>

namespace busbar::cuda {

void throw_error(cudaError_t code, std::string_view what, const std::source_location& at) {
  [[maybe_unused]] const cudaError_t forgotten = cudaGetLastError();  // or a later call would report it
  if (code == cudaErrorMemoryAllocation) throw std::bad_alloc();
  const std::string_view file = at.file_name();
  throw Error(fmt::format("{}: {} ({}, at {}:{})", what, cudaGetErrorString(code), cudaGetErrorName(code),
                          file.substr(file.rfind('/') + 1), at.line()));
}

}  // namespace busbar::cuda
