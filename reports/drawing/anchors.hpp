// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/document/document.hpp"

/// What links of a page can lead to: sections, cards, and cases of a card's charts.
namespace busbar::report {

/// Title of a block's card; empty if it is none.
[[nodiscard]] std::string card_title(const Block&);

/// Titles of the cards of a chapter with their anchors.
using CardTitles = std::vector<std::pair<std::string, std::string>>;

/// Anchors of the cards of each chapter, unique in the page.
[[nodiscard]] std::vector<CardTitles> find_cards(const Document&);

/// Finds links that lead nowhere because their section is not drawn.
class Anchors {
 public:
  /// `cards`: of find_cards(). `with_charts`: the page draws charts, so page/cases.js shows single cases. The document
  /// must outlive this object.
  Anchors(const Document&, const std::vector<CardTitles>& cards, bool with_charts);

  /// Anchor for a link of the overview. Without charts, the link to a case leads to its card. Empty: the page has
  /// nothing that the link names.
  [[nodiscard]] std::string find(const std::string& link) const;

 private:
  std::set<std::string> all_;
  std::vector<std::pair<std::string, const Charts*>> charts_;  // by anchor of their card
  bool with_charts_;
};

}  // namespace busbar::report
