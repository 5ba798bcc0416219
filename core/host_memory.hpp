// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

#include "core/backend.hpp"

namespace busbar {

/// What every backend that communicates from host memory shares.
class HostBackend : public Backend {
 public:
  [[nodiscard]] std::string_view memory() const override { return "host"; }
  [[nodiscard]] double elapsed_s() override { return std::chrono::duration<double>(end_ - begin_).count(); }
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  void fill(Bytes to, const Periodic& with) override;
  void poison(Bytes to, DType type) override;
  [[nodiscard]] std::optional<std::size_t> first_difference(ConstBytes in, const Periodic& expected, std::string& found,
                                                            DType type) override;

 protected:
  /// Runs `call`, which returns when it is complete, and takes the time around it.
  template <class F>
  auto timed(F&& call) {
    begin_ = Clock::now();
    auto result = call();
    end_ = Clock::now();
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_, end_;
};

}  // namespace busbar
