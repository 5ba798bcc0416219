// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

#include "reports/accept/accept.hpp"
#include "reports/document/document.hpp"
#include "reports/suite/runner.hpp"

namespace busbar::suite {

/// Report over all launches, with a chapter on how each command ended. That chapter names unreadable records, which are
/// left out.
[[nodiscard]] report::Document make_suite_report(const Suite& suite, const Plan& plan, const Outcomes& outcomes,
                                                 const Given& given);

/// Puts the certificate of an acceptance of all records in front of the report, and returns the acceptance. Launches
/// that were not ok fail: their names and reasons are limits of the rule "every launch ok".
accept::Acceptance add_acceptance(report::Document& document, const Suite& suite, const Outcomes& outcomes,
                                  const accept::Profile& profile);

/// "5 of 7 launches ok, 1 failed (pairs.1), 1 not run".
[[nodiscard]] std::string count_text(const Outcomes& outcomes);

/// Writes FOLDER/report.html and report.md. Throws UsageError or OutputError like write_whole().
void write_suite_report(const report::Document& document, const std::filesystem::path& folder);

}  // namespace busbar::suite
