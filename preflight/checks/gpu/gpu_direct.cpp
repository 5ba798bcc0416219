// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

Judgement judge_rank(const Facts& f, const RankFacts& r) {
  const HostFacts& h = f.hosts[static_cast<std::size_t>(r.host)];
  if (h.host.rdma.empty()) return {.state = State::not_applicable, .read = "no RDMA device on this host"};
  if (h.gpu_peer_memory) return {.state = State::ok, .read = "nvidia_peermem is loaded"};
  if (r.gpu.dma_buf == true) return {.state = State::ok, .read = "the driver supports DMA-BUF"};
  if (!r.gpu.dma_buf) return {.state = State::unknown, .read = "nvidia_peermem is not loaded; DMA-BUF support unknown"};
  return {.state = State::warning, .read = "neither nvidia_peermem nor DMA-BUF"};
}

std::vector<CheckResult> check_gpu_direct(const Facts& f) {
  if (auto none = without_gpus(f)) return {*std::move(none)};
  return by_rank(f, [&](const RankFacts& r) { return judge_rank(f, r); });
}

}  // namespace

extern const Check gpu_direct{
    .name = "gpu_direct",
    .stage = Stage::gpu,
    .about = "GPUDirect RDMA: direct access of network devices to GPU memory",
    .expected = "on hosts with RDMA devices: nvidia_peermem is loaded, or the driver supports DMA-BUF",
    .why = "without it, GPU data for other hosts passes through host memory, with an extra copy at each end",
    .advice =
        "Run modprobe nvidia_peermem (after installing the RDMA stack). For DMA-BUF, use an open kernel module with "
        "CUDA 11.7 and Linux 5.12 or later. NCCL_DEBUG=INFO shows GDRDMA when it is used.",
    .find = check_gpu_direct,
};

}  // namespace busbar::preflight
