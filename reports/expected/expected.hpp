// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"
#include "reports/expected/ceiling.hpp"

/// What a measured busbw can be held against, and what went over the wire. docs/expected.md explains it to users.
namespace busbar::expected {

/// One case that has a busbw, held against what the facts of its run let through.
struct ExpectedPoint {
  const CaseRecord* record = nullptr;
  Traffic traffic;
  std::vector<Ceiling> ceilings;  ///< lowest first; places of which nothing is known may be lower still
  std::vector<Missing> missing;

  [[nodiscard]] const Ceiling* ceiling() const { return ceilings.empty() ? nullptr : &ceilings.front(); }
  /// busbw over the lowest ceiling; 1 is all of it.
  [[nodiscard]] std::optional<double> achieved() const;
  /// GB/s that the busiest node sends to others, or the busiest rank to ranks of its node: by how the algorithm moves
  /// data. Empty where the record does not say how data moved, or nothing goes there.
  [[nodiscard]] std::optional<double> node_wire_GBps() const;
  [[nodiscard]] std::optional<double> rank_wire_GBps() const;
  /// Why it may be above 100 %; empty where it is not.
  [[nodiscard]] std::string why_above() const;
};

/// The points that differ in their size only, in order of appearance.
struct ExpectedSeries {
  std::string run;  ///< the run's name
  std::vector<ExpectedPoint> points;

  [[nodiscard]] const CaseKey& key() const { return points.front().record->key; }
};

/// One case of a run; empty where it has no busbw, or ran on one rank. The point refers to the case.
[[nodiscard]] std::optional<ExpectedPoint> expect_case(const RunRecord&, const CaseRecord&);

/// All collectives of the runs that were measured on two ranks or more; the points refer to the runs.
[[nodiscard]] std::vector<ExpectedSeries> expect(const std::vector<Run>&, const std::optional<LineRate>&);

}  // namespace busbar::expected
