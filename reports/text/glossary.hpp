// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The glossary, written once: the page shows a part of it, `busbar glossary` and docs/glossary.md all of it.
namespace busbar::report {

struct Term {
  std::string_view name;  ///< several names of one term are separated by ", "
  std::string_view meaning;
  bool on_page = false;  ///< the page explains it, and links to it where a heading is one of the names
};

[[nodiscard]] std::span<const Term> terms_of_measuring();
[[nodiscard]] std::span<const Term> terms_of_training();
[[nodiscard]] std::span<const Term> terms_of_deciding();

/// Names and meanings of the terms that the page shows, in their order.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> terms_on_page(std::span<const Term> terms);

}  // namespace busbar::report
