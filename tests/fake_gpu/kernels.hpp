// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernel_entry.hpp"

namespace fake_gpu {

/// The kernel that a host function's pointer stands for; it must have been registered (nvcc's code does so when a
/// module is loaded). \throws Failure where it was not.
struct Function {
  std::string name;  ///< its signature, demangled
  int max_dynamic_shared = 48 * 1024;
};
Function& function_of(const void* host_function);

/// The emulation of a kernel, among the libraries that FAKE_GPU_KERNELS lists (separated by ':'); null where none has
/// it.
const EmulatedKernel* emulation_of(const std::string& name);

}  // namespace fake_gpu
