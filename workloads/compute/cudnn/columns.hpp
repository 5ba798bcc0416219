// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/cuda/launch.hpp"

/// How the threads of a grid divide a matrix [rows, channels] among themselves, channels beside each other in memory.
/// On the host; what threads make of it is in column_threads.hpp.
namespace busbar::gpu {

/// A thread has one vector of channels and some of the rows, so that what belongs to a channel stays in its registers.
/// A block is `lanes` rows of `columns` vectors; blocks are `tiles` beside each other and `chunks` below each other,
/// and step through the rows together.
struct Columns {
  std::uint64_t rows = 0;
  std::uint32_t channels = 0, vectors = 0;
  std::uint32_t columns = 1, lanes = 1, tiles = 1, chunks = 1;
};

/// Threads of a block, and blocks that a multiprocessor holds at once: what their registers leave room for. Grids have
/// just so many, since what a thread must know of its channels is read once.
inline constexpr unsigned map_threads = 256, apply_blocks = 4, gradient_blocks = 3, sum_threads = 384, sum_blocks = 2;
inline constexpr std::uint32_t sum_width = 64;  ///< channels of a tile where columns are added up

/// 8 where elements can be moved 8 at a time.
[[nodiscard]] inline int vector_of(std::uint32_t channels) { return channels % 8 == 0 ? 8 : 1; }
/// For kernels that give a value for each; launched with map_threads. `blocks` is apply_blocks or gradient_blocks.
[[nodiscard]] Columns columns_to_map(std::uint64_t rows, std::uint32_t channels, unsigned blocks);
/// For kernels that add up columns; launched with sum_threads. Throws Error for more channels than scratch has tickets
/// for.
[[nodiscard]] Columns columns_to_sum(std::uint64_t rows, std::uint32_t channels);
[[nodiscard]] cuda::Grid grid_of(const Columns& columns, unsigned threads);
/// Of the current device.
[[nodiscard]] unsigned multiprocessors();

/// `scratch` of the calls begins with so many counters of finished blocks, one for each tile, 0 between calls; sums
/// follow.
inline constexpr std::size_t tickets = 1024;

}  // namespace busbar::gpu
