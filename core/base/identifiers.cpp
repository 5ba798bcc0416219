// SPDX-License-Identifier: Apache-2.0
#include "core/base/identifiers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include <arpa/inet.h>

namespace busbar {
namespace {

bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Number of leading hexadecimal digits.
std::size_t hex_digits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_hex) - text.begin());
}

/// True if no letter or digit follows the first `length` characters.
bool ends(std::string_view text, std::size_t length) {
  return length >= text.size() || !is_letter_or_digit(text[length]);
}

/// Length of hexadecimal groups with these digit counts, e.g. 8-4-4-4-12; 0 if `text` does not start with exactly
/// these.
template <std::size_t N>
std::size_t groups(std::string_view text, const std::array<std::size_t, N>& digits, char separator) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < N; ++i) {
    if (i > 0 && !text.substr(length).starts_with(separator)) return 0;
    length += i > 0;
    if (hex_digits(text.substr(std::min(length, text.size()))) != digits[i]) return 0;
    length += digits[i];
  }
  return ends(text, length) && !text.substr(length).starts_with(separator) ? length : 0;
}

std::optional<Identifier> uuid(std::string_view text) {
  constexpr std::array<std::size_t, 5> digits{8, 4, 4, 4, 12};
  struct Prefix {
    std::string_view text, kind;
  };
  for (const auto& [prefix, kind] : {Prefix{"MIG-GPU-", "mig"}, {"MIG-", "mig"}, {"GPU-", "gpu"}, {"", "uuid"}}) {
    if (!text.starts_with(prefix)) continue;
    if (const auto length = groups(text.substr(prefix.size()), digits, '-'); length > 0)
      return Identifier{kind, prefix.size() + length};
  }
  return std::nullopt;
}

std::optional<Identifier> hardware_address(std::string_view text) {
  if (hex_digits(text) != 2 || text.size() < 3 || (text[2] != ':' && text[2] != '-')) return std::nullopt;
  std::size_t length = 2, number = 1;
  while (text.substr(length).starts_with(text[2]) && hex_digits(text.substr(length + 1)) == 2) {
    length += 3;
    ++number;
  }
  const bool has_letter = std::ranges::any_of(text.substr(0, length), [](unsigned char c) { return std::isalpha(c); });
  if (number < 6 || !ends(text, length) || (text[2] == '-' && !has_letter)) return std::nullopt;  // 26-01-31-12-00-00
  return Identifier{number == 6 ? "mac" : "guid", length};
}

std::optional<Identifier> guid(std::string_view text) {
  if (const auto length = groups(text, std::array<std::size_t, 4>{4, 4, 4, 4}, ':'); length > 0)
    return Identifier{"guid", length};
  if (text.starts_with("0x") && hex_digits(text.substr(2)) == 16 && ends(text, 18)) return Identifier{"guid", 18};
  return std::nullopt;
}

bool is_address(int family, std::string_view text) {
  std::array<unsigned char, 16> bytes{};
  return ::inet_pton(family, std::string(text).c_str(), bytes.data()) == 1;
}

std::optional<Identifier> ip_address(std::string_view text) {
  const auto part = [](char c) { return is_hex(c) || c == ':' || c == '.'; };
  std::string_view word = text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, part) - text.begin()));
  if (!ends(text, word.size())) return std::nullopt;
  const std::string_view number = word.substr(0, word.find(':'));  // "10.0.0.1:4000" has a port
  const std::string_view four = number.substr(0, number.find_last_not_of('.') + 1);
  if (is_address(AF_INET, four)) {
    if (four.starts_with("127.") || four == "0.0.0.0") return std::nullopt;
    return Identifier{"addr", four.size()};
  }
  while (!word.empty() && (word.back() == '.' || (word.back() == ':' && !word.ends_with("::")))) word.remove_suffix(1);
  if (std::ranges::count(word, ':') < 2 || !is_address(AF_INET6, word) || word == "::" || word == "::1")
    return std::nullopt;
  return Identifier{"addr", word.size()};
}

std::optional<Identifier> node_list(std::string_view text) {
  const auto name = [](char c) { return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.'; };
  const auto open = static_cast<std::size_t>(std::ranges::find_if_not(text, name) - text.begin());
  if (open == 0 || std::isalpha(static_cast<unsigned char>(text[0])) == 0 || !text.substr(open).starts_with('['))
    return std::nullopt;
  const auto close = text.find_first_not_of("0123456789,-", open + 1);
  if (close == std::string_view::npos || text[close] != ']') return std::nullopt;
  if (text.substr(open, close - open).find_first_of(",-") == std::string_view::npos) return std::nullopt;
  return Identifier{"hosts", close + 1};
}

}  // namespace

std::optional<Identifier> identifier_at(std::string_view text, std::size_t at) {
  const char before = at == 0 ? ' ' : text[at - 1];
  if (is_letter_or_digit(before)) return std::nullopt;
  const std::string_view here = text.substr(at);
  for (const auto form : {uuid, hardware_address, guid, node_list})
    if (const auto found = form(here)) return found;
  return before == '.' || before == ':' || before == '-' ? std::nullopt : ip_address(here);
}

}  // namespace busbar
