// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/command_line/command_line.hpp"
#include "reports/sections/report_document.hpp"

/// Options of commands that make a report's document: what is compared, grouped and drawn.
namespace busbar {

struct DocumentChoices {
  std::string line_rate, predict;
  std::string by, reference;
  std::vector<std::string> across, pool;
  std::string group_by, color, facet, fastest;
};

/// Adds the options; `choices` must outlive the parsing.
void add_document_options(CommandLine& line, DocumentChoices& choices);

/// Reads the prediction and checks the words. Throws UsageError.
[[nodiscard]] report::DocumentOptions read_document_choices(const DocumentChoices& choices);

/// Throws UsageError if `out` would overwrite a record or the prediction.
void refuse_to_overwrite_input(const std::vector<std::string>& files, const DocumentChoices& choices,
                               const std::string& out);

}  // namespace busbar
