// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

/// Text for a terminal.
namespace busbar::explain {

/// How standard output shows text.
struct Terminal {
  std::size_t columns = 100;
  bool colour = false;
};

/// The width of the terminal that standard output is (at most 120, at least 40), with colour unless NO_COLOR is set;
/// 100 columns without colour where it is none.
[[nodiscard]] Terminal terminal();

/// Text from a record without what moves a terminal's cursor or changes the order of letters: control characters and
/// bytes that are no UTF-8 become U+FFFD, line breaks and tabs become blanks.
[[nodiscard]] std::string clean(std::string_view);

/// `text` in lines of at most `columns` letters, broken at blanks, behind `first` on the first line and as many blanks
/// on the others. A word that is longer stays whole.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t columns, std::string_view first);

}  // namespace busbar::explain
