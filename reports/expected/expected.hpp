// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"
#include "reports/expected/ceiling.hpp"

/// Ceilings for a measured busbw, and actual data rates per link. User documentation: docs/expected.md.
namespace busbar::expected {

/// Shares of a ceiling: from `enough` on a bandwidth is as it should be, below `little` it is to be looked at. Source:
/// docs/expected.md, "How much is enough".
inline constexpr double enough = 0.7, little = 0.5;

/// One case with a busbw, compared with the ceilings of its run.
struct ExpectedPoint {
  const CaseRecord* record = nullptr;
  Traffic traffic;
  std::vector<Ceiling> ceilings;  ///< lowest first; places in `missing` may be lower still
  std::vector<Missing> missing;

  [[nodiscard]] const Ceiling* ceiling() const { return ceilings.empty() ? nullptr : &ceilings.front(); }
  /// busbw divided by the lowest ceiling; 1 means the ceiling is reached.
  [[nodiscard]] std::optional<double> achieved() const;
  /// GB/s that the busiest node sends to other nodes, or the busiest rank to ranks of its node, as the algorithm moves
  /// data. Empty if the record does not name the algorithm or nothing is sent there.
  [[nodiscard]] std::optional<double> node_wire_GBps() const;
  [[nodiscard]] std::optional<double> rank_wire_GBps() const;
  /// Why achieved() may exceed 100 %; empty if it does not.
  [[nodiscard]] std::string why_above() const;
};

/// Points that differ only in size, in order of appearance.
struct ExpectedSeries {
  std::string run;  ///< name of the run
  std::vector<ExpectedPoint> points;

  [[nodiscard]] const CaseKey& key() const { return points.front().record->key; }
};

/// Compares one case with its ceilings; empty without a busbw or on one rank. The point refers to the case.
[[nodiscard]] std::optional<ExpectedPoint> expect_case(const RunRecord&, const CaseRecord&);

/// All collectives measured on at least two ranks; the points refer to the runs.
[[nodiscard]] std::vector<ExpectedSeries> expect(const std::vector<Run>&, const std::optional<LineRate>&);

}  // namespace busbar::expected
