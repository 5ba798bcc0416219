// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "core/cuda/stream.hpp"

namespace busbar::cuda {

/// Holds a stream until the host opens it: what is given to the stream meanwhile is launched, and runs then. A value in
/// pinned memory for which the stream waits (CUDA driver API, "Stream Memory Operations"), so that opening is one
/// store.
class Gate {
 public:
  /// What comes later in `stream` waits for open(). Throws Error.
  void close(const Stream& stream);
  void open() noexcept;

 private:
  friend std::optional<Gate> make_gate();
  Gate();
  struct Free {
    void operator()(std::uint32_t* p) const { cudaFreeHost(p); }
  };
  std::unique_ptr<std::uint32_t, Free> value_;  ///< on the host
  std::uint64_t on_device_ = 0;                 ///< its address there
  std::uint32_t turn_ = 0;                      ///< the value that opens it
};

/// On the current device. Empty where its driver has no such wait; throws Error where there is no memory.
[[nodiscard]] std::optional<Gate> make_gate();

}  // namespace busbar::cuda
