// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unordered_map>

#include "core/record/fwd.hpp"
#include "reports/document/charts.hpp"
#include "reports/explain/show.hpp"

namespace busbar {
struct CaseGrade;  // core/grades/grade.hpp
}

/// Whether the time at one size is as it should be: docs/expected.md, "At one size".
namespace busbar::explain {

/// What is known of a case beyond its chart.
struct KnownOfCase {
  const CaseGrade* grade = nullptr;  ///< null: none
  std::vector<const Found*> found;   ///< findings that name it
};
using KnownOfCases = std::unordered_map<const CaseRecord*, KnownOfCase>;

/// Adds the findings of these runs to the cases that they name. The runs must outlive `known`.
void add_findings(KnownOfCases& known, const std::vector<ExplainedRun>&);

/// Sets the verdict of each point: doubtful with grade D, with a suspicious finding, or if little of the ceiling is
/// reached though nearly all of the time grows with the size; good if what grows moves at a sufficient share of the
/// ceiling; open otherwise.
void judge_sizes(report::Charts&, const KnownOfCases&);

}  // namespace busbar::explain
