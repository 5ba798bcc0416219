// SPDX-License-Identifier: Apache-2.0
#include "reports/import/json_start.hpp"

#include <algorithm>

namespace busbar {
namespace {

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

}  // namespace

std::string_view first_json_key(std::string_view text) {
  text = without_blanks(text);
  if (!text.starts_with('{')) return {};
  text = without_blanks(text.substr(1));
  if (!text.starts_with('"')) return {};
  text.remove_prefix(1);
  const std::size_t end = text.find('"');
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

}  // namespace busbar
