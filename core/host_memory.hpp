// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/backend.hpp"
#include "core/local_clock.hpp"

namespace busbar {

/// What buffers in host memory are aligned to.
inline constexpr std::size_t page_bytes = 4096;

/// What every backend that communicates from host memory shares.
class HostBackend : public Backend {
 public:
  [[nodiscard]] std::string_view memory() const override { return "host"; }
  [[nodiscard]] Stretch complete() override { return last_; }
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  void fill(Bytes to, const Periodic& with) override;
  void poison(Bytes to, DType type, std::size_t every, std::size_t from) override;
  [[nodiscard]] std::optional<std::size_t> first_difference(ConstBytes in, const Periodic& expected, std::string& found,
                                                            DType type, std::size_t every) override;

 protected:
  /// Runs `once`, which returns when it is complete, c.repeat times and takes the time around all of them. Gives the
  /// first code that is not 0 (after which nothing is repeated), or 0.
  template <class F>
  int timed(const Call& c, F&& once) {
    if (c.repeat > 1) return timed_together(c.repeat, once);
    const std::int64_t begin = steady_ns();
    const int code = once();
    last_ = {.begin_ns = begin, .end_ns = steady_ns()};
    return code;
  }

 private:
  /// Apart from a single call, so that not even the end of a loop lies between that and the clock.
  template <class F>
  int timed_together(int left, F&& once) {
    int code = 0;
    const std::int64_t begin = steady_ns();
    do code = once();
    while (code == 0 && --left > 0);
    last_ = {.begin_ns = begin, .end_ns = steady_ns()};
    return code;
  }

  Stretch last_;
};

}  // namespace busbar
