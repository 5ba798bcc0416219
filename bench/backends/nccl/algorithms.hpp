// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace busbar {

/// Throws Unsupported where NCCL has no such algorithm for the collective, as it would else end the communicator. Names
/// that are not known here are left to NCCL. `algorithm` as BackendOptions has it. Source: NCCL documentation,
/// NCCL_ALGO; ncclTopoTuneModel in its sources.
void require_algorithm(std::string_view collective, std::string_view algorithm);

}  // namespace busbar
