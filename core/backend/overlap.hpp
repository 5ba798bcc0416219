// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include "core/base/enum_words.hpp"

namespace busbar {

/// How a call is made.
enum class CallForm {
  plain,        ///< one function that returns when the call is complete
  nonblocking,  ///< started, then waited for
  persistent,   ///< prepared once, then started and waited for each time
};
[[nodiscard]] constexpr auto words_of(CallForm) {
  return std::to_array<std::string_view>({"plain", "nonblocking", "persistent"});
}

/// What advances a started call while this rank works.
enum class Advance {
  library,  ///< the library alone
  poll,     ///< this rank: it tests the call between parts of its work
  thread,   ///< another thread of this process, which tests the call all the time
};
[[nodiscard]] constexpr auto words_of(Advance) {
  return std::to_array<std::string_view>({"library", "poll", "thread"});
}

/// A call that this rank has started and not yet waited for.
class Started {
 public:
  Started() = default;
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  virtual ~Started() = default;
  /// Lets the library advance the call. True if it is complete on this rank; then it must not be tested again. By one
  /// thread at a time. Throws Error.
  virtual bool test() = 0;
};

/// Work of an adjustable amount, to be done beside calls: by a CPU, or by a GPU. Local.
class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;
  /// Sets the amount: `seconds` at the present speed, which it measures first. Throws Error.
  virtual void set(double seconds) = 0;
  [[nodiscard]] virtual int steps() const = 0;
  /// Does `steps` of the work and returns when they are done. Throws Error.
  virtual void run(int steps) = 0;
  /// Whether the work costs the same in parts.
  [[nodiscard]] virtual bool divisible() const { return true; }
};

/// Work of this rank between start and wait of a call.
class Beside {
 public:
  Beside() = default;
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  virtual ~Beside() = default;
  /// Returns when the work is done; no thread tests the call any more. Throws what `call` throws.
  virtual void work_beside(Started& call) = 0;
};

}  // namespace busbar
