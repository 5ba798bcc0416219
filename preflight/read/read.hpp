// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "preflight/facts/facts.hpp"

/// Reads facts about a rank and its host, without other ranks. Unreadable values stay empty and cause no exception.
/// `root`: as in read_host().
namespace busbar::preflight {

/// Works before MPI_Init; `world` and `rank` come from the launcher.
[[nodiscard]] Identity read_identity();
/// Without the MPI library.
[[nodiscard]] Versions read_versions();
/// Without clock offsets. Queries NVML for GPUs; sets `nvml_problem` to the reason if that fails.
[[nodiscard]] HostFacts read_host_facts(std::optional<std::string>& nvml_problem);
[[nodiscard]] Limits read_limits();
[[nodiscard]] Place read_place(const std::filesystem::path& root = "/");
/// GPU of the rank with index `place` (from 0) on its host, as busbar-bench chooses it; from the CUDA driver if there
/// is one, else from CUDA_VISIBLE_DEVICES and NVML order.
[[nodiscard]] GpuOfRank read_gpu(int place);

[[nodiscard]] std::vector<RdmaDevicePort> read_rdma(const std::filesystem::path& root = "/");

}  // namespace busbar::preflight
