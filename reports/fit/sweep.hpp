// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/fit/algorithm.hpp"

namespace busbar::fit {

/// One time of a sweep.
struct Observation {
  std::size_t launch = 0;  ///< index into Sweep::launches
  Scale scale;
  std::uint64_t bytes = 0;          ///< above 0
  double time_s = 0;                ///< above 0
  const Algorithm* told = nullptr;  ///< that the library said it used, or was told to; null: not known
  std::string choice;               ///< in its own words, "ring/simple"; empty: not known
};

/// All times over sizes and scales that one set of curves can be fitted to: of one collective on one level, measured
/// alike, with as many ranks on each node.
struct Sweep {
  std::string collective;  ///< of a pair: what is sent, "pingpong"
  std::string backend;
  std::string kind;                   ///< collective, pair
  std::string label;                  ///< "setting=3, system=polaris"; empty: no labels
  std::string details;                ///< of the key: "nccl, device memory, fp32, sum, out of place"
  std::optional<bool> in_place;       ///< empty: does not apply, or is not known
  std::string level;                  ///< in_node or between_nodes
  std::vector<std::string> launches;  ///< a name each
  std::vector<Observation> points;    ///< by size, then scale

  [[nodiscard]] std::vector<Scale> scales() const;
  /// "allreduce, setting=3, nccl, device memory, fp32, sum, out of place".
  [[nodiscard]] std::string name() const;
};

inline constexpr std::string_view in_node = "in a node", between_nodes = "between nodes";

struct SweepOptions {
  std::vector<std::string> collectives;  ///< empty: all
  std::string by;                 ///< runs with the same value of this label or field are one; empty: by all labels
  std::vector<std::string> pool;  ///< labels in which launches of a sweep may differ
};

[[nodiscard]] bool wanted(const SweepOptions&, std::string_view collective);

/// The sweeps of ok cases with bytes and a time, in order of appearance. Why cases have no level is in `left_out`, a
/// sentence each.
struct Sweeps {
  std::vector<Sweep> all;
  std::vector<std::string> left_out;
};
[[nodiscard]] Sweeps sweeps(const std::vector<Run>&, const SweepOptions&);

}  // namespace busbar::fit
