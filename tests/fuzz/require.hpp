// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/terminal_text.hpp"

namespace busbar::fuzz {

/// Runs the code under test on an input; throws if it misbehaves. Defined by each fuzz_NAME.cpp.
void check_input(std::string_view bytes);

/// Throws std::logic_error, which no target catches.
inline void require(bool good, const std::string& what) {
  if (!good) throw std::logic_error(what);
}

/// Requires text that is safe on a terminal: UTF-8 without control characters (C0 but line ends, C1), without
/// bidirectional controls.
inline void require_shown(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto at = [&](std::size_t ahead) {
      return i + ahead < text.size() ? static_cast<unsigned char>(text[i + ahead]) : 0U;
    };
    const bool control = (at(0) < 0x20 && at(0) != '\n') || at(0) == 0x7F || (at(0) == 0xC2 && at(1) < 0xA0);
    const bool bidi = at(0) == 0xE2 && ((at(1) == 0x80 && at(2) >= 0xAA && at(2) <= 0xAE) ||  // U+202A to U+202E
                                        (at(1) == 0x81 && at(2) >= 0xA6 && at(2) <= 0xA9));   // U+2066 to U+2069
    if (control || bidi) throw std::logic_error("a control character is shown");
  }
  (void)nlohmann::json(text).dump();  // throws where it is no UTF-8
}

/// A refusal as the user reads it: one short line in our words.
inline void require_message(std::string_view text) {
  require(!text.empty(), "a refusal without a message");
  require(text.find("json.exception") == std::string_view::npos, "a library's words: " + std::string(text));
  const std::string line = message_line(text);
  require(line.find('\n') == std::string::npos && line.size() <= 1000, "a refusal of several lines");
  require_shown(line);
}

/// Calls `take`, which may refuse its input: only by a UsageError that has a message.
void may_refuse(const auto& take) {
  try {
    take();
  } catch (const UsageError& e) {
    require_message(e.what());
  }
}

}  // namespace busbar::fuzz
