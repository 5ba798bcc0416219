// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "core/record/status.hpp"
#include "reports/fit/algorithm.hpp"
#include "reports/fit/library.hpp"
#include "reports/libraries/mpi_choice.hpp"

namespace busbar::fit {

/// One time of a sweep.
struct Observation {
  std::size_t launch = 0;  ///< index into Sweep::launches
  Scale scale;
  std::uint64_t bytes = 0;          ///< > 0
  double time_s = 0;                ///< > 0
  const Algorithm* told = nullptr;  ///< as reported by the library or requested; null: unknown
  std::string choice;               ///< the same as text, "ring/simple"; empty: unknown
  bool reported = false;            ///< by the library
};

/// All times that one set of curves can be fitted to: one collective on one level, measured the same way, with the same
/// number of ranks per node.
struct Sweep {
  std::string collective;  ///< for a pair: its test, "pingpong"
  std::string backend;
  CaseKind kind = CaseKind::collective;
  std::string label;             ///< "setting=3, system=polaris"; empty: no labels
  std::string details;           ///< from the key: "nccl, device memory, fp32, sum, out of place"
  std::optional<bool> in_place;  ///< empty: not applicable or unknown
  Origin origin = Origin::measured;
  std::string level;        ///< in_node or between_nodes
  std::string library;      ///< library_of; empty: unknown, or launches differ
  std::string device, cpu;  ///< device_of, cpu_of; empty: unknown, or launches differ
  std::string rules;        ///< rules_of; empty: unknown, or launches differ
  std::uint64_t element_bytes = 1;
  std::vector<std::string> launches;  ///< names
  std::vector<Observation> points;    ///< sorted by size, then scale

  [[nodiscard]] std::vector<Scale> scales() const;
  /// Measured sizes in bytes, ascending.
  [[nodiscard]] std::vector<std::uint64_t> sizes() const;
  /// What the library's own rules choose; empty if they are not known.
  [[nodiscard]] std::optional<libraries::MpiChoice> choice_by_rules(const Scale&, std::uint64_t bytes) const;
  /// The model of that choice; null if it is not known, or no algorithm here has its steps and volume.
  [[nodiscard]] const Algorithm* row_by_rules(const Scale&, std::uint64_t bytes) const;
  /// "allreduce, setting=3, nccl, device memory, fp32, sum, out of place"; and whether it is simulated or imported.
  [[nodiscard]] std::string name() const;
};

inline constexpr std::string_view in_node = "in a node", between_nodes = "between nodes";

struct SweepOptions {
  std::vector<std::string> collectives;  ///< empty: all
  std::string by;                        ///< label or field that groups runs; empty: labels (scale_labels.hpp)
  std::vector<std::string> pool;         ///< labels that may differ between launches of a sweep
  std::string library = std::string(library_of_record);  ///< parse_library
};

[[nodiscard]] bool wanted(const SweepOptions&, std::string_view collective);

/// Sweeps of measured cases with bytes and a time, in order of appearance. `left_out` says why cases have no level, one
/// sentence per reason.
struct Sweeps {
  std::vector<Sweep> all;
  std::vector<std::string> left_out;
  std::vector<std::string> remarks;  ///< on labels that have other values at each scale
};
[[nodiscard]] Sweeps sweeps(const std::vector<Run>&, const SweepOptions&);

}  // namespace busbar::fit
