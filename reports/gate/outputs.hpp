// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "reports/compare/document.hpp"
#include "reports/document/document.hpp"
#include "reports/gate/gate.hpp"

/// Gate results for readers, CI systems and scripts.
namespace busbar::gate {

/// The verdict, the compared sides and method, then all points.
[[nodiscard]] report::Document document(const Gate&, const compare::Told&);

/// JUnit XML, as read by Jenkins, GitLab and GitHub reporters: a suite per series and a test case per point, worst
/// first, with the wall time of its current launches. A regression is a failure; an inconclusive or disturbed point is
/// a skipped test with its reason.
[[nodiscard]] std::string junit(const Gate&);

/// GitHub Actions workflow commands: an error per regression, a warning per inconclusive or disturbed point. At most
/// ten, the worst first; the last counts the others. GitHub shows no more. Source: docs.github.com, "Workflow commands
/// for GitHub Actions".
[[nodiscard]] std::string annotations(const Gate&);

[[nodiscard]] nlohmann::json to_json(const Gate&, const compare::Told&);

}  // namespace busbar::gate
