// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/anchors.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace busbar::report {
namespace {

struct CardTitle {
  std::string operator()(const Paragraph&) const { return ""; }
  std::string operator()(const KeyValues&) const { return ""; }
  std::string operator()(const Table&) const { return ""; }
  std::string operator()(const auto& drawn) const { return drawn.title; }
};

/// True if `anchor` is that of a case of these charts, in the card called `card`. Cards of facets share the name before
/// their colon. The same rule is in page/cases.js.
bool has_case(const Charts& charts, const std::string& card, std::string_view anchor) {
  return std::ranges::any_of(charts.points, [&](const ChartPoint& p) {
    const std::string name = anchor_of_case("", p.bytes);  // "-4MiB"
    if (!anchor.ends_with(name)) return false;
    const std::string_view of = anchor.substr(0, anchor.size() - name.size());
    return card == of || card.starts_with(fmt::format("{}-", of));
  });
}

}  // namespace

std::string card_title(const Block& block) { return std::visit(CardTitle{}, block); }

std::vector<CardTitles> find_cards(const Document& document) {
  std::set<std::string> used{"overview", "contents", "main"};
  for (const Chapter& chapter : document.chapters) used.insert(chapter.name);
  std::vector<CardTitles> all;
  for (const Chapter& chapter : document.chapters) {
    CardTitles& cards = all.emplace_back();
    for (const Block& block : chapter.blocks) {
      const std::string title = card_title(block);
      if (title.empty()) continue;
      std::string anchor = anchor_of(title);
      for (int n = 2; !used.insert(anchor).second; ++n) anchor = fmt::format("{}-{}", anchor_of(title), n);
      cards.emplace_back(std::move(anchor), title);
    }
  }
  return all;
}

Anchors::Anchors(const Document& document, const std::vector<CardTitles>& cards, bool with_charts)
    : with_charts_(with_charts) {
  for (std::size_t i = 0; i < document.chapters.size(); ++i) {
    all_.insert(document.chapters[i].name);
    auto card = cards[i].begin();
    for (const Block& block : document.chapters[i].blocks) {
      if (card_title(block).empty()) continue;
      const std::string& anchor = (card++)->first;
      all_.insert(anchor);
      if (const auto* charts = std::get_if<Charts>(&block)) charts_.emplace_back(anchor, charts);
    }
  }
}

std::string Anchors::find(const std::string& link) const {
  if (all_.contains(link)) return link;
  for (const auto& [card, charts] : charts_)
    if (has_case(*charts, card, link)) return with_charts_ ? link : card;
  return "";
}

}  // namespace busbar::report
