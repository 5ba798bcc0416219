// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>

#include "stream.hpp"

namespace fake_gpu {

/// All streams, events and graphs. One lock makes the changes of a call atomic.
struct Registry {
  std::recursive_mutex mutex;
  std::map<CUstream_st*, std::unique_ptr<CUstream_st>> streams;
  std::vector<std::pair<int, std::shared_ptr<Queue>>> destroyed;  ///< by device; their work may still go on
  std::map<int, std::unique_ptr<CUstream_st>> default_streams;    ///< by device
  std::map<CUevent_st*, std::shared_ptr<CUevent_st>> events;      ///< graphs hold what they record
  unsigned long long captures = 0;
};

Registry& registry();

/// The stream of a handle. Call with the lock held. \throws Failure where there is none.
CUstream_st& find(cudaStream_t stream);

/// Gives `node` its place: in the queue, after the default stream where the stream heeds it, or in the capture.
/// Call with the lock held.
void place(CUstream_st& stream, Node node);

}  // namespace fake_gpu
