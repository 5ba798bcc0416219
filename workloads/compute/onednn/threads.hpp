// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

namespace busbar::onednn {

/// Limits oneDNN's primitives to this many threads of the process, at least while the result lives. oneDNN is built for
/// one threading runtime (DNNL_CPU_RUNTIME in its header), implemented in threads_omp.cpp, threads_tbb.cpp (also SYCL)
/// or threads_seq.cpp. Throws UsageError if the runtime does not support this number.
[[nodiscard]] std::shared_ptr<void> limit_threads(int threads);

}  // namespace busbar::onednn
