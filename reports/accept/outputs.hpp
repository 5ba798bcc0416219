// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "reports/accept/accept.hpp"
#include "reports/accept/similarity.hpp"
#include "reports/document/document.hpp"

/// An acceptance for readers, CI systems and scripts.
namespace busbar::accept {

/// "FAIL: 3 of 40 limits missed; take out node4"
[[nodiscard]] std::string verdict(const Acceptance&);

/// The certificate: what was accepted by which profile, the verdict, rules, nodes to take out, missed limits.
[[nodiscard]] report::Chapter certificate(const Acceptance&, const Profile&, const std::vector<Run>&);

/// Opens the first screen with the verdict and the number of limits met.
void put_first(report::Overview&, const Acceptance&);

/// JUnit XML: a suite per rule, a test case per limit; a limit that cannot be told is a skipped test.
[[nodiscard]] std::string junit(const Acceptance&);

[[nodiscard]] nlohmann::json to_json(const Acceptance&, const Profile&);

/// What was learned, and which launches were left out as outliers.
[[nodiscard]] report::Chapter learning_chapter(const Learning&);

}  // namespace busbar::accept
