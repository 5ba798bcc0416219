// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workloads/compute/cudnn/columns.hpp"
#include "workloads/compute/cudnn/packed.hpp"

/// Device code: maps threads to parts of a matrix and combines sums over rows.
namespace busbar::gpu {

/// Sections of `scratch`.
struct Scratch {
  unsigned* ticket;
  float* sums;
  __device__ explicit Scratch(void* memory)
      : ticket(static_cast<unsigned*>(memory)), sums(static_cast<float*>(memory) + tickets) {}
};

/// This thread's part of the matrix.
struct Place {
  std::uint32_t tile, chunk, column, lane;
  std::uint32_t vector;  ///< index of its vector of channels
  bool idle;             ///< has no part of the matrix and only joins barriers
  __device__ explicit Place(const Columns& c)
      : tile(blockIdx.x % c.tiles),
        chunk(blockIdx.x / c.tiles),
        column(threadIdx.x % c.columns),
        lane(threadIdx.x / c.columns),
        vector(tile * c.columns + column),
        idle(lane >= c.lanes || vector >= c.vectors) {}
  [[nodiscard]] __device__ std::uint64_t first_row(const Columns& c) const {
    return chunk * static_cast<std::uint64_t>(c.lanes) + lane;
  }
};
__device__ inline std::uint64_t rows_a_step(const Columns& c) { return c.chunks * static_cast<std::uint64_t>(c.lanes); }

/// Returns true in all threads of the last of `blocks` blocks to arrive; these see all earlier writes of the other
/// blocks (as in threadFenceReduction of NVIDIA's CUDA samples). Resets the ticket to 0.
__device__ inline bool last_to_arrive(unsigned* ticket, unsigned blocks) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(ticket, 1U) == blocks - 1;
    if (last) *ticket = 0;
  }
  __syncthreads();
  if (last) __threadfence();
  return last;
}

__device__ inline void accumulate(float2& sum, const float2& more) {
  sum.x += more.x;
  sum.y += more.y;
}

/// In threads below `width`: returns the sum of slices[s * pitch + thread] over s < count. The order of summation
/// depends only on `count` and `width`. `spare` is shared memory, one element per thread of the block; it may alias
/// `slices`.
__device__ inline float2 total_of(const float2* slices, std::uint32_t count, std::uint64_t pitch, std::uint32_t width,
                                  float2* spare) {
  constexpr std::uint32_t most_groups = 16;
  const std::uint32_t fit = blockDim.x / width, groups = fit < most_groups ? fit : most_groups;
  const std::uint32_t group = threadIdx.x / width, channel = threadIdx.x % width;
  float2 sum{0, 0};
  if (group < groups) {
#pragma unroll 8  // reads in flight: a tile's last block runs alone
    for (std::uint32_t s = group; s < count; s += groups) accumulate(sum, slices[s * pitch + channel]);
  }
  __syncthreads();
  if (group < groups) spare[threadIdx.x] = sum;
  __syncthreads();
  if (group == 0)
    for (std::uint32_t g = 1; g < groups; ++g) accumulate(sum, spare[g * width + channel]);
  return sum;
}

/// Adds up the row sums of all threads, two numbers per channel. The last block of each tile calls finish(channel,
/// sums) once per channel. All threads of the grid must call it.
template <unsigned V, class Finish>
__device__ void add_up_columns(const Columns& c, const Place& at, const float2 (&own)[V], const Scratch& scratch,
                               const Finish& finish) {
  __shared__ float2 shared[sum_threads * V];
  const std::uint32_t width = c.columns * V;
  if (at.lane < c.lanes)
    for (unsigned k = 0; k < V; ++k) shared[(at.lane * c.columns + at.column) * V + k] = own[k];
  __syncthreads();
  const float2 of_block = total_of(shared, c.lanes, width, width, shared);
  const std::uint64_t pitch = static_cast<std::uint64_t>(c.tiles) * width;
  auto* const sums = reinterpret_cast<float2*>(scratch.sums) + at.tile * width;
  if (threadIdx.x < width) sums[at.chunk * pitch + threadIdx.x] = of_block;
  if (!last_to_arrive(scratch.ticket + at.tile, c.chunks)) return;
  const float2 of_all = total_of(sums, c.chunks, pitch, width, shared);
  const std::uint32_t channel = at.tile * width + threadIdx.x;
  if (threadIdx.x < width && channel < c.channels) finish(channel, of_all);
}

}  // namespace busbar::gpu
