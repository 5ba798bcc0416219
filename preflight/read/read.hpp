// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "preflight/facts.hpp"

/// What a rank finds out about itself and its host, without other ranks. Nothing here throws for what cannot be read:
/// that stays empty. `root` as for read_host().
namespace busbar::preflight {

/// MPI need not be initialised; `world` and `rank` are the launcher's then.
[[nodiscard]] Identity read_identity();
/// Without MPI's.
[[nodiscard]] Versions read_versions();
/// Without its clock. Asks NVML where there are GPUs; `nvml_problem` says why it could not.
[[nodiscard]] HostFacts read_host_facts(std::optional<std::string>& nvml_problem);
[[nodiscard]] Limits read_limits();
[[nodiscard]] Place read_place(const std::filesystem::path& root = "/");
/// What the rank that is the `place`-th of its host (from 0) would measure with, as busbar-bench chooses; with
/// CUDA's driver where there is one, else from CUDA_VISIBLE_DEVICES and NVML's order.
[[nodiscard]] GpuOfRank read_gpu(int place);

[[nodiscard]] std::vector<RdmaDevicePort> read_rdma(const std::filesystem::path& root = "/");

}  // namespace busbar::preflight
