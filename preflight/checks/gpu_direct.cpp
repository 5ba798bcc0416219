// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

Judgement judge_rank(const Facts& f, const RankFacts& r) {
  const HostFacts& h = f.hosts[static_cast<std::size_t>(r.host)];
  if (h.host.rdma.empty()) return {.state = State::not_applicable, .read = "no RDMA device on its host"};
  if (h.gpu_peer_memory) return {.state = State::ok, .read = "nvidia_peermem is loaded"};
  if (r.gpu.dma_buf == true) return {.state = State::ok, .read = "the driver gives DMA-BUF"};
  if (!r.gpu.dma_buf)
    return {.state = State::unknown, .read = "nvidia_peermem is not loaded, and the driver does not tell of DMA-BUF"};
  return {.state = State::warning, .read = "neither nvidia_peermem nor DMA-BUF"};
}

std::vector<Finding> check_gpu_direct(const Facts& f) {
  if (auto none = without_gpus(f)) return {*std::move(none)};
  std::vector<Judgement> judgements;
  for (const RankFacts& r : f.ranks) judgements.push_back(judge_rank(f, r));
  return by_rank(f, judgements);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check gpu_direct{
    .name = "gpu_direct",
    .stage = preflight::Stage::gpu,
    .about = "GPUDirect RDMA: whether network devices reach GPU memory",
    .expected = "where there are RDMA devices: nvidia_peermem is loaded, or the driver gives DMA-BUF",
    .why =
        "what a GPU sends to another host goes through the memory of the host otherwise, with one more copy "
        "at each end",
    .advice =
        "modprobe nvidia_peermem (after the RDMA stack is installed), or an open kernel module with CUDA 11.7 "
        "and Linux 5.12 or later for DMA-BUF; NCCL_DEBUG=INFO says GDRDMA where it is used.",
    .judge = preflight::check_gpu_direct,
};

}  // namespace busbar
