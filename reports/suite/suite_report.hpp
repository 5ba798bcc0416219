// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

#include "reports/document/document.hpp"
#include "reports/suite/runner.hpp"

namespace busbar::suite {

/// What all launches together say, with a chapter about the suite itself: which command ended how. Records that cannot
/// be read are named in it and left out.
[[nodiscard]] report::Document make_suite_report(const Suite& suite, const Plan& plan, const Outcomes& outcomes,
                                                 const Given& given);

/// "5 of 7 launches ok, 1 failed (pairs.1), 1 not run".
[[nodiscard]] std::string count_text(const Outcomes& outcomes);

/// Writes it as FOLDER/report.html and report.md. Throws UsageError where that fails.
void write_suite_report(const report::Document& document, const std::filesystem::path& folder);

}  // namespace busbar::suite
