// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/product.hpp"

#include <array>
#include <new>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar::cublas {
namespace {

detail::Owned<cublasLtMatrixLayout_t> layout_of(const Matrix& m) {
  cublasLtMatrixLayout_t made = nullptr;
  check(cublasLtMatrixLayoutCreate(&made, m.type, m.rows, m.columns, static_cast<std::int64_t>(m.rows)),
        "cublasLtMatrixLayoutCreate");
  return detail::Owned<cublasLtMatrixLayout_t>(made);
}

template <class T>
void set(cublasLtMatmulDesc_t to, cublasLtMatmulDescAttributes_t name, T value) {
  check(cublasLtMatmulDescSetAttribute(to, name, &value, sizeof value), "cublasLtMatmulDescSetAttribute");
}

cublasOperation_t operation_of(const Matrix& m) { return m.transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

}  // namespace

void check(cublasStatus_t code, std::string_view what) {
  if (code == CUBLAS_STATUS_SUCCESS) return;
  if (code == CUBLAS_STATUS_ALLOC_FAILED) throw std::bad_alloc();
  throw Error(fmt::format("{}: {}", what, cublasLtGetStatusString(code)));
}

Handle::Handle() {
  cublasLtHandle_t made = nullptr;
  check(cublasLtCreate(&made), "cublasLtCreate");
  handle_.reset(made);
}

Product::Product(const Handle& handle, const Matrix& a, const Matrix& b, const Matrix& to, const void* bias)
    : handle_(&handle),
      a_(a),
      b_(b),
      to_(to),
      a_layout_(layout_of(a)),
      b_layout_(layout_of(b)),
      to_layout_(layout_of(to)) {
  cublasLtMatmulDesc_t operation = nullptr;
  check(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
  operation_.reset(operation);
  set(operation, CUBLASLT_MATMUL_DESC_TRANSA, operation_of(a));
  set(operation, CUBLASLT_MATMUL_DESC_TRANSB, operation_of(b));
  if (bias != nullptr) {
    set(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
    set(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    set(operation, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, static_cast<std::int32_t>(to.type));
  }

  cublasLtMatmulPreference_t preference = nullptr;
  check(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
  const detail::Owned<cublasLtMatmulPreference_t> owned(preference);
  const std::uint64_t workspace = handle.workspace().bytes();
  check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                                             sizeof workspace),
        "cublasLtMatmulPreferenceSetAttribute");
  std::array<cublasLtMatmulHeuristicResult_t, 8> found{};
  int count = 0;
  const cublasStatus_t code = cublasLtMatmulAlgoGetHeuristic(handle.get(), operation, a_layout_.get(), b_layout_.get(),
                                                             to_layout_.get(), to_layout_.get(), preference,
                                                             static_cast<int>(found.size()), found.data(), &count);
  for (int i = 0; i < count; ++i)
    if (const auto& result = found[static_cast<std::size_t>(i)]; result.state == CUBLAS_STATUS_SUCCESS) {
      algorithm_ = result.algo;
      return;
    }
  throw Error(fmt::format("cuBLASLt has no way to multiply {} x {} by {} x {}{}: {}", a.rows, a.columns, b.rows,
                          b.columns, bias == nullptr ? "" : " and add a bias", cublasLtGetStatusString(code)));
}

void Product::run(const cuda::Stream& on) const {
  const float one = 1, zero = 0;
  void* const to = const_cast<void*>(to_.at);
  check(cublasLtMatmul(handle_->get(), operation_.get(), &one, a_.at, a_layout_.get(), b_.at, b_layout_.get(), &zero,
                       to, to_layout_.get(), to, to_layout_.get(), &algorithm_, handle_->workspace().data(),
                       handle_->workspace().bytes(), on.handle()),
        "cublasLtMatmul");
}

}  // namespace busbar::cublas
