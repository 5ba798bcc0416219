// SPDX-License-Identifier: Apache-2.0
#include "reports/libraries/nccl_cost.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace busbar::libraries {
namespace {

using enum NcclAlgorithm;
using enum NcclProtocol;

template <class Enum>
constexpr std::size_t at(Enum value) {
  return static_cast<std::size_t>(value);
}

/// A call of a set-up, with what the formulas share.
struct Model {
  const NcclSetup& setup;
  const NcclConstants& of;
  const NcclCall& call;
  NcclAlgorithm algorithm;
  NcclProtocol protocol;

  [[nodiscard]] bool allreduce() const { return call.function == NcclFunction::allreduce; }
  [[nodiscard]] bool gathers() const {
    return call.function == NcclFunction::allgather || call.function == NcclFunction::reduce_scatter;
  }
  [[nodiscard]] bool from_root() const {
    return call.function == NcclFunction::broadcast || call.function == NcclFunction::reduce;
  }
  [[nodiscard]] bool on_one_node() const { return call.nodes == 1; }
  [[nodiscard]] bool alone() const { return call.nodes == call.ranks; }  ///< one rank on each node
  [[nodiscard]] double per_node() const { return static_cast<double>(call.ranks) / call.nodes; }
  [[nodiscard]] std::size_t by_nodes() const { return static_cast<std::size_t>(std::clamp(call.nodes, 1, 3) - 1); }
  [[nodiscard]] double steps() const {
    return allreduce() ? 2.0 * (call.ranks - 1) : gathers() ? call.ranks - 1.0 : call.ranks;
  }
  [[nodiscard]] double doublings() const { return std::bit_width(static_cast<unsigned>(call.nodes)) - 1.0; }
  [[nodiscard]] bool is(NcclAlgorithm a) const { return algorithm == a; }
  [[nodiscard]] bool collnet() const { return is(collnet_direct) || is(collnet_chain); }

