// SPDX-License-Identifier: Apache-2.0
#include "core/machine/usage.hpp"

#include <algorithm>

namespace busbar {
namespace {

template <class T, class Operation>
std::optional<T> both(const std::optional<T>& a, const std::optional<T>& b, Operation operation) {
  return a && b ? std::optional<T>(operation(*a, *b)) : std::nullopt;
}

/// Applies `operation` to each number of two usages.
template <class Operation>
Usage combine(const Usage& a, const Usage& b, Operation operation) {
  return {.wall_s = operation(a.wall_s, b.wall_s),
          .cpu_s = operation(a.cpu_s, b.cpu_s),
          .waited_s = both(a.waited_s, b.waited_s, operation),
          .voluntary = operation(a.voluntary, b.voluntary),
          .involuntary = operation(a.involuntary, b.involuntary),
          .host_busy_s = both(a.host_busy_s, b.host_busy_s, operation),
          .host_stolen_s = both(a.host_stolen_s, b.host_stolen_s, operation),
          .throttled = both(a.throttled, b.throttled, operation)};
}

}  // namespace

Usage& Usage::operator+=(const Usage& more) {
  return *this = wall_s == 0 ? more : combine(*this, more, [](auto a, auto b) { return a + b; });
}

/// Clamps at 0: the kernel's counters of idle and stolen time can step back by a tick.
Usage operator-(const Usage& after, const Usage& before) {
  return combine(after, before, [](auto a, auto b) { return a - std::min(a, b); });
}

std::optional<double> lost_s(const Usage& usage) {
  if (usage.voluntary > 0 || !usage.waited_s) return std::nullopt;
  return std::max(0.0, usage.wall_s - usage.cpu_s - *usage.waited_s);
}

}  // namespace busbar
