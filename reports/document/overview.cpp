// SPDX-License-Identifier: Apache-2.0
#include "reports/document/overview.hpp"

#include <algorithm>
#include <cctype>

#include "core/base/units.hpp"

namespace busbar::report {

std::string anchor_of(std::string_view title) {
  std::string anchor;
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      anchor += c;
    else if (!anchor.empty() && anchor.back() != '-')
      anchor += '-';
  }
  if (anchor.ends_with('-')) anchor.pop_back();
  return anchor;
}

std::string anchor_of_case(std::string_view subject, std::uint64_t bytes) {
  std::string size = format_size(bytes);
  std::erase(size, ' ');
  return anchor_of(subject) + "-" + size;
}

}  // namespace busbar::report
