// SPDX-License-Identifier: Apache-2.0
#include "core/base/terminal_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <utility>

#include <fmt/core.h>

namespace busbar {
namespace {

struct Letter {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: not UTF-8
};

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// First code point of `text`, which must not be empty (RFC 3629).
Letter first_letter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {.code = lead, .bytes = 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(text[i])) return {};
    code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < least[bytes] || code > 0x10FFFF || surrogate ? Letter{} : Letter{.code = code, .bytes = bytes};
}

bool is_between(char32_t code, char32_t low, char32_t high) { return code >= low && code <= high; }

bool acts_on_terminal(char32_t code) {
  return code < 0x20 || is_between(code, 0x7F, 0x9F) || code == 0x061C || is_between(code, 0x200B, 0x200F) ||
         is_between(code, 0x2028, 0x202E) || is_between(code, 0x2066, 0x2069) || code == 0xFEFF;
}

std::string made_printable(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    const std::size_t bytes = letter.bytes == 0 ? 1 : letter.bytes;
    if (letter.bytes == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (!acts_on_terminal(letter.code) || (keep_lines && letter.code == '\n'))
      out += text.substr(0, bytes);
    else if (letter.code == '\t')
      out += ' ';
    else if (letter.code < 0x80)
      out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(letter.code));
    else
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(letter.code));
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return made_printable(text, false); }

std::string printable_lines(std::string_view text) { return made_printable(text, true); }

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !continues(c); }));
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::string first, const std::string& next) {
  std::vector<std::string> lines{std::move(first)};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > width) lines.push_back(next);
    lines.back() += (lines.back().empty() ? "" : " ") + std::string(word);
  }
  return lines;
}

std::string comment_lines(const std::string& first, std::string_view text, std::size_t indent) {
  constexpr std::size_t columns = 80;
  std::string all;
  for (const std::string& line : wrapped(text, columns, "#" + first, "#" + std::string(indent, ' ')))
    all += line + "\n";
  return all;
}

std::string message_line(std::string_view text, std::size_t most) {
  constexpr std::string_view gap = " ... ";
  std::string line = printable(text);
  if (line.size() <= most) return line;
  std::size_t head = (most - gap.size()) / 2, tail = line.size() - (most - gap.size() - head);
  while (head > 0 && continues(line[head])) --head;
  while (tail < line.size() && continues(line[tail])) ++tail;
  return line.substr(0, head) + std::string(gap) + line.substr(tail);
}

void print_message(std::string_view program, std::string_view text) {
  const std::string line = fmt::format("{}: {}\n", printable(program), message_line(text));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace busbar
