// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

namespace busbar::onednn {

/// Lets oneDNN's primitives compute with this many threads of the process, at least while the result lives. oneDNN is
/// built for one threading runtime, named in its header (DNNL_CPU_THREADING_RUNTIME): threads_omp.cpp, threads_tbb.cpp
/// or threads_seq.cpp. Throws UsageError where the runtime has no threads and more than one is requested.
[[nodiscard]] std::shared_ptr<void> limit_threads(int threads);

}  // namespace busbar::onednn
