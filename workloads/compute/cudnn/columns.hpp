// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/cuda/launch.hpp"

/// Division of a matrix [rows, channels], with adjacent channels in memory, among the threads of a grid. This is the
/// host side; see column_threads.hpp for the device side.
namespace busbar::gpu {

/// A thread handles one vector of channels and a subset of the rows, so a channel's values stay in its registers. A
/// block covers `lanes` rows of `columns` vectors. Blocks form `tiles` columns and `chunks` rows and step down the
/// matrix together.
struct Columns {
  std::uint64_t rows = 0;
  std::uint32_t channels = 0, vectors = 0;
  std::uint32_t columns = 1, lanes = 1, tiles = 1, chunks = 1;
};

/// Threads per block, and resident blocks per multiprocessor, limited by registers. Grids launch about that many
/// blocks, so that each thread reads its channels' constants only once.
inline constexpr unsigned map_threads = 256, apply_blocks = 4, gradient_blocks = 3, sum_threads = 384, sum_blocks = 2;
inline constexpr std::uint32_t sum_width = 64;  ///< channels per tile in column sums

/// Elements per access: 8 if the channel count allows it, else 1.
[[nodiscard]] inline int vector_of(std::uint32_t channels) { return channels % 8 == 0 ? 8 : 1; }
/// For elementwise kernels, launched with map_threads. `blocks` is apply_blocks or gradient_blocks.
[[nodiscard]] Columns columns_to_map(std::uint64_t rows, std::uint32_t channels, unsigned blocks);
/// For column sums, launched with sum_threads. Throws Error if the channels need more tickets than scratch has.
[[nodiscard]] Columns columns_to_sum(std::uint64_t rows, std::uint32_t channels);
[[nodiscard]] cuda::Grid grid_of(const Columns& columns, unsigned threads);
/// For pooling: one thread per vector of channels. Throws Error above 2^32 vectors: kernels use 32-bit indices, since
/// 64-bit divisions would cost more than the memory traffic.
[[nodiscard]] cuda::Grid grid_of_pixels(std::uint64_t images, std::uint64_t pixels, std::uint32_t channels);
/// Multiprocessors of the current device.
[[nodiscard]] unsigned multiprocessors();

/// Bytes of `scratch` for up to that many channels (norm, column sums) and images (loss). The caller zeroes it once;
/// each call leaves it ready for the next. Calls that share it must run in order.
[[nodiscard]] std::size_t scratch_bytes(std::uint64_t channels, std::uint64_t images);
/// Number of counters at the start of `scratch`: finished blocks per tile, 0 between calls. Sums follow.
inline constexpr std::size_t tickets = 1024;

}  // namespace busbar::gpu
