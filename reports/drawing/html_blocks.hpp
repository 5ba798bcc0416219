// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reports/drawing/anchors.hpp"

/// Blocks of a document as HTML: paragraphs, facts, tables, and cards of charts with their tables.
namespace busbar::report {

/// Options for writing the blocks of a page.
struct PageStyle {
  bool charts = false;  ///< the page can draw charts
  bool rounds = false;  ///< points carry their rounds
  bool tables = true;   ///< with the tables below the charts
  bool late = false;    ///< folded tables stand behind the page
};

/// A block as HTML.
struct WrittenBlock {
  std::string text;
  std::vector<std::string> late_tables;  ///< its folded tables, which the page inserts when they are opened
};

/// All blocks of a document, in order. `cards`: of find_cards().
[[nodiscard]] std::vector<WrittenBlock> write_blocks(const Document&, const std::vector<CardTitles>& cards,
                                                     const PageStyle&);

/// A heading that links to itself, for readers who pass on a link.
[[nodiscard]] std::string linked_heading(std::string_view tag, std::string_view anchor, const std::string& title);

}  // namespace busbar::report
