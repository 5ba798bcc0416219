// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/terminal.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace busbar::explain {
namespace {

/// A letter and how many bytes it takes; 0 bytes: none begins here.
struct Letter {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

Letter letter_at(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  static constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < least[bytes] || surrogate || code > 0x10FFFF ? Letter{} : Letter{code, bytes};
}

bool moves_a_terminal(std::uint32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool direction = c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return control || direction || c == 0x2028 || c == 0x2029;
}

/// Letters, not bytes.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

}  // namespace

Terminal terminal() {
  Terminal t;
  if (isatty(STDOUT_FILENO) == 0) return t;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    t.columns = std::clamp<std::size_t>(size.ws_col, 40, 120);
  t.colour = std::getenv("NO_COLOR") == nullptr;
  return t;
}

std::string clean(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Letter letter = letter_at(text);
    const std::size_t bytes = std::max<std::size_t>(letter.bytes, 1);
    if (letter.bytes > 0 && (letter.code == '\n' || letter.code == '\t'))
      out += ' ';
    else if (letter.bytes == 0 || moves_a_terminal(letter.code))
      out += "\uFFFD";
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return out;
}

std::string wrap(std::string_view text, std::size_t columns, std::string_view first) {
  std::string out(first);
  const std::string indent(length(first), ' ');
  std::size_t used = indent.size();
  bool empty = true;  // the line, behind its indent
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!empty && used + 1 + length(word) > columns) {
      out += "\n" + indent;
      used = indent.size();
      empty = true;
    }
    out += (empty ? "" : " ") + std::string(word);
    used += length(word) + (empty ? 0 : 1);
    empty = false;
  }
  return out + "\n";
}

}  // namespace busbar::explain
