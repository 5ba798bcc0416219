// SPDX-License-Identifier: Apache-2.0
// Products of cuBLASLt: column-major matrices of fp32, fp16 and bf16, fp32 sums, an optional bias. The first proposal
// of the heuristic cannot be used.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <cublasLt.h>

#include "core/elements/float16.hpp"
#include "runtime.hpp"
#include "stream.hpp"

struct cublasLtContext {
  int device = 0;
};

namespace fake_gpu {
namespace {

constexpr std::uint64_t working_algorithm = 0xB1A5;

struct Layout {
  cudaDataType_t type = CUDA_R_32F;
  std::int64_t rows = 0, columns = 0, leading = 0;
  [[nodiscard]] std::size_t element_bytes() const { return type == CUDA_R_32F ? 4 : 2; }
  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>((columns - 1) * leading + rows) * element_bytes();
  }
};
struct Operation {
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  std::int32_t bias_type = -1;
};
struct Preference {
  std::uint64_t workspace_bytes = 0;
};

Layout& of(cublasLtMatrixLayout_t l) { return *reinterpret_cast<Layout*>(l); }
Operation& of(cublasLtMatmulDesc_t d) { return *reinterpret_cast<Operation*>(d); }

float load(cudaDataType_t type, const void* from, std::int64_t at) {
  if (type == CUDA_R_32F) return static_cast<const float*>(from)[at];
  const std::uint16_t bits = static_cast<const std::uint16_t*>(from)[at];
  return type == CUDA_R_16F ? busbar::to_float(busbar::Half{bits}) : busbar::to_float(busbar::BFloat16{bits});
}
void store(cudaDataType_t type, void* to, std::int64_t at, float value) {
  if (type == CUDA_R_32F)
    static_cast<float*>(to)[at] = value;
  else
    static_cast<std::uint16_t*>(to)[at] =
        type == CUDA_R_16F ? busbar::to_half(value).bits : busbar::to_bfloat16(value).bits;
}

bool known(cudaDataType_t type) { return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF; }

/// Whether sizes and types go together.
bool fits(const Operation& o, const Layout& a, const Layout& b, const Layout& d) {
  const std::int64_t m = o.a == CUBLAS_OP_N ? a.rows : a.columns, k = o.a == CUBLAS_OP_N ? a.columns : a.rows;
  const std::int64_t n = o.b == CUBLAS_OP_N ? b.columns : b.rows, l = o.b == CUBLAS_OP_N ? b.rows : b.columns;
  return m == d.rows && n == d.columns && k == l && known(a.type) && a.type == b.type && known(d.type) &&
         (d.type == a.type || d.type == CUDA_R_32F) && a.leading >= a.rows && b.leading >= b.rows &&
         d.leading >= d.rows;
}

struct Pointers {
  const void *a, *b;
  void* d;
};

void multiply(const Operation& o, const Layout& a, const Layout& b, const Layout& d, const Pointers& p, float alpha) {
  const std::int64_t depth = o.a == CUBLAS_OP_N ? a.columns : a.rows;
  std::vector<float> left(static_cast<std::size_t>(d.rows * depth));  // row by row
  for (std::int64_t i = 0; i < d.rows; ++i)
    for (std::int64_t k = 0; k < depth; ++k)
      left[static_cast<std::size_t>(i * depth + k)] =
          load(a.type, p.a, o.a == CUBLAS_OP_N ? i + k * a.leading : k + i * a.leading);
  std::vector<float> right(static_cast<std::size_t>(depth));
  for (std::int64_t j = 0; j < d.columns; ++j) {
    for (std::int64_t k = 0; k < depth; ++k)
      right[static_cast<std::size_t>(k)] =
          load(b.type, p.b, o.b == CUBLAS_OP_N ? k + j * b.leading : j + k * b.leading);
    for (std::int64_t i = 0; i < d.rows; ++i) {
      float sum = 0;
      for (std::size_t k = 0; k < right.size(); ++k) sum += left[static_cast<std::size_t>(i * depth) + k] * right[k];
      if (o.epilogue == CUBLASLT_EPILOGUE_BIAS)
        sum = alpha * sum + load(d.type, o.bias, i);
      else
        sum *= alpha;
      store(d.type, p.d, i + j * d.leading, sum);
    }
  }
}

bool on_device(const void* at, std::size_t bytes) {
  try {
    return memory_of(at, bytes) == Memory::device;
  } catch (const Failure&) {
    return false;
  }
}

}  // namespace
}  // namespace fake_gpu

