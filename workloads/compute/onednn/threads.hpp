// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

namespace busbar::onednn {

/// Lets oneDNN's primitives compute with this many threads of the process, at least while the result lives. oneDNN is
/// built for one runtime, named in its header (DNNL_CPU_RUNTIME): threads_omp.cpp, threads_tbb.cpp (also for SYCL) or
/// threads_seq.cpp. Throws UsageError where the runtime cannot have this number.
[[nodiscard]] std::shared_ptr<void> limit_threads(int threads);

}  // namespace busbar::onednn
