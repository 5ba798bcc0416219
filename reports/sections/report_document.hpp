// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "core/record/fwd.hpp"
#include "reports/document/document.hpp"
#include "reports/sections/material.hpp"

/// The report of a set of runs. To add a section, add a file to this folder and a word to its CMake list.
namespace busbar::report {

/// A part of the report: one file in reports/sections/.
struct Section {
  std::string_view name;                          ///< identifier, used in links as "#name"
  std::string_view title;                         ///< heading
  std::vector<Block> (*blocks)(const Material&);  ///< if empty, the section is omitted; sections are made in parallel
  bool folded = false;                            ///< background to the results: closed at first on a page
};

/// Builds the report. An empty title becomes that of title_of(). Omits sections without blocks. Throws UsageError,
/// naming --sections, for an unknown section.
[[nodiscard]] Document make_document(std::string title, const std::vector<Run>&, const DocumentOptions& options = {});

}  // namespace busbar::report
