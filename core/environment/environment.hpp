// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/environment/host.hpp"

/// Facts of the machine that a measurement depends on, read from /proc and /sys. Nothing is run, nothing but files is
/// read.
namespace busbar {

/// Facts of this host. `root` is where /proc, /sys, /etc are looked for: "/", or a made-up tree in tests.
/// Never throws for a file that is missing or odd: that fact stays empty.
[[nodiscard]] Host read_host(const std::filesystem::path& root = "/");

/// CPUs that processes of this job may run on here: those online, or fewer where a control group (of a container, of a
/// Slurm job) gives fewer. Not how many this process was bound to, which is 1 where each rank has a core of its own.
[[nodiscard]] std::optional<int> usable_cpus(const std::filesystem::path& root = "/");

/// Bytes a new allocation may take without swapping: MemAvailable, or what is left in this process's cgroup (or one
/// above it) if that is less; page cache that the kernel would give back counts as left. Empty where neither can be
/// read.
[[nodiscard]] std::optional<std::uint64_t> available_memory(const std::filesystem::path& root = "/");

/// True for the variables that a record may hold: settings of the MPI libraries (core/mpi_library/mpi_library.hpp),
/// NCCL_*, UCX_*, FI_*, CUDA_VISIBLE_DEVICES, and of SLURM_* those that give sizes. Not even of these: what mpirun
/// hands its own processes (job ids, addresses, session folders), parameters that carry other variables along, and
/// names that speak of a secret. No other variable is ever written anywhere.
[[nodiscard]] bool environment_allowed(const std::string& name);

/// The variables of this process that pass environment_allowed(). Values are cut at 4096 bytes.
[[nodiscard]] std::map<std::string, std::string> read_environment();

/// "0-3,8" for {0,1,2,3,8}: CPU lists as the kernel writes them.
[[nodiscard]] std::string format_cpu_list(const std::vector<int>& cpus);

/// CPUs the calling thread may run on, ascending.
[[nodiscard]] std::vector<int> affinity();

}  // namespace busbar
