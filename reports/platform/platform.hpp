// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "reports/platform/topology.hpp"

/// SimGrid 3.32 platforms: writes the XML of a cluster of GPU nodes from a short description. docs/platforms.md says
/// what is modelled.
namespace busbar::platform {

/// One NIC and the switches between NICs.
struct Interconnect {
  std::string name;                          ///< e.g. "hdr"
  double bandwidth_Bps = 0;                  ///< data rate in one direction; full duplex
  double latency_s = 0;                      ///< one way between two nodes on one switch, including that switch
  std::optional<double> switch_latency_s{};  ///< added by each further switch; empty: unknown
  int switch_ports = 0;                      ///< 0: unknown
};

/// The link between a GPU and the other GPUs of its node.
struct GpuLink {
  std::string name;              ///< e.g. "nvlink3"
  double bandwidth_Bps = 0;      ///< data rate of one GPU in one direction
  double latency_s = 0;          ///< one way from GPU to GPU
  bool carries_network = false;  ///< PCIe: traffic to and from the NIC shares this link
};

/// Description of a platform.
struct PlatformSpec {
  std::string topology;  ///< topology words: "fat-tree:2-level", "torus:8x8x8"
  int nodes = 0;         ///< 0: determined by the topology
  int gpus = 1;          ///< per node; each is a SimGrid host
  int nics = 1;          ///< per node, at most `gpus`; GPU i uses NIC i * nics / gpus
  Interconnect interconnect;
  GpuLink gpu_link;               ///< ignored if nodes have one GPU
  int radix = 0;                  ///< ports of a fat tree's switches; 0: that of the interconnect
  double oversubscription = 1;    ///< of leaf switches of a fat tree
  std::string figures_from = {};  ///< source of the interconnect's figures, for readers of the platform
  /// SimGrid settings that the figures assume, e.g. "smpi/bw-factor". Applied on loading, unless the simulator's
  /// command line overrides them.
  std::map<std::string, std::string> config = {};
};

inline constexpr int most_gpus = 32;

/// Builds the network. Throws UsageError, one line naming the flag of `busbar platform`, if the description is
/// inconsistent or lacks a figure that the topology needs.
[[nodiscard]] std::unique_ptr<Topology> topology_of(const PlatformSpec&);

/// Writes the platform. Hosts are named n0-g0, n0-g1, ..., n1-g0, ...; n0, n1, ... if nodes have one GPU. Each host's
/// property busbar.node names its node. The root zone has the properties() below. Throws like topology_of().
void write_xml(const PlatformSpec&, std::ostream&);

/// Properties of the root zone ("busbar.topology", ...; listed in docs/platforms.md). They suffice to rebuild the
/// platform.
using Properties = std::map<std::string, std::string>;
[[nodiscard]] Properties properties(const PlatformSpec&);

/// The platform described by these properties; empty if they are not from busbar or invalid. The input is untrusted.
[[nodiscard]] std::optional<PlatformSpec> from_properties(const Properties&);

/// Name of the host of rank `rank`, if ranks fill nodes in order, one GPU each.
[[nodiscard]] std::string host_name(const PlatformSpec&, int rank);

/// Derived figures of a platform.
struct Overview {
  std::string topology;  ///< topology words with defaults filled in
  int nodes = 0;
  int hosts = 0;  ///< one per GPU
  std::vector<Level> levels;
  int cables = 0;  ///< between switches, counted once per NIC of a node
  Distances distances;
  int first_half = 0;  ///< nodes on one side of the bisection
  double bisection_Bps = 0;
  double half_of_nics_Bps = 0;           ///< NIC bandwidth of the smaller side: full bisection
  double nearest_s = 0, farthest_s = 0;  ///< latency between GPUs of different nodes
  std::string_view routing;
};
[[nodiscard]] Overview overview_of(const PlatformSpec&);

}  // namespace busbar::platform
