// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>

#include <cublasLt.h>

#include "core/cuda/memory.hpp"

/// Matrix products with cuBLASLt (NVIDIA cuBLAS documentation, "Using the cuBLASLt API"), accumulated in fp32.
namespace busbar::cublas {

/// Throws Error if a call failed; std::bad_alloc if memory runs out.
void check(cublasStatus_t code, std::string_view what);

namespace detail {
struct Destroy {
  void operator()(cublasLtHandle_t h) const { cublasLtDestroy(h); }
  void operator()(cublasLtMatmulDesc_t d) const { cublasLtMatmulDescDestroy(d); }
  void operator()(cublasLtMatrixLayout_t l) const { cublasLtMatrixLayoutDestroy(l); }
  void operator()(cublasLtMatmulPreference_t p) const { cublasLtMatmulPreferenceDestroy(p); }
};
template <class Pointer>
using Owned = std::unique_ptr<std::remove_pointer_t<Pointer>, Destroy>;
}  // namespace detail

/// cuBLASLt on the current device, with the workspace size that NVIDIA recommends for Hopper. Products that share a
/// handle must run on one stream.
class Handle {
 public:
  Handle();
  [[nodiscard]] cublasLtHandle_t get() const { return handle_.get(); }
  [[nodiscard]] const cuda::DeviceArray<std::byte>& workspace() const { return workspace_; }

 private:
  detail::Owned<cublasLtHandle_t> handle_;
  cuda::DeviceArray<std::byte> workspace_{std::size_t{32} << 20U};
};

/// A column-major matrix in memory: element (i, j) is at i + j * rows.
struct Matrix {
  const void* at = nullptr;
  std::uint64_t rows = 0, columns = 0;
  cudaDataType_t type = CUDA_R_16BF;
  bool transposed = false;  ///< multiply by its transpose
};

/// to = a * b, plus an optional `bias` of to's type, added to each column.
class Product {
 public:
  /// All memory must start at multiples of 256 bytes; memory and handle must outlive it. Throws Error if cuBLASLt has
  /// no algorithm for it.
  Product(const Handle& handle, const Matrix& a, const Matrix& b, const Matrix& to, const void* bias = nullptr);
  void run(const cuda::Stream& on) const;

 private:
  using Layout = detail::Owned<cublasLtMatrixLayout_t>;
  const Handle* handle_;
  Matrix a_, b_, to_;
  detail::Owned<cublasLtMatmulDesc_t> operation_;
  Layout a_layout_, b_layout_, to_layout_;
  cublasLtMatmulAlgo_t algorithm_{};
};

}  // namespace busbar::cublas
