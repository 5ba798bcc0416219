// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workloads/compute/onednn.hpp"
#include "workloads/train/worker.hpp"

namespace busbar {

/// Trains a network by oneDNN on this rank's CPU. Throws as make_onednn().
[[nodiscard]] std::unique_ptr<Worker> make_onednn_worker(const Network& network, const OnednnSetup& setup);

/// About what a rank needs to train the network with so many samples at a time, in bytes: what oneDNN keeps from
/// forward to backward and what runs back, and four times the weights (themselves, as they were at first, gradients,
/// momenta).
[[nodiscard]] double bytes_to_train(const Network& network, int batch);

}  // namespace busbar
