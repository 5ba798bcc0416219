// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "reports/compare/document.hpp"
#include "reports/document/document.hpp"
#include "reports/gate/gate.hpp"

/// A gate for people, for CI systems and for machines.
namespace busbar::gate {

/// The verdict, then what was compared, then all points.
[[nodiscard]] report::Document document(const Gate&, const compare::Told&);

/// JUnit XML, as Jenkins, GitLab and GitHub's reporters read it: a suite a series, a test case a point; a regression is
/// a failure, an inconclusive point a skipped test with its reason.
[[nodiscard]] std::string junit(const Gate&);

/// Lines of GitHub Actions' workflow commands: an error for each regression, a warning for what is inconclusive, at
/// most ten of each as GitHub shows no more. Source: docs.github.com, "Workflow commands for GitHub Actions".
[[nodiscard]] std::string annotations(const Gate&);

[[nodiscard]] nlohmann::json to_json(const Gate&, const compare::Told&);

}  // namespace busbar::gate
