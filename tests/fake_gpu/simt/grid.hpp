// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <source_location>

#include "tests/fake_gpu/kernel_entry.hpp"

/// Runs the threads of a grid on the calling thread, block after block. A thread runs until it ends or waits for
/// others; only then does another one run.
namespace fake_gpu::simt {

/// Calls `thread` for each thread of each block, with threadIdx and the like set.
/// \throws std::runtime_error where threads of a block wait in different places or some have ended; what `thread`
/// throws.
void run(const Shape& shape, const std::function<void()>& thread);

/// Waits for all threads of the block. Gives how many of them had a `value` other than zero.
int wait_for_block(int value, std::source_location where);

enum class Exchange { synchronize, shuffle, ballot };

/// Waits for the lanes of `mask` in this warp. Gives the value of lane `source`, or the bits of lanes whose value is
/// not zero; 0xCB.. from a lane that takes no part.
std::uint64_t wait_for_warp(Exchange what, std::uint32_t mask, std::uint64_t value, int source,
                            std::source_location where);

/// This thread's place in its warp.
int lane();

}  // namespace fake_gpu::simt
