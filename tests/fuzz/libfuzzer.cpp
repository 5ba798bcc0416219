// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/require.hpp"

/// Called by libFuzzer with each input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  busbar::fuzz::check_input({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Called by libFuzzer in place of its own mutator, which does seven of eight mutations. The eighth inserts something
/// deep, wide or long, which byte mutations do not find.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  std::mt19937_64 random(seed);
  if (random() % 8 != 0) return LLVMFuzzerMutate(data, size, most);
  std::string text(data, data + size);
  busbar::fuzz::put_structure(text, random);
  text.resize(std::min(text.size(), most));
  std::ranges::copy(text, data);
  return text.size();
}
