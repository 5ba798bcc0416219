// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/environment/environment.hpp"

/// Input of the checks: plain data that each rank reads about itself, stage by stage, and rank 0 gathers. Unknown
/// values are empty.
namespace busbar::preflight {

/// Stage launch: identity of a rank.
struct Identity {
  int rank = 0;
  std::string host;                                ///< name from the kernel
  std::string machine;                             ///< the kernel's boot id: the same in all containers of one machine
  std::string network;                             ///< network namespace: shared by the ranks of a host
  std::optional<int> launched;                     ///< processes that the launcher started
  std::optional<int> place_here;                   ///< index on this host, from 0, as the launcher numbers ranks
  int world = 1;                                   ///< ranks in MPI_COMM_WORLD
  std::vector<std::string> interfaces;             ///< names of this host's network interfaces, lo too
  std::map<std::string, std::string> environment;  ///< variables that records may contain
};

/// Stage same.
struct Versions {
  std::string build;                      ///< "0.1.0 (60d300e90e3a)"
  std::string mpi;                        ///< "Open MPI 4.1.4"
  std::optional<std::string> nccl, cuda;  ///< CUDA: the version that the driver supports
};

/// Stage host, read by the first rank of each host.
struct HostFacts {
  Host host;
  double clock_offset_s = 0;  ///< this host's time-of-day clock minus the first host's, +- clock_error_s
  double clock_error_s = 0;
  std::optional<std::uint64_t> shm_bytes, shm_free_bytes;  ///< of /dev/shm
  std::optional<std::uint64_t> available_bytes;            ///< memory available to new allocations
  std::optional<int> usable_cpus;
  std::optional<std::int64_t> huge_pages;  ///< pages of the default size
  bool gpu_peer_memory = false;            ///< nvidia_peermem (or nv_peer_mem) is loaded
};

/// Stage host, read by each rank. Soft limits; empty: unlimited.
struct Limits {
  std::optional<std::uint64_t> memlock_bytes, open_files;
};

/// Stage binding.
struct Place {
  std::vector<int> cpus;        ///< CPUs that the rank may run on
  std::vector<int> numa_nodes;  ///< of these CPUs
};

/// Stage gpu: the GPU that the rank would use. `how`: source of the information.
struct GpuOfRank {
  std::optional<std::string> uuid, bus, how;
  std::optional<std::string> problem;            ///< why the rank has no GPU
  std::optional<int> visible;                    ///< number of GPUs visible to this rank
  std::optional<bool> dma_buf;                   ///< the driver supports DMA-BUF
  std::vector<int> no_peer_access;               ///< CUDA indices of visible GPUs without peer access
  std::vector<std::string> throttled_by;         ///< current clock event reasons that throttle
  std::optional<std::uint64_t> ecc_uncorrected;  ///< errors since the driver was loaded
};

/// Stage network.
struct Address {
  std::string interface, address;
  int port = 0;  ///< port that its host listens on
};
struct RdmaDevicePort {
  std::string device;
  int port = 1;
  std::vector<std::string> interfaces;  ///< its network interfaces, as in ibdev2netdev
  std::optional<std::string> physical_state;
  int gids = 0;  ///< GIDs that are not zero
};
struct Network {
  std::vector<Address> addresses;
  std::vector<RdmaDevicePort> rdma;
};

/// A failed connection.
struct Unreached {
  int from = 0, to = 0;  ///< hosts, as indices of Facts::hosts
  std::string interface, address;
  std::string problem;  ///< "timed out", "no route to host"
};
/// Connections of one host.
struct Connections {
  int host = 0;
  int made = 0;
  std::vector<Unreached> unreached;
};

/// A host that another one could not reach by remote shell.
struct Unshelled {
  std::string from, to, problem;
};

/// Result of messages between two ranks; both report it.
struct PairResult {
  int a = 0, b = 0;
  std::optional<std::string> problem;
};

/// Result of a sum over all ranks, on one rank.
struct SumResult {
  std::uint64_t bytes = 0;
  std::optional<std::string> problem;  ///< "element 3 of 2 is 7, expected 12"
};

struct RankFacts {
  Identity id;
  int host = 0;  ///< index of Facts::hosts
  Versions versions;
  Limits limits;
  Place place;
  GpuOfRank gpu;
  std::vector<PairResult> pairs, nccl_pairs;
  std::vector<SumResult> sums;
  std::optional<std::string> nccl_missing;  ///< why this rank did not try NCCL; from stage pairs
  std::optional<std::string> nccl_problem;  ///< problem of the sum over all ranks
};

struct Facts {
  std::vector<RankFacts> ranks;                     ///< by rank
  std::vector<HostFacts> hosts;                     ///< ordered by first rank; `host.name` is set from stage launch on
  std::vector<Network> networks;                    ///< one per host
  std::vector<Connections> connections;             ///< one per host
  std::optional<std::vector<Unshelled>> unshelled;  ///< empty: --ssh was not given
  std::optional<std::string> nvml_problem;          ///< why NVML failed on some host
};

/// Ranks of a host, ascending.
[[nodiscard]] std::vector<int> ranks_of(const Facts&, int host);
/// The lowest rank of each host, which reports for it. Hosts are numbered in the order of these ranks.
[[nodiscard]] std::vector<int> first_ranks(const Facts&);

/// "rank 3 (node1)"; "ranks 3, 4 and 6 more (node1, node2)".
[[nodiscard]] std::string name_ranks(const Facts&, const std::vector<int>& ranks);

/// "node1, node2 and 5 more".
[[nodiscard]] std::string list(const std::vector<std::string>& words, std::size_t most = 6);

}  // namespace busbar::preflight
