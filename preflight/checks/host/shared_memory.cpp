// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

Judgement check_host_shared_memory(const HostFacts& h, std::size_t ranks) {
  // Open MPI 4 and 5 use 4 to 16 MiB per rank; NVIDIA's containers recommend --shm-size=1g for NCCL.
  constexpr std::uint64_t rank_bytes = 16ULL << 20, gpu_bytes = 1ULL << 30;
  if (!h.shm_bytes || !h.shm_free_bytes) return {.state = State::unknown, .read = "/dev/shm cannot be read"};
  const std::uint64_t least = rank_bytes * ranks;
  const std::string read =
      fmt::format("{:.0f} MiB free of {:.0f} MiB", static_cast<double>(*h.shm_free_bytes) / (1 << 20),
                  static_cast<double>(*h.shm_bytes) / (1 << 20));
  if (*h.shm_free_bytes < least)
    return {.state = State::failed, .read = fmt::format("{}, for {}", read, plural(ranks, "rank"))};
  if (!h.host.gpus.empty() && *h.shm_bytes < gpu_bytes)
    return {.state = State::warning, .read = fmt::format("{}, with {}", read, plural(h.host.gpus.size(), "GPU"))};
  return {.state = State::ok, .read = read};
}

std::vector<CheckResult> check_shared_memory(const Facts& f) { return by_host(f, check_host_shared_memory); }

}  // namespace

extern const Check shared_memory{
    .name = "shared_memory",
    .stage = Stage::host,
    .about = "size of /dev/shm",
    .expected = "16 MiB free per rank of the host; 1 GiB in total on hosts with GPUs",
    .why =
        "MPI and NCCL move data within a host through /dev/shm: if it is full, they crash with a bus error or fail "
        "to start",
    .advice = "Run mount -o remount,size=50% /dev/shm; containers: --shm-size=1g or --ipc=host.",
    .find = check_shared_memory,
};

}  // namespace busbar::preflight
