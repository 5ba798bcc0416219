// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "core/record/fwd.hpp"
#include "reports/document/document.hpp"
#include "reports/sections/material.hpp"

/// The report of some runs: sections, each a file of this folder and a word in its CMake list.
namespace busbar::report {

/// One part of the report: one file in reports/sections/.
struct Section {
  std::string_view name;                          ///< identifier: a link to it is "#name"
  std::string_view title;                         ///< its heading
  std::vector<Block> (*blocks)(const Material&);  ///< none: the section is left out
};

/// What the report of these runs says. A section without blocks is left out. Throws UsageError, naming --sections, for
/// one that there is none of.
[[nodiscard]] Document make_document(std::string title, const std::vector<Run>&, const DocumentOptions& options = {});

}  // namespace busbar::report
