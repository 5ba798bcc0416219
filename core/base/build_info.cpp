// SPDX-License-Identifier: Apache-2.0
#include "core/base/build_info.hpp"

namespace busbar {

std::string_view version() { return BUSBAR_VERSION; }
std::string_view compiler() { return BUSBAR_COMPILER; }
std::string_view build_type() { return BUSBAR_BUILD_TYPE; }

std::string_view missing_for_module(std::string_view name) {
  if (name == "http") return BUSBAR_HTTP_MISSING;
  constexpr std::string_view cuda = BUSBAR_GPU_MISSING, nccl = BUSBAR_NCCL_MISSING, cudnn = BUSBAR_CUDNN_MISSING;
  if (name == "cairo") return BUSBAR_CAIRO_MISSING;
  if (!cuda.empty() || name == "cuda") return cuda;
  return !nccl.empty() || name == "nccl" ? nccl : cudnn;
}

}  // namespace busbar