using namespace fake_gpu;

extern "C" {

size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
const char* cublasLtGetStatusString(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS ? "success" : "the fake cuBLASLt refuses";
}
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t leading) {
  *layout = reinterpret_cast<cublasLtMatrixLayout_t>(new Layout{.type = type,
                                                                .rows = static_cast<std::int64_t>(rows),
                                                                .columns = static_cast<std::int64_t>(columns),
                                                                .leading = leading});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(const cublasLtMatrixLayout_t layout) {
  delete &of(layout);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* operation, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  if (compute != CUBLAS_COMPUTE_32F || scale != CUDA_R_32F) return CUBLAS_STATUS_NOT_SUPPORTED;
  *operation = reinterpret_cast<cublasLtMatmulDesc_t>(new Operation);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(const cublasLtMatmulDesc_t operation) {
  delete &of(operation);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t name,
                                              const void* value, size_t bytes) {
  Operation& o = of(operation);
  const auto take = [&](auto& to) {
    if (bytes != sizeof to) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&to, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
  };
  if (name == CUBLASLT_MATMUL_DESC_TRANSA) return take(o.a);
  if (name == CUBLASLT_MATMUL_DESC_TRANSB) return take(o.b);
  if (name == CUBLASLT_MATMUL_DESC_EPILOGUE) return take(o.epilogue);
  if (name == CUBLASLT_MATMUL_DESC_BIAS_POINTER) return take(o.bias);
  if (name == CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE) return take(o.bias_type);
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = reinterpret_cast<cublasLtMatmulPreference_t>(new Preference);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(const cublasLtMatmulPreference_t preference) {
  delete reinterpret_cast<Preference*>(preference);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t name, const void* value,
                                                    size_t bytes) {
  if (name != CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES || bytes != sizeof(std::uint64_t))
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&reinterpret_cast<Preference*>(preference)->workspace_bytes, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int most,
                                              cublasLtMatmulHeuristicResult_t results[], int* count) {
  *count = 0;
  if (handle == nullptr || preference == nullptr || c == nullptr || most < 1) return CUBLAS_STATUS_INVALID_VALUE;
  const Operation& o = of(operation);
  const bool bias_fits = o.epilogue == CUBLASLT_EPILOGUE_DEFAULT ||
                         (o.epilogue == CUBLASLT_EPILOGUE_BIAS && o.bias != nullptr && o.bias_type == of(d).type);
  if (!fits(o, of(a), of(b), of(d)) || !bias_fits) return CUBLAS_STATUS_NOT_SUPPORTED;
  for (int i = 0; i < std::min(most, 2); ++i) {
    results[i] = {};
    results[i].state = i == 0 && most > 1 ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_SUCCESS;
    results[i].algo.data[0] = results[i].state == CUBLAS_STATUS_SUCCESS ? working_algorithm : 0;
    ++*count;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                              const void* beta, const void* c, cublasLtMatrixLayout_t, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                              size_t workspace_bytes, cudaStream_t stream) {
  if (handle == nullptr || algorithm == nullptr || algorithm->data[0] != working_algorithm || c == nullptr ||
      *static_cast<const float*>(beta) != 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Operation o = of(operation);
  const Layout la = of(a_layout), lb = of(b_layout), ld = of(d_layout);
  if (!fits(o, la, lb, ld)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool there = on_device(a, la.bytes()) && on_device(b, lb.bytes()) && on_device(d, ld.bytes()) &&
                     (workspace_bytes == 0 || on_device(workspace, workspace_bytes)) &&
                     (o.bias == nullptr || on_device(o.bias, static_cast<std::size_t>(ld.rows) * ld.element_bytes()));
  if (!there) return CUBLAS_STATUS_EXECUTION_FAILED;
  try {
    submit(stream, [=, factor = *static_cast<const float*>(alpha)] {
      return [=] { multiply(o, la, lb, ld, {.a = a, .b = b, .d = d}, factor); };
    });
  } catch (const Failure&) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"
