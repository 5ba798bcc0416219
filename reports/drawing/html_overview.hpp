// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/drawing/anchors.hpp"

/// The first screen of a page: the verdict, its figures, the main chart and what to look at first.
namespace busbar::report {

/// Empty without a verdict. `cards`: of find_cards(). `with_charts`: the page draws charts.
[[nodiscard]] std::string html_overview(const Document&, const std::vector<CardTitles>& cards, bool with_charts);

/// Style, mark and word of each judgement, for page/cases.js.
[[nodiscard]] nlohmann::json judgement_words();

}  // namespace busbar::report
