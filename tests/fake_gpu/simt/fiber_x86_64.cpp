// SPDX-License-Identifier: Apache-2.0
#include <new>

#include <sys/mman.h>

#include "fiber.hpp"

// Saves what a call must keep (System V ABI, x86-64) and the stack pointer in *from; goes on at `to`.
extern "C" void fake_gpu_switch_stack(void** from, void* to);
asm(R"(
.text
.globl fake_gpu_switch_stack
.hidden fake_gpu_switch_stack
.type fake_gpu_switch_stack, @function
fake_gpu_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size fake_gpu_switch_stack, . - fake_gpu_switch_stack
.globl fake_gpu_start_fiber
.hidden fake_gpu_start_fiber
.type fake_gpu_start_fiber, @function
fake_gpu_start_fiber:
  movq %r12, %rdi
  callq *%rbx
  ud2
.size fake_gpu_start_fiber, . - fake_gpu_start_fiber
)");
extern "C" void fake_gpu_start_fiber();

namespace fake_gpu {
namespace {

constexpr std::size_t stack_bytes = std::size_t{128} << 10U;
constexpr std::size_t guard_bytes = 4096;

}  // namespace

Fiber::Fiber(void (*function)(void*), void* argument) : function_(function), argument_(argument) {
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const memory = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, guard_bytes, PROT_NONE);  // a stack that is too short ends the process, not other memory
  memory_ = static_cast<std::byte*>(memory);
  restart();
}

Fiber::~Fiber() { munmap(memory_, stack_bytes); }

void Fiber::restart() {
  auto** top = reinterpret_cast<void**>(memory_ + stack_bytes) - 9;  // 16-byte aligned where start_fiber begins
  top[0] = top[1] = top[2] = nullptr;                                // r15, r14, r13
  top[3] = argument_;                                                // r12
  top[4] = reinterpret_cast<void*>(function_);                       // rbx
  top[5] = nullptr;                                                  // rbp
  top[6] = reinterpret_cast<void*>(&fake_gpu_start_fiber);
  top[7] = nullptr;
  inside_ = static_cast<void*>(top);
}

void Fiber::enter() { fake_gpu_switch_stack(&outside_, inside_); }

void Fiber::leave() { fake_gpu_switch_stack(&inside_, outside_); }

}  // namespace fake_gpu
