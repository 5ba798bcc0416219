// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <unistd.h>

#include "core/base/privacy.hpp"
#include "core/environment/environment.hpp"
#include "core/mpi_library/mpi_library.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

/// In addition to settings of MPI libraries (core/mpi_library/mpi_library.hpp).
constexpr std::array settings{"NCCL_"sv, "UCX_"sv, "FI_"sv};

/// Sizes of a Slurm job, but no hosts, users, names or keys.
constexpr std::array sizes{"SLURM_NNODES"sv,           "SLURM_JOB_NUM_NODES"sv,
                           "SLURM_STEP_NUM_NODES"sv,   "SLURM_NTASKS"sv,
                           "SLURM_NPROCS"sv,           "SLURM_STEP_NUM_TASKS"sv,
                           "SLURM_NTASKS_PER_NODE"sv,  "SLURM_NTASKS_PER_SOCKET"sv,
                           "SLURM_NTASKS_PER_CORE"sv,  "SLURM_NTASKS_PER_GPU"sv,
                           "SLURM_TASKS_PER_NODE"sv,   "SLURM_STEP_TASKS_PER_NODE"sv,
                           "SLURM_CPUS_PER_TASK"sv,    "SLURM_CPUS_PER_GPU"sv,
                           "SLURM_CPUS_ON_NODE"sv,     "SLURM_JOB_CPUS_PER_NODE"sv,
                           "SLURM_THREADS_PER_CORE"sv, "SLURM_GPUS"sv,
                           "SLURM_GPUS_ON_NODE"sv,     "SLURM_GPUS_PER_NODE"sv,
                           "SLURM_GPUS_PER_TASK"sv,    "SLURM_GPUS_PER_SOCKET"sv,
                           "SLURM_MEM_PER_NODE"sv,     "SLURM_MEM_PER_CPU"sv,
                           "SLURM_MEM_PER_GPU"sv};

/// An id with which the job's processes find each other.
bool is_id(std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return !std::ranges::search(name, "uuid"sv, {}, lower).empty();
}

bool starts_with_any(std::string_view name, std::span<const std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return name.starts_with(prefix); });
}

bool is_setting_of_mpi(std::string_view name) {
  return std::ranges::any_of(table<MpiLibrary>(), [&](const MpiLibrary* library) {
    return starts_with_any(name, library->settings) && !starts_with_any(name, library->internal);
  });
}

}  // namespace

bool environment_allowed(const std::string& name) {
  if (name == "CUDA_VISIBLE_DEVICES") return true;
  if (std::find(sizes.begin(), sizes.end(), name) != sizes.end()) return true;
  return (starts_with_any(name, settings) || is_setting_of_mpi(name)) && !speaks_of_secret(name) && !is_id(name);
}

std::map<std::string, std::string> read_environment() {
  static constexpr std::size_t longest = 4096;
  std::map<std::string, std::string> allowed;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const auto equals = variable.find('=');
    if (equals == std::string_view::npos) continue;
    std::string name(variable.substr(0, equals));
    if (!environment_allowed(name)) continue;
    const std::string value = without_secrets(variable.substr(equals + 1, longest));
    allowed.emplace(std::move(name), without_random_words(value));
  }
  return allowed;
}

}  // namespace busbar
