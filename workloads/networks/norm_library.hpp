// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace busbar {

/// Whose kernels compute a batch norm on a GPU.
enum class NormLibrary {
  own,      ///< ours
  cudnn,    ///< cuDNN's wherever it offers a plan that computes the same as ours; else ours
  fastest,  ///< of the two, where cuDNN offers one, the one that took less time on the layer's own data
};

}  // namespace busbar
