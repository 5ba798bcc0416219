// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/columns.hpp"

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar::gpu {
namespace {

std::uint64_t quotient_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// At most `most_columns` vectors per tile and about `blocks` blocks in total.
Columns divide(std::uint64_t rows, std::uint32_t channels, unsigned threads, std::uint32_t most_columns,
               std::uint64_t blocks) {
  Columns c{.rows = rows, .channels = channels};
  c.vectors = channels / static_cast<std::uint32_t>(vector_of(channels));
  c.columns = std::min(c.vectors, most_columns);
  c.lanes = threads / c.columns;
  c.tiles = (c.vectors + c.columns - 1) / c.columns;
  c.chunks = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(quotient_up(rows, c.lanes), 1, quotient_up(blocks, c.tiles)));
  return c;
}

}  // namespace

unsigned multiprocessors() {
  int device = 0, count = 1;
  cuda::check(cudaGetDevice(&device), "cudaGetDevice");
  cuda::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  return static_cast<unsigned>(count);
}

Columns columns_to_map(std::uint64_t rows, std::uint32_t channels, unsigned blocks) {
  return divide(rows, channels, map_threads, map_threads, std::uint64_t{multiprocessors()} * blocks);
}

Columns columns_to_sum(std::uint64_t rows, std::uint32_t channels) {
  const Columns c = divide(rows, channels, sum_threads, sum_width / static_cast<std::uint32_t>(vector_of(channels)),
                           std::uint64_t{multiprocessors()} * sum_blocks);
  if (c.tiles > tickets)
    throw Error(
        fmt::format("{} channels are more than the {} that columns are added up for", channels, tickets * sum_width));
  return c;
}

cuda::Grid grid_of(const Columns& columns, unsigned threads) {
  return {.blocks = columns.tiles * columns.chunks, .threads = threads};
}

cuda::Grid grid_of_pixels(std::uint64_t images, std::uint64_t pixels, std::uint32_t channels) {
  const std::uint64_t items = images * pixels * (channels / static_cast<std::uint32_t>(vector_of(channels)));
  if (items > std::numeric_limits<std::uint32_t>::max())
    throw Error("a pooling layer has more than 2^32 vectors of channels; a smaller batch has fewer");
  return cuda::grid_over(items);
}

std::size_t scratch_bytes(std::uint64_t channels, std::uint64_t images) {
  const std::uint64_t tiles = quotient_up(std::max<std::uint64_t>(channels, 1), sum_width);
  const std::uint64_t blocks = std::uint64_t{multiprocessors()} * sum_blocks + tiles;
  return (tickets + std::max(2 * sum_width * blocks, images)) * sizeof(float);
}

}  // namespace busbar::gpu
