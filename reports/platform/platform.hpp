// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "reports/platform/topology.hpp"

/// Platforms for SimGrid 3.32: a cluster of nodes with GPUs, described in a few words and figures, as its XML.
/// docs/platforms.md says what of it is modelled and what is not.
namespace busbar::platform {

/// One NIC and the switches between NICs.
struct Interconnect {
  std::string name;                          ///< "hdr"
  double bandwidth_Bps = 0;                  ///< data, in one direction while the other carries as much
  double latency_s = 0;                      ///< one way between two nodes at one switch, that switch included
  std::optional<double> switch_latency_s{};  ///< what each further switch adds; empty: not known
  int switch_ports = 0;                      ///< 0: not known
};

/// What joins a GPU to the others of its node.
struct GpuLink {
  std::string name;              ///< "nvlink3"
  double bandwidth_Bps = 0;      ///< data, of one GPU in one direction
  double latency_s = 0;          ///< one way from GPU to GPU
  bool carries_network = false;  ///< PCIe: what goes to the NIC and comes from it takes the same link
};

/// All that makes a platform.
struct PlatformSpec {
  std::string topology;  ///< words: "fat-tree:2-level", "torus:8x8x8"
  int nodes = 0;         ///< 0: as many as the topology makes
  int gpus = 1;          ///< of a node; a host of SimGrid each
  int nics = 1;          ///< of a node, no more than GPUs; GPU i uses NIC i * nics / gpus
  Interconnect interconnect;
  GpuLink gpu_link;               ///< of no account where nodes have one GPU
  int radix = 0;                  ///< ports of a switch of a fat tree; 0: the interconnect's
  double oversubscription = 1;    ///< of leaf switches of a fat tree
  std::string figures_from = {};  ///< where the figures of the interconnect come from, for whoever reads the platform
  /// Settings of SimGrid that the figures hold with, "smpi/bw-factor" and the like: applied when the file is read,
  /// where the simulator's command line does not say otherwise.
  std::map<std::string, std::string> config = {};
};

inline constexpr int most_gpus = 32;

/// The network of these nodes. Throws UsageError, one line that names the flag of `busbar platform`, where the words
/// do not fit together or a figure that the topology needs is not known.
[[nodiscard]] std::unique_ptr<Topology> topology_of(const PlatformSpec&);

/// Writes the platform. Hosts are named n0-g0, n0-g1, ..., n1-g0, ...; n0, n1, ... where nodes have one GPU; the
/// property busbar.node of each is the name of its node. The root zone has the properties() below. Throws as
/// topology_of() does.
void write_xml(const PlatformSpec&, std::ostream&);

/// What the root zone says of the platform: "busbar.topology" and so on, as docs/platforms.md lists them. Enough to
/// make the same again.
using Properties = std::map<std::string, std::string>;
[[nodiscard]] Properties properties(const PlatformSpec&);

/// The platform that these properties describe; empty where they describe none or none that busbar writes. They may
/// come from anyone.
[[nodiscard]] std::optional<PlatformSpec> from_properties(const Properties&);

/// Name of the host that rank `rank` runs on where ranks fill node after node, a GPU each.
[[nodiscard]] std::string host_name(const PlatformSpec&, int rank);

/// What a platform comes to.
struct Overview {
  std::string topology;  ///< words, with what was left open filled in
  int nodes = 0;
  int hosts = 0;  ///< GPUs
  std::vector<Level> levels;
  int cables = 0;  ///< between switches, each of the NICs of a node counted
  Distances distances;
  int first_half = 0;  ///< nodes on the one side of the bisection
  double bisection_Bps = 0;
  double half_of_nics_Bps = 0;           ///< what the NICs of the smaller side carry together: full bisection
  double nearest_s = 0, farthest_s = 0;  ///< latency between GPUs of two nodes
  std::string_view routing;
};
[[nodiscard]] Overview overview_of(const PlatformSpec&);

}  // namespace busbar::platform
