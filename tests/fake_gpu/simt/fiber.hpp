// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace fake_gpu {

/// A stack of its own, on which a function runs until it leaves, and goes on where it left when entered again.
class Fiber {
 public:
  /// \throws std::bad_alloc
  explicit Fiber(void (*function)(void*), void* argument);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// From outside: runs the function until it leaves. It must never return.
  void enter();
  /// From inside: gives control back to where `enter` was called.
  void leave();
  /// Begins anew at the next `enter`, whatever was on the stack. Only from outside.
  void restart();

 private:
  void (*function_)(void*);
  void* argument_;
  std::byte* memory_;
  void* inside_ = nullptr;  // where to go on: the saved stack pointer, or what the implementation keeps there
  void* outside_ = nullptr;
};

}  // namespace fake_gpu
