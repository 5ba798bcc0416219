// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 for processes that only make plans. It has no device, and loads every kernel without a look at it:
// cuDNN compiles the kernels of some plans when they are made, and loads them at once. All other functions of a driver
// return CUDA_ERROR_NO_DEVICE; CMakeLists.txt generates them, as weak symbols, from the names in CUDA's stub of a
// driver.
#include <cuda.h>

namespace {

/// Target of handles; never read.
char some_object;

}  // namespace

extern "C" {

CUresult cuLibraryLoadData(CUlibrary* library, const void* /*code*/, CUjit_option* /*jit*/, void** /*jit_values*/,
                           unsigned /*jit_count*/, CUlibraryOption* /*options*/, void** /*option_values*/,
                           unsigned /*option_count*/) {
  *library = reinterpret_cast<CUlibrary>(&some_object);
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary /*library*/, const char* /*name*/) {
  *kernel = reinterpret_cast<CUkernel>(&some_object);
  return CUDA_SUCCESS;
}

CUresult cuLibraryUnload(CUlibrary /*library*/) { return CUDA_SUCCESS; }

}  // extern "C"
