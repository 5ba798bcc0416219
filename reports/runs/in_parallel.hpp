// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>

namespace busbar::report {

/// Calls work(0) ... work(count - 1), in any order, on one thread per CPU, but at least `least` (for work that waits,
/// for a disk), and waits for all. Then throws what the first of them by number threw.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work, std::size_t least = 1);

}  // namespace busbar::report
