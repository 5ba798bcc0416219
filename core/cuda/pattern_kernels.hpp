// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <cuda_runtime_api.h>

/// Writes and compares periodic patterns on the device. `Word`: an unsigned integer as wide as an element; elements are
/// only moved and compared, so their type does not matter. Grids may have any size.
namespace busbar::cuda {

/// to[i] = table[(start + i) % period] for i < count. start < period.
template <class Word>
__global__ void fill_periodic(Word* to, std::uint64_t count, const Word* table, std::uint32_t period,
                              std::uint32_t start);

/// to[from + k * every] = value for all such indices below count.
template <class Word>
__global__ void fill_strided(Word* to, std::uint64_t count, std::uint64_t every, std::uint64_t from, Word value);

/// Sets *first to the minimum of itself and all i = k * every < count with in[i] != table[(start + i) % period].
template <class Word>
__global__ void find_difference(const Word* in, std::uint64_t count, std::uint64_t every, const Word* table,
                                std::uint32_t period, std::uint32_t start, unsigned long long* first);

/// values[i] = values[i] / divisor: integers truncate, floating types round correctly; 16-bit and 8-bit floating types
/// are divided in fp32.
template <class T>
__global__ void divide_by(T* values, std::uint64_t count, int divisor);

}  // namespace busbar::cuda
