// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "reports/explain/places.hpp"
#include "reports/runs/collective_facts.hpp"

/// Advice where a library may switch protocol or algorithm. Sources: NVIDIA NCCL, environment variables (NCCL_ALGO,
/// NCCL_PROTO, NCCL_P2P_NET_CHUNKSIZE, NCCL_P2P_LL_THRESHOLD, NCCL_DEBUG_SUBSYS); Open MPI, shared memory (component
/// vader from 1.8 to 4.1, sm since 5.0) and `ompi_info`; OpenUCX, UCX_RNDV_THRESH.
namespace busbar::explain {
namespace {

/// The sizes at and next to the place, in the syntax of --sizes.
std::string sizes_around(const Place& place) {
  const auto& points = place.curve->points;
  const std::size_t first = place.index == 0 ? 0 : place.index - 1;
  const std::size_t last = std::min(place.index + 2, points.size() - 1);
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = first; i <= last; ++i) sizes.push_back(points[i].bytes);
  if (sizes.size() < 4) sizes.push_back(place.to);
  std::ranges::sort(sizes);
  const auto again = std::ranges::unique(sizes);
  sizes.erase(again.begin(), again.end());
  return fmt::format("{}", fmt::join(sizes, ","));
}

/// The launch that measures these sizes with NCCL again, with as many GPUs per process as `run`.
std::string measure_nccl(const Place& place, const Run& run, std::string_view options) {
  const CaseKey& key = place.curve->key();
  const int gpus = std::max(1, run.head.method.gpus_per_process.value_or(1));
  const std::string window = key.window ? fmt::format("--window {} ", *key.window) : "";
  const std::string each = gpus > 1 ? fmt::format("--gpus-per-rank {} ", gpus) : "";
  return fmt::format("mpirun -np {} busbar-bench {} -d {} --sizes {} {}--backend nccl {}{}", key.ranks / gpus,
                     key.collective, key.type.value_or("fp32"), sizes_around(place), window, each, options);
}

/// True for collectives that NCCL implements with sends and receives, which have no algorithm or protocol to choose.
bool point_to_point(std::string_view collective) {
  const CollectiveFacts* const facts = collective_facts(collective);
  return facts != nullptr && facts->movement == Movement::point_to_point;
}

std::vector<std::string> switch_of_nccl(const Place& place, const Run& run) {
  const CaseKey& key = place.curve->key();
  if (key.kind != CaseKind::collective || point_to_point(key.collective))
    return {
        "NCCL implements this with sends and receives: NCCL_ALGO and NCCL_PROTO have no effect. Try "
        "NCCL_P2P_NET_CHUNKSIZE, NCCL_NCHANNELS_PER_NET_PEER, NCCL_P2P_LL_THRESHOLD, and the short-message limits of "
        "the network plug-in, if there is one."};
  const bool reduces_all = key.collective == "allreduce";  // the only collective with trees in every NCCL version
  std::vector<std::string> all{
      fmt::format(
          "Compare NCCL's protocols{} at these sizes: {}", reduces_all ? " and algorithms" : "",
          measure_nccl(place, run,
                       fmt::format("{}--protocol simple,ll,ll128", reduces_all ? "--algorithm ring,tree " : ""))),
      "If another one is faster, set NCCL_PROTO or NCCL_ALGO: it applies to all sizes."};
  if (!place.point().record->choice)
    all.emplace_back("Set NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=TUNING to log NCCL's choice at each size.");
  return all;
}

/// Largest size plausibly below an eager limit, where data is sent without a handshake with the receiver.
constexpr std::uint64_t largest_eager = std::uint64_t{1} << 20;

std::vector<std::string> of_open_mpi(const Place& place, std::string_view library) {
  const CaseKey& key = place.curve->key();
  const std::string_view shared = library.starts_with("Open MPI 5") ? "sm" : "vader";
  std::vector<std::string> all;
  if (place.from <= largest_eager && key.nodes.value_or(1) > 1)
    all.emplace_back(
        "Move the eager limit between nodes: UCX_RNDV_THRESH (with UCX), --mca btl_tcp_eager_limit (with TCP; "
        "ompi_info --param btl tcp --level 9 shows it).");
  if (place.from <= largest_eager)
    all.push_back(fmt::format(
        "Move the eager limit within a node: --mca btl_{0}_eager_limit (4096 by default, including the header; "
        "ompi_info --param btl {0} --level 9 shows it).",
        shared));
  if (key.kind == CaseKind::collective && key.collective != "sendrecv")
    all.push_back(
        fmt::format("Try other algorithms: --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_{}_algorithm N; "
                    "ompi_info --param coll tuned --level 9 lists them.",
                    key.collective == "broadcast" ? "bcast" : key.collective));
  return all;
}

std::vector<std::string> switch_of_mpi(const Place& place, const Run& run) {
  const std::string library = run.head.mpi ? run.head.mpi->library : "";
  if (library.starts_with("Open MPI")) return of_open_mpi(place, library);
  return {
      "Move the eager limit of the MPI library (Intel MPI: I_MPI_EAGER_THRESHOLD; over UCX: UCX_RNDV_THRESH), and try "
      "its other algorithms for this collective."};
}

}  // namespace

std::string about_caches() {
  return "If the buffers of a node's ranks outgrow its last-level cache at that size (see lscpu), memory bandwidth is "
         "the limit, and no setting helps.";
}

std::vector<std::string> about_switches(const Place& place, const Run& run) {
  auto all = place.curve->key().backend == "nccl" ? switch_of_nccl(place, run) : switch_of_mpi(place, run);
  if (place.certainty == Certainty::possible)
    all.insert(all.begin(),
               "Measure again first, with more iterations: if it recurs at the same size, it is not chance.");
  return all;
}

}  // namespace busbar::explain
