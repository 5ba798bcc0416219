// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>

namespace busbar {

/// Puts `items` into an order that depends on `seed` alone: the same on every rank, whatever its standard library
/// (std::shuffle may differ). Fisher and Yates (Knuth, TAOCP 3.4.2, algorithm P).
template <class T>
void shuffle(std::span<T> items, std::uint32_t seed) {
  std::mt19937 draw(seed);
  for (std::size_t left = items.size(); left > 1; --left) std::swap(items[draw() % left], items[left - 1]);
}

}  // namespace busbar
