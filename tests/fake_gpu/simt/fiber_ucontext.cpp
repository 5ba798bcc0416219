// SPDX-License-Identifier: Apache-2.0
// For processors other than x86-64. Each switch is a system call or two.
#include <cstdint>
#include <memory>

#include <ucontext.h>

#include "fiber.hpp"

namespace fake_gpu {
namespace {

constexpr std::size_t stack_bytes = std::size_t{128} << 10U;

ucontext_t& context(void* pointer) { return *static_cast<ucontext_t*>(pointer); }

// makecontext hands over ints only.
struct Start {
  void (*function)(void*);
  void* argument;
};
thread_local Start start_of_next = {};

void begin() {
  const auto start = start_of_next;
  start.function(start.argument);
}

}  // namespace

Fiber::Fiber(void (*function)(void*), void* argument)
    : function_(function), argument_(argument), memory_(new std::byte[stack_bytes]) {
  inside_ = new ucontext_t;
  outside_ = new ucontext_t;
  restart();
}

Fiber::~Fiber() {
  delete static_cast<ucontext_t*>(inside_);
  delete static_cast<ucontext_t*>(outside_);
  delete[] memory_;
}

void Fiber::restart() {
  getcontext(&context(inside_));
  context(inside_).uc_stack.ss_sp = memory_;
  context(inside_).uc_stack.ss_size = stack_bytes;
  context(inside_).uc_link = nullptr;
  makecontext(&context(inside_), begin, 0);
}

void Fiber::enter() {
  start_of_next = {function_, argument_};
  swapcontext(&context(outside_), &context(inside_));
}

void Fiber::leave() { swapcontext(&context(inside_), &context(outside_)); }

}  // namespace fake_gpu
