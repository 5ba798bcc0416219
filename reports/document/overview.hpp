// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"

/// The first screen of a report: a verdict, a few large figures, the main chart, the findings that matter.
namespace busbar::report {

using busbar::name;

/// How a result is to be read, best first. The page shows the word with a colour and a mark.
enum class Judgement {
  good,      ///< as it should be
  open,      ///< nothing is known to judge it by
  doubtful,  ///< to be looked at before it is used
  bad,       ///< wrong, failed, or far from what it should be
};
[[nodiscard]] constexpr auto words_of(Judgement) {
  return std::to_array<std::string_view>({"OK", "Result", "Check", "Problem"});
}

/// A large figure of the first screen. Texts may be empty, except title and value.
struct KeyFigure {
  std::string title;     ///< "allreduce, 64 MiB"
  std::string value;     ///< "8.46"
  std::string unit;      ///< "GB/s busbw"
  std::string interval;  ///< "±9.8 %"
  std::string expected;  ///< what it should be: "91 % of 200 GB/s, the network between nodes"
  std::string scope;     ///< "16 ranks on 2 nodes"
  Judgement judgement = Judgement::open;
  std::string link;  ///< anchor of its evidence
};

/// A sentence of the first screen with its evidence.
struct Remark {
  std::string text;
  std::string link;       ///< anchor
  std::string else_link;  ///< anchor for pages without that one; may be empty
  std::string_view rule;  ///< of `busbar explain` that found it; empty: none
};

/// The plot that is drawn large, in the first card of a chapter whose title begins so.
struct MainChart {
  std::string chapter;  ///< empty: none
  std::string title;    ///< may be empty
  std::string plot;     ///< beginning of its title; empty: the first of the card
};

struct Overview {
  Judgement judgement = Judgement::open;
  std::string verdict;             ///< one sentence; empty: the overview is left out
  std::vector<KeyFigure> figures;  ///< at most six
  std::vector<Remark> remarks;     ///< at most three
  std::vector<MainChart> charts;   ///< the first that the page has is drawn
};

/// Anchor of a heading or a card: its letters and digits, joined by dashes. "allreduce: fp32, sum" is
/// "allreduce-fp32-sum".
[[nodiscard]] std::string anchor_of(std::string_view title);

/// Anchor of a size in the card of a collective: "allreduce-4MiB".
[[nodiscard]] std::string anchor_of_case(std::string_view subject, std::uint64_t bytes);

}  // namespace busbar::report
