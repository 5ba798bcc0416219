// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "core/cuda/stream.hpp"

namespace busbar::cuda {

/// Blocks a stream until the host opens the gate: work is launched meanwhile, but runs only then. The stream waits for
/// a value in pinned memory (CUDA driver API, "Stream Memory Operations"), so opening is one store.
class Gate {
 public:
  /// Later work in `stream` waits for open(). Throws Error.
  void close(const Stream& stream);
  void open() noexcept;

 private:
  friend std::optional<Gate> make_gate();
  Gate();
  struct Free {
    void operator()(std::uint32_t* p) const { cudaFreeHost(p); }
  };
  std::unique_ptr<std::uint32_t, Free> value_;  ///< on the host
  std::uint64_t on_device_ = 0;                 ///< its address on the device
  std::uint32_t turn_ = 0;                      ///< the value that opens the gate
};

/// On the current device. Empty if its driver lacks this wait. Throws std::bad_alloc if memory is short.
[[nodiscard]] std::optional<Gate> make_gate();

}  // namespace busbar::cuda
