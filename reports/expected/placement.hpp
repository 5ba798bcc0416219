// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "reports/expected/known_results.hpp"
#include "reports/expected/line_rate.hpp"

/// Places a run among published results of machines like its own.
namespace busbar::expected {

/// A published figure like one of the run's.
struct LikeResult {
  const KnownSource* source = nullptr;
  const KnownRun* run = nullptr;
  const KnownRow* row = nullptr;
  double value = 0;  ///< as of Placement::value
};

/// How one figure of a run compares with published ones.
struct Placement {
  const CaseRecord* record = nullptr;
  bool is_time = false;            ///< small messages are compared by time (us), large ones by busbw (GB/s)
  double value = 0;                ///< us or GB/s
  std::string likeness;            ///< what the others have in common: "A100, 2 nodes, any network"
  std::vector<LikeResult> usual;   ///< normal results, the worst first; one per published launch
  std::vector<LikeResult> others;  ///< problems and thresholds
  std::size_t worse = 0;           ///< of `usual`
};

/// The placements of a run, and what is not comparable.
struct RunPlacement {
  std::string run;      ///< its name
  std::string device;   ///< "A100", "CPU"; empty if unknown or not comparable
  std::string why_not;  ///< why nothing can be placed: lab, simulated, shared GPU, device unknown
  std::vector<Placement> placed;
  std::vector<std::string> without;  ///< "broadcast, 128 nodes": series without a published result
};

/// The family of a device: "H100" for "NVIDIA H100 80GB HBM3", "A100 PCIe" for "A100-PCIe-80GB", "CPU" for "CPU: ...".
/// Empty if no published result has such a device.
[[nodiscard]] std::string device_family(const std::string& name, const std::vector<KnownSource>&);

/// One case among published results; empty if it is of another kind than place() compares or nothing is like it.
[[nodiscard]] std::optional<Placement> place_one(const RunRecord&, const CaseRecord&, const std::optional<LineRate>&,
                                                 const std::vector<KnownSource>&);

/// For each series of each run (not training) one small size, at most 64 KiB, and one large size, at least 16 MiB:
/// those with the most published results. Like are results of the same collective and device family, on as many nodes,
/// and if both are known a network of the same rate within a factor of 1.3; without any, over any network; of large
/// messages between nodes, on any number of nodes above 1. Sizes may differ by 10 % (small) or a factor of 2 (large);
/// on CPUs also the number of ranks by a factor of 2. The result refers to the runs and sources.
[[nodiscard]] std::vector<RunPlacement> place(const std::vector<Run>&, const std::optional<LineRate>&,
                                              const std::vector<KnownSource>&);

}  // namespace busbar::expected
