// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/environment/host.hpp"

/// Facts of the machine that affect measurements, read from /proc and /sys. Runs no programs and reads only files.
namespace busbar {

/// Facts of this host. `root` is the parent of /proc, /sys and /etc: "/", or a fake tree in tests.
/// Never throws: a fact stays empty if its file is missing or malformed.
[[nodiscard]] Host read_host(const std::filesystem::path& root = "/");

/// CPUs that this job's processes may use on this host: the online CPUs, or fewer if a control group (of a container or
/// Slurm job) has fewer. Ignores this process's binding, which may be a single core.
[[nodiscard]] std::optional<int> usable_cpus(const std::filesystem::path& root = "/");

/// Bytes that can be allocated without swapping: MemAvailable, or the memory left in this process's cgroups if that is
/// less. Page cache that the kernel would reclaim counts as left. Empty if neither can be read.
[[nodiscard]] std::optional<std::uint64_t> available_memory(const std::filesystem::path& root = "/");

/// True for variables that a record may contain: settings of MPI libraries (core/mpi_library/mpi_library.hpp), NCCL_*,
/// UCX_*, FI_*, CUDA_VISIBLE_DEVICES, and sizes in SLURM_*. False for what mpirun passes to its own processes (job ids,
/// addresses, session folders), parameters that forward other variables, and names of secrets. No other variable is
/// ever written.
[[nodiscard]] bool environment_allowed(const std::string& name);

/// The variables of this process that pass environment_allowed(), without secrets. Values are cut at 4096 bytes.
[[nodiscard]] std::map<std::string, std::string> read_environment();

/// CPU list in the kernel's format: "0-3,8" for {0,1,2,3,8}.
[[nodiscard]] std::string format_cpu_list(const std::vector<int>& cpus);

/// CPUs that the calling thread may run on, ascending.
[[nodiscard]] std::vector<int> affinity();

}  // namespace busbar
