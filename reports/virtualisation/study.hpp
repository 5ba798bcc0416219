// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"
#include "reports/compare/document.hpp"
#include "reports/virtualisation/layer.hpp"

/// What virtualisation costs: sides of a comparison that differ in hypervisors or containers. Ratios, intervals and
/// verdicts are those of reports/compare, with launches as measured; side b of each point is the more virtualised one.
namespace busbar::virtualisation {

/// Sides of a study, as indices.
inline constexpr std::size_t reference = 0, other = 1;

struct Side {
  std::size_t index = 0;  ///< in compare::Set::sides
  std::string name;
  Layer layer;
  std::vector<std::size_t> runs;  ///< with cases of this side, in input order

  /// "VM (KVM)", "VM (KVM, lab)"; without what the name says already.
  [[nodiscard]] std::string text() const;
};

/// A workload on both sides.
struct Row {
  std::string what;   ///< "allreduce, small"
  std::string sizes;  ///< "8 B ... 1 KiB (8 sizes)", "2 ranks on 1 node"
  compare::ComparedCase point;
};

/// A collective over message size.
struct Curve {
  std::string what;
  std::vector<compare::ComparedCase> points;  ///< by size
};

/// A part of a training step.
struct StepPart {
  std::string what;             ///< "computing of the slowest rank"
  std::string lies_in;          ///< "the CPU"
  compare::ComparedCase point;  ///< of its time
  double added = 0;             ///< its additional time, as a fraction of the reference's step
  Interval added_interval;      ///< from the ratio's; the reference's times count as exact
};

struct Step {
  std::string what;             ///< "resnet50 on 2 ranks"
  std::size_t training = 0;     ///< trainings with equal numbers differ only in ranks
  compare::ComparedCase whole;  ///< of the time of a step: mean over steps and ranks
  std::vector<StepPart> parts;
};

/// A fact of the machines that can explain a cost.
enum class FactKind { stolen, noise, longest_detour, clock_source, clock_read, latency_within, latency_between };
struct Fact {
  FactKind kind;
  std::string what;
  std::array<std::string, 2> values;           ///< as text, by side; "not counted", "not measured"
  std::optional<compare::ComparedCase> point;  ///< empty: only text, or known on one side only
};

/// Two sides whose runs have the same other labels.
struct Study {
  std::array<Side, 2> sides;
  std::string labels;  ///< the other labels: "interconnect=hdr"; may be empty
  double margin = 0, confidence = 0;
  std::vector<Row> overall;  ///< all collectives of a launch together: small and large messages
  std::vector<Row> messages;
  std::vector<Curve> curves;
  std::vector<Row> trainings;  ///< rate and efficiency at each number of ranks
  std::vector<Step> steps;
  std::vector<Fact> facts;

  /// Nothing of it may be mixed with the others.
  [[nodiscard]] bool emulated() const { return sides[reference].layer.emulated || sides[other].layer.emulated; }
};

/// All pairs of sides that differ(), real ones first. The reference has fewer layers; of two with as many, it is the
/// first side. An emulated side is compared only with the sides of fewest layers. `pool`: labels that may differ within
/// a side. The runs of `told` must outlive the result.
[[nodiscard]] std::vector<Study> studies_of(const compare::Told&, std::span<const std::string> pool);

/// CPU time lost, as a quantity whose ratio is the effect on time: 1 / (1 - lost fraction).
[[nodiscard]] const compare::Quantity& lost_time();
[[nodiscard]] const compare::Quantity& efficiency();

/// The lost fraction that a value of lost_time() stands for.
[[nodiscard]] inline double lost_fraction(double value) { return 1 - 1 / value; }

}  // namespace busbar::virtualisation
