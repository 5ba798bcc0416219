// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/nccl_setups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <fmt/core.h>

namespace busbar::fit {
namespace {

using libraries::Gpus, libraries::NcclAlgorithm, libraries::NcclCall, libraries::NcclConstants, libraries::NcclProtocol;

NcclCall allreduce(const Scale& s, std::uint64_t bytes) {
  return {.function = libraries::NcclFunction::allreduce, .ranks = s.ranks, .nodes = s.nodes, .bytes = bytes};
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// The generations that a GPU of this name may be of.
std::vector<Gpus> generations(std::string_view device) {
  if (has_any(device, {"B100", "B200", "B300", "RTX 50"})) return {Gpus::blackwell};
  if (has_any(device, {"H100", "H200", "H800", "H20", "GH200"})) return {Gpus::hopper};
  if (has_any(device, {"A100", "A800", "A30", "A40", "A10", "L40", "L4"})) return {Gpus::ampere};
  if (has_any(device, {"V100", "T4"})) return {Gpus::volta};
  return {Gpus::ampere, Gpus::hopper};
}

std::vector<bool> makers_are_amd(std::string_view cpu) {
  if (cpu.empty()) return {false, true};
  return {has_any(cpu, {"AMD", "EPYC"})};
}

/// Times of some calls, to find versions that differ.
std::vector<double> sample_times(const NcclConstants& constants, Gpus gpus) {
  const libraries::NcclPaths paths{.channels = 8, .in_node_GBps = 20, .between_GBps = 20};
  const NcclSetup setup{
      .constants = &constants, .gpus = gpus, .ring = paths, .tree = paths, .nvls = paths, .ll128 = true};
  std::vector<double> all;
  for (const Scale s : {Scale{.ranks = 16, .nodes = 2}, Scale{.ranks = 64, .nodes = 8}})
    for (const std::uint64_t bytes : {std::uint64_t{8}, std::uint64_t{1} << 20U, std::uint64_t{1} << 30U})
      for (const NcclAlgorithm a : {NcclAlgorithm::tree, NcclAlgorithm::ring, NcclAlgorithm::nvls_tree})
        for (const NcclProtocol p : {NcclProtocol::ll, NcclProtocol::ll128, NcclProtocol::simple})
          all.push_back(libraries::nccl_us(setup, allreduce(s, bytes), a, p).value_or(0));
  return all;
}

/// The version of a library's name, else all whose times differ.
std::vector<const NcclConstants*> versions_of(std::string_view library, Gpus gpus) {
  if (!library.empty()) return {&libraries::constants_of_nccl(library)};
  std::vector<const NcclConstants*> all;
  std::set<std::vector<double>> known;
  for (const NcclConstants& c : libraries::nccl_versions())
    if (known.insert(sample_times(c, gpus)).second) all.push_back(&c);
  return all;
}

/// Bandwidth of NVLS in a node, per channel: as NCCL finds on an H200 (7 of 8 channels, 272 GB/s of an allreduce;
/// docs/predicting.md).
constexpr double nvls_channel_GBps = 40;

/// With NVLS and without, if its GPUs are known to have it.
void add_with_nvls(std::vector<NcclSetup>& all, NcclSetup setup, const Sweep& sweep) {
  all.push_back(setup);
  const int ranks = static_cast<int>(sweep.points.front().scale.per_node());
  if (sweep.device.empty() || setup.gpus < Gpus::hopper || ranks < 2) return;
  setup.nvls = {.channels = ranks,
                .in_node_GBps = nvls_channel_GBps,
                .between_GBps = setup.ring.channels * setup.ring.between_GBps / ranks};
  all.push_back(setup);
}

std::vector<NcclSetup> all_setups(const Sweep& sweep, double measured_GBps) {
  std::vector<NcclSetup> all;
  for (const Gpus gpus : generations(sweep.device))
    for (const NcclConstants* version : versions_of(sweep.library, gpus))
      for (const int channels : {2, 4, 8})
        for (const double times : {1.0, 2.0, 4.0, 8.0})
          for (const bool amd : makers_are_amd(sweep.cpu))
            for (const bool with_ll128 : {false, true}) {
              const double GBps = measured_GBps * times / channels;
              const libraries::NcclPaths paths{.channels = channels, .in_node_GBps = GBps, .between_GBps = GBps};
              add_with_nvls(
                  all,
                  {.constants = version, .gpus = gpus, .ring = paths, .tree = paths, .amd = amd, .ll128 = with_ll128},
                  sweep);
            }
  return all;
}

/// A choice that NCCL reported.
struct Reported {
  Scale scale;
  std::uint64_t bytes = 0;
  std::string choice;

  friend auto operator<=>(const Reported&, const Reported&) = default;
};

/// Each once, however many launches reported it.
std::set<Reported> reported_choices(const Sweep& sweep) {
  std::set<Reported> all;
  for (const Observation& o : sweep.points)
    if (o.reported) all.insert({.scale = o.scale, .bytes = o.bytes, .choice = o.choice});
  return all;
}

bool agrees(const NcclSetup& setup, const Reported& r) {
  const auto choice = libraries::nccl_choice(setup, allreduce(r.scale, r.bytes));
  return choice && r.choice == fmt::format("{}/{}", name(choice->algorithm), name(choice->protocol));
}

/// Keeps those that agree with most of the reported choices.
std::vector<NcclSetup> that_agree(const std::vector<NcclSetup>& all, const std::set<Reported>& reported) {
  std::vector<std::ptrdiff_t> counts;
  for (const NcclSetup& setup : all)
    counts.push_back(std::ranges::count_if(reported, [&](const Reported& r) { return agrees(setup, r); }));
  const auto most = counts.empty() ? 0 : std::ranges::max(counts);
  std::vector<NcclSetup> best;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (counts[i] == most) best.push_back(all[i]);
  return best;
}

/// Times of both algorithms.
struct Times {
  double ring = std::numeric_limits<double>::infinity(), tree = ring;

  [[nodiscard]] std::string_view faster() const { return tree <= ring ? "tree" : "ring"; }
  [[nodiscard]] double of(std::string_view algorithm) const { return algorithm == "ring" ? ring : tree; }
};

Times times_of(const NcclSetup& setup, const Scale& s, std::uint64_t bytes) {
  const NcclCall call = allreduce(s, bytes);
  const auto least = [&](double& us, NcclAlgorithm a) {
    for (const NcclProtocol p : {NcclProtocol::ll, NcclProtocol::ll128, NcclProtocol::simple})
      us = std::min(us, libraries::nccl_us(setup, call, a, p).value_or(us));
  };
  Times times;
  least(times.ring, NcclAlgorithm::ring);
  least(times.tree, NcclAlgorithm::tree);
  if (setup.nvls.channels > 0) least(times.tree, NcclAlgorithm::nvls_tree);
  return times;
}

}  // namespace

std::vector<NcclSetup> setups_of(const Sweep& sweep) {
  if (sweep.library == no_library) return {};
  if (sweep.backend != "nccl" || sweep.collective != "allreduce" || sweep.level != between_nodes) return {};
  double most_GBps = 0;
  for (const Observation& o : sweep.points) {
    const double factor = 2 * (o.scale.ranks - 1.0) / o.scale.ranks;
    most_GBps = std::max(most_GBps, factor * static_cast<double>(o.bytes) / o.time_s * 1e-9);
  }
  const std::set<Reported> reported = reported_choices(sweep);
  std::vector<NcclSetup> all = all_setups(sweep, most_GBps);
  return reported.empty() ? all : that_agree(all, reported);
}

std::string_view nccl_algorithm(const NcclSetup& setup, const Scale& s, std::uint64_t bytes) {
  return times_of(setup, s, bytes).faster();
}

double share_of_choice(const std::vector<NcclSetup>& setups, std::string_view algorithm, const Scale& s,
                       std::uint64_t bytes) {
  const auto n =
      std::ranges::count_if(setups, [&](const auto& one) { return nccl_algorithm(one, s, bytes) == algorithm; });
  return static_cast<double>(n) / static_cast<double>(setups.size());
}

NcclChange nccl_change(const std::vector<NcclSetup>& setups, std::string_view first, const Scale& measured,
                       std::string_view then, const Scale& predicted, std::uint64_t bytes) {
  double of = 0, changed = 0, logs = 0;
  for (const NcclSetup& one : setups) {
    const Times before = times_of(one, measured, bytes);
    if (before.faster() != first) continue;
    of += 1;
    const Times after = times_of(one, predicted, bytes);
    if (after.faster() != then) continue;
    changed += 1;
    logs += std::log(after.of(then) / before.of(first));
  }
  if (!(of > 0)) return {};
  return {.chance = changed / of, .ratio = changed > 0 ? std::exp(logs / changed) : 1};
}

}  // namespace busbar::fit