  [[nodiscard]] const NcclPaths& paths() const {
    if (is(ring)) return setup.ring;
    if (collnet()) return setup.collnet;
    return is(nvls) || is(nvls_tree) ? setup.nvls : setup.tree;
  }
  [[nodiscard]] double most(const NcclConstants::ByGpus& of_channel) const {
    return paths().channels * of_channel[at(setup.gpus)][by_nodes()];
  }
  [[nodiscard]] double ll_most() const {
    const Gpus row = on_one_node() ? setup.gpus : setup.amd ? Gpus::ampere : Gpus::volta;
    return of.ll_most[at(row)][by_nodes()];
  }
};

/// For which calls NCCL considers an algorithm.
bool serves(const Model& m) {
  switch (m.algorithm) {
    case ring:
      return true;
    case tree:
      return m.allreduce();
    case collnet_direct:
      return !m.on_one_node() && (m.allreduce() || (m.gathers() && m.of.collnet_gathers != CollnetGathers::none));
    case collnet_chain:
      return !m.on_one_node() && m.allreduce();
    case nvls:
      return (m.allreduce() || (m.gathers() && m.of.nvls_gathers)) && (m.on_one_node() || m.setup.collnet.channels > 0);
    case nvls_tree:
      return !m.on_one_node() && m.allreduce();
    case pat:
      return m.gathers() && m.alone() && m.of.pat_share > 0;
  }
  return false;
}

bool has_protocol(const Model& m) {
  if (!m.is(ring) && !m.is(tree)) return m.protocol == simple;
  return m.protocol != ll128 || m.setup.ll128;
}

double nvls_channel_GBps(const Model& m) {
  NcclPaths p = m.setup.nvls;
  if (m.on_one_node()) p.between_GBps = std::numeric_limits<double>::infinity();  // as a table of 8 H200 shows
  switch (m.of.nvls_rule) {
    case NvlsRule::of_2_18:
      return m.call.nodes <= 2 ? p.in_node_GBps : p.between_GBps;
    case NvlsRule::of_2_19:
      break;
    case NvlsRule::of_2_27:
      if (m.gathers()) return std::min(p.in_node_GBps * (m.per_node() - 1) / m.per_node(), p.between_GBps * 0.9);
      break;
    case NvlsRule::of_2_28: {
      const double share =
          m.gathers() ? (m.per_node() - 1) / m.per_node() : 2;  // an allreduce pipelines two operations
      const double in_node =
          p.in_node_GBps * m.of.nvls_efficiency[at(m.setup.gpus)] * (p.channels - 1) / p.channels * share;
      const double between = p.between_GBps * (m.is(nvls_tree) && m.call.nodes <= 2 ? 2 : 1);
      const double both = std::min(in_node, between);
      return m.is(nvls) ? both : std::min(both, m.of.nvls_tree_channel_most[at(m.setup.gpus)][m.by_nodes()]);
    }
  }
  const double between = m.is(nvls_tree) && m.call.nodes > 2 ? p.between_GBps / 2 : p.between_GBps;
  return std::min(p.in_node_GBps, between);
}

double ring_bus_GBps(const Model& m, double bus) {
  if (m.protocol == ll) {
    const bool of_gathers = m.on_one_node() && !m.allreduce() && m.call.function != NcclFunction::reduce;
    return std::min(m.ll_most(), bus * (of_gathers ? m.of.ring_ll_share_of_gathers_on_one_node : m.of.ring_ll_share));
  }
  if (m.protocol == simple) return bus;
  const double share = m.per_node() < 2 ? m.of.ring_ll128_share_of_one_rank_per_node : m.of.ring_ll128_share;
  return std::min(bus * share, m.most(m.of.ring_ll128_channel_most));
}

double tree_bus_GBps(const Model& m, double bus) {
  bus = std::min(bus * 0.92, m.most(m.of.tree_channel_most));
  if (m.protocol == ll) bus = std::min(bus / 3.8, m.ll_most());
  if (m.protocol == ll128)
    bus = std::min(bus * (m.on_one_node() ? 7.0 / 9 : 120.0 / 128), m.most(m.of.tree_ll128_channel_most));
  return m.setup.plain_tree ? bus * m.of.plain_tree_share : bus;
}

double collnet_bus_GBps(const Model& m, double bus) {
  const NcclPaths& p = m.setup.collnet;
  if (m.is(collnet_chain)) return bus;
  if (m.allreduce()) {
    const double gpus_per_nic = m.per_node() / p.channels;
    bus /= gpus_per_nic - (gpus_per_nic - 1) / 2;
    return m.setup.gpus >= Gpus::hopper ? bus * 0.85 : bus;
  }
  if (m.of.collnet_gathers == CollnetGathers::of_2_27)
    return m.per_node() * std::min(p.in_node_GBps, p.between_GBps * 0.9);
  const double w = (m.per_node() - 1) / 7;  // between measurements of 1 and 8 ranks on a node
  return m.per_node() * p.in_node_GBps * (w * 0.85 + (1 - w) * 0.95);
}

double bus_GBps(const Model& m) {
  const NcclPaths& p = m.paths();
  const double bus = p.channels * (m.call.nodes <= 2 || m.collnet() ? p.in_node_GBps : p.between_GBps);
  switch (m.algorithm) {
    case ring:
      return ring_bus_GBps(m, bus);
    case tree:
      return tree_bus_GBps(m, bus);
    case collnet_direct:
    case collnet_chain:
      return collnet_bus_GBps(m, bus);
    case nvls:
    case nvls_tree:
      return p.channels * nvls_channel_GBps(m);
    case pat:
      return bus * m.of.pat_share;
  }
  return 0;
}

/// Bandwidth of the algorithm over that of the bus.
double ratio(const Model& m) {
  if (m.is(ring)) return m.call.ranks / m.steps();
  if (m.gathers() && (!m.of.ratio_of_gathers || m.is(collnet_direct))) return 1;
  if (!m.is(nvls) && !m.is(nvls_tree)) return 0.5;
  if (m.of.nvls_rule == NvlsRule::of_2_28) return m.call.ranks / m.steps();
  if (m.of.nvls_rule == NvlsRule::of_2_18 && m.is(nvls_tree)) return 0.7 * m.call.nodes / (2.0 * (m.call.nodes - 1));
  return m.of.nvls_ratio;
}

double ring_latency_us(const Model& m, double in_node, double network) {
  const std::size_t p = at(m.protocol);
  if (m.from_root()) {
    const auto& hops = !m.on_one_node() ? m.of.network : m.setup.pci ? m.of.pci : m.of.nvlink;
    if (m.setup.same_channels) return hops[at(ring)][p];
    return m.steps() * hops[at(m.protocol == simple ? tree : ring)][p];
  }
  const double n = m.call.nodes;
  const double once = m.gathers() || !m.of.ring_passes_each_node_twice ? n - 1 : n;
  const double between = m.on_one_node() ? 0 : m.gathers() ? once : 2 * once;
  if (!m.on_one_node())
    in_node = std::max(in_node, (m.setup.amd ? m.of.post_amd : m.of.post_intel) * (m.protocol == simple ? 3 : 1));
  return (m.steps() - between) * in_node + between * network;
}

double nvls_latency_us(const Model& m, double in_node, double network) {
  const bool first = m.of.nvls_rule == NvlsRule::of_2_18;
  if (m.is(nvls)) return (first ? 0 : in_node) + (m.on_one_node() ? 0 : network);
  if (first) return 2.0 * (m.call.nodes - 1) * network;
  return in_node + 2 * m.doublings() * network;
}

double latency_us(const Model& m) {
  const std::size_t a = at(m.algorithm), p = at(m.protocol);
  const double in_node = (m.setup.pci ? m.of.pci : m.of.nvlink)[a][p];
  const double network = m.of.network[m.alone() && m.of.one_rank_per_node_has_tree_latency ? at(tree) : a][p];
  const double base = m.of.base[a][p];
  const double others = m.call.ranks / m.call.nodes - 1;  // whole ranks, as in NCCL
  switch (m.algorithm) {
    case ring:
      return base + ring_latency_us(m, in_node, network);
    case tree:
      return base + 2 * (others * in_node + m.doublings() * network);
    case collnet_direct:
      return base + 2 * (std::min(1.0, others) * in_node + others * m.of.collnet_arity) + network;
    case collnet_chain:
      return base + 2 * others * in_node + network;
    case nvls:
    case nvls_tree:
      return base + nvls_latency_us(m, in_node, network);
    case pat:
      return base + m.doublings() * network / 3.5 + m.call.ranks * 2.8;
  }
  return base;
}

/// Share of its bandwidth that a tree reaches at this size.
double correction(const Model& m) {
  const bool corrected = m.is(tree) || (m.is(nvls_tree) && m.of.corrects_nvls_tree && m.setup.gpus >= Gpus::blackwell);
  constexpr std::size_t of_tree = 23;
  const auto& shares = m.of.tree_correction[at(m.protocol)];
  const auto power = static_cast<std::size_t>(std::bit_width(m.call.bytes >> 6U));  // 1: 64 B
  const std::size_t end = m.is(tree) ? std::min(of_tree, shares.size()) : shares.size();
  return corrected && power > 0 && power <= end ? shares[power - 1] : 1;
}

double plateau(const Model& m) {
  constexpr double fewest_bytes = 64;  // of each rank and channel
  const bool reached = static_cast<double>(m.call.bytes) >= fewest_bytes * m.setup.ring.channels * m.call.ranks;
  return m.is(ring) && m.protocol == simple && m.allreduce() && !m.on_one_node() && reached
             ? m.of.ring_plateau[at(m.setup.gpus)]
             : 1;
}

std::optional<NcclCost> cost(const Model& m) {
  const bool too_few = m.of.nvls_rule == NvlsRule::of_2_28 && (m.is(nvls) || m.is(nvls_tree)) && m.paths().channels < 2;
  if (m.paths().channels < 1 || m.call.ranks < 2 || too_few || !serves(m) || !has_protocol(m)) return std::nullopt;
  const double GBps = bus_GBps(m) * ratio(m);
  if (!(GBps > 0)) return std::nullopt;
  return NcclCost{.latency_us = latency_us(m), .GBps = GBps};
}

Model model(const NcclSetup& setup, const NcclCall& call, NcclAlgorithm a, NcclProtocol p) {
  return {.setup = setup, .of = *setup.constants, .call = call, .algorithm = a, .protocol = p};
}

}  // namespace

std::optional<NcclCost> nccl_cost(const NcclSetup& setup, const NcclCall& call, NcclAlgorithm a, NcclProtocol p) {
  return cost(model(setup, call, a, p));
}

std::optional<double> nccl_us(const NcclSetup& setup, const NcclCall& call, NcclAlgorithm a, NcclProtocol p) {
  const Model m = model(setup, call, a, p);
  const auto known = cost(m);
  if (!known) return std::nullopt;
  return known->latency_us * plateau(m) + static_cast<double>(call.bytes) / (1000 * known->GBps * correction(m));
}

std::optional<NcclChoice> nccl_choice(const NcclSetup& setup, const NcclCall& call) {
  std::optional<NcclChoice> best;
  for (std::size_t a = 0; a < nccl_algorithms; ++a)
    for (std::size_t p = 0; p < nccl_protocols; ++p) {
      const auto algorithm = static_cast<NcclAlgorithm>(a);
      const auto protocol = static_cast<NcclProtocol>(p);
      const auto us = nccl_us(setup, call, algorithm, protocol);
      if (us && (!best || *us < best->us)) best = NcclChoice{.algorithm = algorithm, .protocol = protocol, .us = *us};
    }
  return best;
}

}  // namespace busbar::libraries
