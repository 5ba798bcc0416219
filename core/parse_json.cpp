// SPDX-License-Identifier: Apache-2.0
#include "core/parse_json.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "core/json.hpp"

namespace busbar {

void refuse_deep_json(std::string_view text) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_text = !in_text;
    if (in_text) {
      if (c == '\\') ++i;
      continue;
    }
    if ((c == '[' || c == '{') && ++depth > deepest_json)
      throw Error(fmt::format("is JSON of more than {} levels", deepest_json));
    if (c == ']' || c == '}') --depth;
  }
}

nlohmann::json parse_json(std::string_view text) {
  refuse_deep_json(text);
  return nlohmann::json::parse(text);
}

}  // namespace busbar
