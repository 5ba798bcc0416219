// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device_memory.hpp"

#include <gtest/gtest.h>

namespace busbar::cuda {
namespace {

constexpr std::size_t elements = 8;

std::optional<std::size_t> difference(GpuMemory& memory, const Buffer& in, const Periodic& expected) {
  std::string found;
  return memory.first_difference({in.get(), elements}, expected, found, DType::u8, 1);
}

/// A table for as long as its owner wants it, at an address that outlives it.
std::shared_ptr<const Table> lent(const Table& table) {
  return {&table, [](const Table*) {}};
}

class OnTheGpu : public testing::Test {
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no GPU";
  }
};

TEST_F(OnTheGpu, ReloadsATableAtAReusedAddress) {
  GpuMemory memory{Device{}};
  const Buffer in = memory.allocate(elements);
  Table table(elements, std::byte{1});
  memory.fill({in.get(), elements}, {.table = lent(table)});
  EXPECT_EQ(difference(memory, in, {.table = lent(table)}), std::nullopt);
  table[5] = std::byte{2};
  EXPECT_EQ(difference(memory, in, {.table = lent(table)}), 5U);
}

TEST_F(OnTheGpu, KeepsATableWhileItsOwnerLives) {
  GpuMemory memory{Device{}};
  const Buffer in = memory.allocate(elements);
  const auto ones = std::make_shared<const Table>(elements, std::byte{1});
  memory.fill({in.get(), elements}, {.table = ones});
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(difference(memory, in, {.table = std::make_shared<const Table>(elements, std::byte{3})}), 0U);
  EXPECT_EQ(difference(memory, in, {.table = ones}), std::nullopt);
}

}  // namespace
}  // namespace busbar::cuda
