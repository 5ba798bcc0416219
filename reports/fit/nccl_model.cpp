// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/nccl_model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace busbar::fit {
namespace {

enum Protocol : std::size_t { ll, ll128, simple, protocols };
using ByProtocol = std::array<double, protocols>;

// baseLat, hwLat (NVLink and network), of all versions but for the tree's Simple; us.
constexpr ByProtocol ring_base{6.6, 14.0, 8.4}, tree_base{6.8, 14.0, 0};
constexpr ByProtocol ring_nvlink{0.6, 1.9, 3.4}, tree_nvlink{0.6, 1.25, 0};
constexpr ByProtocol ring_net{2.7, 4.0, 14.0}, tree_net{5.0, 8.5, 0};

// llMaxBws and perChMaxTreeBws of A100, on one, two, and more nodes; GB/s.
constexpr std::array ll_most_intel{39.0, 39.0, 20.4}, ll_most_amd{87.7, 22.5, 19.0},
    tree_channel_most{24.0, 23.6, 17.8};
constexpr double channel_most_ll128 = 20.0;

/// treeCorrectionFactor: by powers of two of the size, from 64 B on.
constexpr std::array<std::array<double, 23>, protocols> tree_correction{
    {{1.0, 1.0, 1.0, 1.0, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1.0, 1.0, 1.0, 1.0},
     {1.0, 1.0, 1.0, 1.0, 1.0, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1.0, 1.0},
     {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9}}};

std::size_t by_nodes(const Scale& s) { return static_cast<std::size_t>(std::clamp(s.nodes, 1, 3) - 1); }

double ll_most(const NcclSetup& setup, const Scale& s) {
  return (setup.amd ? ll_most_amd : ll_most_intel)[by_nodes(s)];
}

double ring_us(const NcclSetup& setup, Protocol p, const Scale& s, double bytes) {
  double bus = setup.channels * setup.channel_GBps;
  if (p == ll) bus = std::min(ll_most(setup, s), bus * setup.version->ring_ll_share);
  if (p == ll128) bus = std::min(bus * 0.92, setup.channels * channel_most_ll128);
  const double steps = 2.0 * (s.ranks - 1), between = s.nodes > 1 ? 2.0 * s.nodes : 0;
  const double overhead = (setup.amd ? 2.0 : 1.0) * (p == simple ? 3 : 1);  // of posting to the network
  const double in_node = s.nodes > 1 ? std::max(ring_nvlink[p], overhead) : ring_nvlink[p];
  double latency = ring_base[p] + (steps - between) * in_node + between * ring_net[p];
  constexpr double plateau = 1.4, fewest_bytes = 64;  // of each rank and channel
  if (p == simple && s.nodes > 1 && bytes / (setup.channels * s.ranks) >= fewest_bytes) latency *= plateau;
  return latency + bytes / (1000 * bus * s.ranks / steps);
}

double tree_us(const NcclSetup& setup, Protocol p, const Scale& s, double bytes) {
  double bus = std::min(setup.channels * setup.channel_GBps * 0.92, setup.channels * tree_channel_most[by_nodes(s)]);
  if (p == ll) bus = std::min(bus / 3.8, ll_most(setup, s));
  if (p == ll128) bus = std::min(bus * (s.nodes == 1 ? 7.0 / 9 : 120.0 / 128), setup.channels * channel_most_ll128);
  const auto power = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(bytes) >> 6U));  // 1: 64 B
  if (const auto at = std::max<std::size_t>(power, 1) - 1; at < tree_correction[p].size())
    bus *= tree_correction[p][at];
  const bool of_version = p == simple;
  const double base = of_version ? setup.version->tree_simple_base_us : tree_base[p];
  const double in_node = of_version ? setup.version->tree_simple_nvlink_us : tree_nvlink[p];
  const double net = of_version ? setup.version->tree_simple_net_us : tree_net[p];
  const double doublings = std::floor(std::log2(s.nodes));
  return base + 2 * ((s.per_node() - 1) * in_node + doublings * net) + bytes / (1000 * bus / 2);
}

}  // namespace

const std::vector<NcclVersion>& nccl_versions() {
  static const std::vector<NcclVersion> all{
      {"2.18", 0, 4, 14, 0.25}, {"2.19", 0, 28, 28, 0.25}, {"2.21", 0, 28, 28, 0.5}, {"2.23", 8.4, 4, 14, 0.5}};
  return all;
}

double nccl_model_us(const NcclSetup& setup, std::string_view algorithm, const Scale& s, std::uint64_t bytes) {
  double best = std::numeric_limits<double>::infinity();
  for (const Protocol p : {ll, ll128, simple}) {
    if (p == ll128 && !setup.ll128) continue;
    best = std::min(best, (algorithm == "ring" ? ring_us : tree_us)(setup, p, s, static_cast<double>(bytes)));
  }
  return best;
}

std::string_view nccl_choice(const NcclSetup& setup, const Scale& s, std::uint64_t bytes) {
  return nccl_model_us(setup, "tree", s, bytes) <= nccl_model_us(setup, "ring", s, bytes) ? "tree" : "ring";
}

std::vector<NcclSetup> nccl_setups(double measured_GBps) {
  std::vector<NcclSetup> all;
  for (const NcclVersion& version : nccl_versions())
    for (const int channels : {2, 4, 8})
      for (const double times : {1.0, 2.0, 4.0, 8.0})
        for (const bool amd : {false, true})
          for (const bool with_ll128 : {false, true})
            all.push_back({.version = &version,
                           .channels = channels,
                           .channel_GBps = measured_GBps * times / channels,
                           .amd = amd,
                           .ll128 = with_ll128});
  return all;
}

double share_of_choice(const std::vector<NcclSetup>& setups, std::string_view algorithm, const Scale& s,
                       std::uint64_t bytes) {
  const auto n =
      std::ranges::count_if(setups, [&](const auto& one) { return nccl_choice(one, s, bytes) == algorithm; });
  return static_cast<double>(n) / static_cast<double>(setups.size());
}

NcclChange nccl_change(const std::vector<NcclSetup>& setups, std::string_view first, const Scale& measured,
                       std::string_view then, const Scale& predicted, std::uint64_t bytes) {
  double of = 0, changed = 0, logs = 0;
  for (const NcclSetup& one : setups) {
    if (nccl_choice(one, measured, bytes) != first) continue;
    of += 1;
    if (nccl_choice(one, predicted, bytes) != then) continue;
    changed += 1;
    logs += std::log(nccl_model_us(one, then, predicted, bytes) / nccl_model_us(one, first, measured, bytes));
  }
  if (!(of > 0)) return {};
  return {.chance = changed / of, .ratio = changed > 0 ? std::exp(logs / changed) : 1};
}

}  // namespace busbar::fit
