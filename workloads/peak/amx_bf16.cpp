// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <immintrin.h>

#include "workloads/peak/instructions.hpp"

namespace busbar {
namespace {

constexpr int rows = 16, row_bytes = 64;  ///< maximum size of a tile
constexpr int sums = 4;  ///< tiles; TDPBF16PS has a latency of 52 cycles and a throughput of one per 16

/// Operand of LDTILECFG (Intel SDM, volume 1, "Tile configuration").
struct alignas(64) TileConfiguration {
  std::uint8_t palette = 1, start_row = 0;
  std::array<std::uint8_t, 14> reserved{};
  std::array<std::uint16_t, 16> bytes_per_row{};
  std::array<std::uint8_t, 16> rows{};
};

/// Compiler barrier: g++ 12's tile intrinsics do not declare the memory that they read or write.
void touch(const void* memory) { asm volatile("" ::"r"(memory) : "memory"); }

/// TDPBF16PS: adds 32 bf16 products to each of 16 x 16 fp32 sums.
float multiply_add(std::int64_t rounds) {
  TileConfiguration tiles;
  for (std::size_t t = 0; t < 8; ++t) {
    tiles.bytes_per_row[t] = row_bytes;
    tiles.rows[t] = rows;
  }
  const volatile std::uint32_t unknown = 0x35803580;  // two bf16 values of 2^-20: sums stay finite
  alignas(64) std::array<std::uint32_t, rows * row_bytes / 4> factors{};
  alignas(64) std::array<float, sums * rows * row_bytes / 4> all{};
  factors.fill(static_cast<std::uint32_t>(unknown));
  const void* const configuration = &tiles;
  touch(configuration);
  _tile_loadconfig(configuration);
  const std::uint32_t* const in = factors.data();
  touch(in);
  _tile_loadd(4, in, row_bytes);
  _tile_loadd(5, in, row_bytes);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (std::int64_t r = 0; r < rounds; ++r) {
    _tile_dpbf16ps(0, 4, 5);
    _tile_dpbf16ps(1, 4, 5);
    _tile_dpbf16ps(2, 4, 5);
    _tile_dpbf16ps(3, 4, 5);
  }
  float* const out = all.data();
  _tile_stored(0, out, row_bytes);
  _tile_stored(1, out + 256, row_bytes);
  _tile_stored(2, out + 512, row_bytes);
  _tile_stored(3, out + 768, row_bytes);
  _tile_release();
  touch(out);
  return all[0] + all[256] + all[512] + all[768];
}

}  // namespace

extern constinit const peak::Instructions amx_bf16 = {.name = "AMX-BF16",
                                                      .type = DType::bf16,
                                                      .feature = peak::Feature::amx_bf16,
                                                      .run = &multiply_add,
                                                      .flop_per_round = 2.0 * sums * rows * 16 * 32};

}  // namespace busbar
