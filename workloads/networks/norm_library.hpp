// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace busbar {

/// Which library computes batch norm on a GPU.
enum class NormLibrary {
  own,      ///< our kernels
  cudnn,    ///< cuDNN if one of its plans matches our results; else ours
  fastest,  ///< the faster of ours and a matching cuDNN plan, timed on the layer's data
};

}  // namespace busbar
