// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutate.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace busbar::fuzz {
namespace {

constexpr std::size_t longest = 256 << 10;

constexpr std::array<std::string_view, 18> extremes{"0",
                                                    "-1",
                                                    "1e308",
                                                    "1e-320",
                                                    "-0.0",
                                                    "inf",
                                                    "nan",
                                                    "2147483647",
                                                    "2147483648",
                                                    "4294967296",
                                                    "1e999",
                                                    "0.00",
                                                    "1e15",
                                                    "N/A",
                                                    "99",
                                                    "123456789",
                                                    "9223372036854775807",
                                                    "18446744073709551616"};

bool digit(char c) { return c >= '0' && c <= '9'; }

/// `count` times `unit`.
std::string repeated(std::string_view unit, std::size_t count) {
  std::string text;
  text.reserve(unit.size() * count);
  for (std::size_t i = 0; i < count; ++i) text += unit;
  return text;
}

/// Arrays or objects in each other; one of four is not closed.
std::string deep(std::size_t depth, std::mt19937_64& random) {
  const bool arrays = random() % 2 == 0;
  std::string text = repeated(arrays ? "[" : "{\"a\":", depth) + "0";
  if (random() % 4 != 0) text += repeated(arrays ? "]" : "}", depth);
  return text;
}

/// An array of numbers or an object of members, which may all have the same name.
std::string wide(std::size_t count, std::mt19937_64& random) {
  if (random() % 2 == 0) return "[0" + repeated(",0", count) + "]";
  const bool one_name = random() % 2 == 0;
  std::string text = "{\"a\":0";
  for (std::size_t i = 0; i < count; ++i) text += one_name ? ",\"a\":0" : ",\"a" + std::to_string(i) + "\":0";
  return text + "}";
}

/// A word or a number.
std::string long_one(std::size_t length, std::mt19937_64& random) {
  if (random() % 2 == 0) return '"' + std::string(length, 'a') + '"';
  return std::string(length, '9');
}

}  // namespace

void put_structure(std::string& text, std::mt19937_64& random) {
  const std::size_t colon = text.empty() ? std::string::npos : text.find(':', random() % text.size());
  const std::size_t at = colon == std::string::npos ? random() % (text.size() + 1) : colon + 1;
  const std::size_t end = colon == std::string::npos ? at : std::min(text.find_first_of(",}]\n", at), text.size());
  const std::size_t size = std::size_t{1} << random() % 16;  // as often small as large
  constexpr std::array makers{deep, wide, long_one};
  text.replace(at, end - at, makers[random() % makers.size()](size, random));
}

std::string Mutator::next() {
  std::string text = seeds_[below(seeds_.size())];
  const std::size_t changes = 1 + below(4);
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    switch (below(8)) {
      case 0:
        flip(text);
        break;
      case 1:
        cut(text);
        break;
      case 2:
        splice(text);
        break;
      case 3:
        repeat_line(text);
        break;
      case 4:
        put_structure(text, random_);
        break;
      default:  // numbers are what these formats are made of
        replace_number(text);
    }
  }
  text.resize(std::min(text.size(), longest));
  return text;
}

void Mutator::flip(std::string& text) { text[below(text.size())] = static_cast<char>(below(256)); }

void Mutator::cut(std::string& text) {
  const std::size_t at = below(text.size());
  text.erase(at, below(4) == 0 ? std::string::npos : 1 + below(64));
}

void Mutator::splice(std::string& text) {
  const std::string& other = seeds_[below(seeds_.size())];
  if (!other.empty()) text.insert(below(text.size() + 1), other, below(other.size()), 1 + below(512));
}

void Mutator::replace_number(std::string& text) {
  const std::size_t from = below(text.size());
  const auto first = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), digit);
  const auto last = std::find_if_not(first, text.end(), [](char c) { return digit(c) || c == '.'; });
  text.replace(first, last, extremes[below(extremes.size())]);
}

void Mutator::repeat_line(std::string& text) {
  const std::size_t at = below(text.size());
  const std::size_t first = text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at) + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
  if (end >= first) text.insert(first, text.substr(first, std::min<std::size_t>(end - first + 1, 4096)));
}

}  // namespace busbar::fuzz
