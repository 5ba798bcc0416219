// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>

#include <cublasLt.h>

#include "core/cuda/memory.hpp"

/// Products of matrices by cuBLASLt (NVIDIA cuBLAS documentation, "Using the cuBLASLt API"), fp32 sums.
namespace busbar::cublas {

/// Throws the Error of a call that did not succeed; std::bad_alloc where memory is lacking.
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

/// The library on the device that is current, with the workspace that NVIDIA recommends for Hopper; products that share
/// it run on one stream.
class Handle {
 public:
  Handle();
  [[nodiscard]] cublasLtHandle_t get() const { return handle_.get(); }
  [[nodiscard]] const cuda::DeviceArray<std::byte>& workspace() const { return workspace_; }

 private:
  detail::Owned<cublasLtHandle_t> handle_;
  cuda::DeviceArray<std::byte> workspace_{std::size_t{32} << 20U};
};

/// A matrix in memory, column by column: element (i, j) at i + j * rows.
struct Matrix {
  const void* at = nullptr;
  std::uint64_t rows = 0, columns = 0;
  cudaDataType_t type = CUDA_R_16BF;
  bool transposed = false;  ///< what is multiplied is its transpose
};

/// to = a * b, and `bias`, of to's type, is added to each column where it is given.
class Product {
 public:
  /// All memory begins at multiples of 256 bytes and outlives it, as does the handle. Throws Error where cuBLASLt has
  /// no way to compute it.
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
