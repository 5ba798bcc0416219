// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "workloads/networks/model.hpp"
#include "workloads/networks/network.hpp"

namespace busbar {

/// Gradients of a network's parameters in the order in which backward produces them, ready by the operations of
/// backward; layers of which no operations are counted (norms) take no time.
[[nodiscard]] std::vector<Gradient> gradients_in_order(const Network& network);

}  // namespace busbar
