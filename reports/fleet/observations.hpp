// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

/// A fleet: many runs that measured the same on different hosts, as one data set.
namespace busbar::fleet {

/// One launch of a view's cases on some hosts.
struct Observation {
  std::vector<std::size_t> hosts;   ///< indices into DataSet::hosts, ascending, at least one
  std::optional<std::size_t> rail;  ///< index into DataSet::rails; empty if unknown, or if it used several
  std::size_t launch = 0;           ///< index into DataSet::launches
  double excess = 0;                ///< ln(time / usual time), median over the view's cases
};

/// Cases that differ only in their size, within a class of sizes, and in the hosts that ran them. Small and large
/// messages are apart: a slow link shows in large ones only.
struct View {
  std::string name;  ///< "alltoall, nccl, fp64, 16 ranks on 2 nodes, from 64 KiB"
  std::vector<Observation> seen;
};

/// Runs of one launch: several collectives from one log are one launch.
struct Launch {
  std::string name;                    ///< as in a report, or the source of an imported log
  std::optional<std::string> started;  ///< start_utc
  std::vector<const Run*> runs;        ///< never empty
};

struct DataSet {
  std::vector<std::string> hosts, rails;  ///< names; hosts in natural order
  std::vector<Launch> launches;
  std::vector<View> views;  ///< each with at least 5 observations
};

/// Collects what can be compared between hosts. A run's rail is its label `rail`, or the only network device that its
/// environment names, or the PCI address that the only GPU has on every host; between two ranks, their number on their
/// hosts. Left out: simulated runs, runs whose ranks share a GPU, cases whose hosts are unknown, transfers inside a
/// host. The usual time of a case is the median over hosts of each host's faster quarter. The runs must outlive the
/// result.
[[nodiscard]] DataSet observe(const std::vector<Run>& runs);

}  // namespace busbar::fleet
