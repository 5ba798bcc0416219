// SPDX-License-Identifier: Apache-2.0
// Reads profiles. The input is untrusted, so all sizes and values are bounded.
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "workloads/networks/data.hpp"
#include "workloads/networks/profile.hpp"

namespace busbar {
namespace {

constexpr std::size_t most_profile_bytes = 16 << 20, most_lines = 100'000;
constexpr double hour_us = 3.6e9;
constexpr std::uint64_t most_profile_elements = std::uint64_t{1} << 42;  ///< of all gradients
constexpr std::uint64_t most_crossing = std::uint64_t{1} << 50;          ///< bytes per transfer
constexpr std::string_view blanks = " \t";

/// Makes text safe to print: printable and short.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string s(text.substr(0, most));
  for (char& c : s)
    if (c < ' ' || c > '~') c = '?';
  return text.size() > most ? s + "..." : s;
}

struct Place {
  std::string_view file;
  std::size_t line = 0;
  [[noreturn]] void refuse(std::string_view problem, std::string_view accepted) const {
    throw UsageError(fmt::format("{}:{}: {}; {}", file, line, problem, accepted));
  }
};

std::string_view trimmed(std::string_view s) {
  const auto begin = s.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return s.substr(begin, s.find_last_not_of(blanks) - begin + 1);
}

/// Removes the first word from `rest` and returns it; empty if there is none.
std::string_view next_word(std::string_view& rest) {
  rest = trimmed(rest);
  const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
  rest.remove_prefix(word.size());
  return word;
}

std::uint64_t whole(const Place& at, std::string_view what, std::string_view word, std::uint64_t least,
                    std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc{} || end != word.data() + word.size() || value < least || value > most)
    at.refuse(fmt::format("{} is '{}'", what, shown(word)), fmt::format("a whole number from {} to {}", least, most));
  return value;
}

double time_us(const Place& at, std::string_view word) {
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc{} || end != word.data() + word.size() || !(value >= 0 && value <= hour_us) ||
      std::signbit(value))
    at.refuse(fmt::format("the time is '{}'", shown(word)), "microseconds, from 0 to 3600000000 (an hour)");
  return value;
}

/// A key of the header.
struct Key {
  std::string_view name;
  bool required = true;
  void (*set)(Profile&, const Place&, std::string_view value) = nullptr;
};

constexpr std::array<Key, 10> keys{{
    {"model", true, [](Profile& p, const Place&, std::string_view value) { p.model = value; }},
    {"device", true, [](Profile& p, const Place&, std::string_view value) { p.device = value; }},
    {"precision", true, [](Profile& p, const Place&, std::string_view value) { p.precision = value; }},
    {"batch", true,
     [](Profile& p, const Place& at, std::string_view value) {
       p.batch = static_cast<int>(whole(at, "batch", value, 1, 1'000'000'000));
     }},
    {"sample", true,
     [](Profile& p, const Place& at, std::string_view value) {
       if (value != "image" && value != "sequence")
         at.refuse(fmt::format("sample is '{}'", shown(value)), "image or sequence");
       p.sample = value;
     }},
    {"image", false,
     [](Profile& p, const Place& at, std::string_view value) {
       p.image = static_cast<int>(whole(at, "image", value, 1, 1'000'000));
     }},
    {"heads", false,
     [](Profile& p, const Place& at, std::string_view value) {
       p.heads = static_cast<int>(whole(at, "heads", value, 1, 1'000'000));
     }},
    {"element_bytes", true,
     [](Profile& p, const Place& at, std::string_view value) {
       p.element_bytes = static_cast<int>(whole(at, "element_bytes", value, 1, 8));
       if ((p.element_bytes & (p.element_bytes - 1)) != 0)
         at.refuse(fmt::format("element_bytes is '{}'", shown(value)), "1, 2, 4 or 8");
     }},
    {"provenance", true, [](Profile& p, const Place&, std::string_view value) { p.provenance = value; }},
    {"source", true, [](Profile& p, const Place&, std::string_view value) { p.source = value; }},
}};

std::string known_keys() {
  std::vector<std::string_view> names;
  for (const Key& key : keys) names.push_back(key.name);
  return fmt::format("known: {}", fmt::join(names, ", "));
}

/// Parses line by line, in this order: header, F lines, B lines, O line.
class Reader {
 public:
  explicit Reader(std::string_view file) : at_{file} {}

  void read_line(std::string_view line) {
    if (++at_.line > most_lines) at_.refuse("too many lines", fmt::format("up to {}", most_lines));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (at_.line == 1) return first(line);
    std::string_view rest = trimmed(line);
    if (rest.empty() || rest.front() == '#') return;
    for (const char c : rest)
      if ((c >= '\0' && c < ' ' && c != '\t') || c == '\x7f') at_.refuse("a control character", "lines of text");
    const std::string_view word = next_word(rest);
    if (word == "F") return forward(rest);
    if (word == "B") return backward(rest);
    if (word == "O") return optimiser(rest);
    header(word, trimmed(rest));
  }

  Profile finish() {
    if (part_ != Part::over) at_.refuse("the file ends without an O line", "F lines, B lines, then 'O MICROSECONDS'");
    return std::move(profile_);
  }

 private:
  enum class Part { header, forward, backward, over };

  void first(std::string_view line) const {
    if (trimmed(line) != "busbar-profile 1")
      at_.refuse(fmt::format("'{}' is not the first line of a profile", shown(line)), "busbar-profile 1");
  }

  void go_to(Part part) {
    if (part < part_ || part_ == Part::over) at_.refuse("out of order", "the header, F lines, B lines, one O line");
    if (part_ == Part::header && part != Part::header)
      for (const Key& key : keys)
        if (key.required && !seen_.contains(key.name))
          at_.refuse(fmt::format("no '{}' in front of the events", key.name),
                     "a line '" + std::string(key.name) + " VALUE'");
    part_ = part;
  }

  void header(std::string_view word, std::string_view value) {
    for (const Key& key : keys) {
      if (key.name != word) continue;
      go_to(Part::header);
      if (value.empty()) at_.refuse(fmt::format("{} has no value", word), fmt::format("'{} VALUE'", word));
      if (!seen_.insert(key.name).second) at_.refuse(fmt::format("{} a second time", key.name), "each key once");
      return key.set(profile_, at_, value);
    }
    at_.refuse(fmt::format("unknown key '{}'", shown(word)), known_keys() + ", and lines F, B, O");
  }

  void forward(std::string_view rest) {
    go_to(Part::forward);
    ForwardEvent& event = profile_.forward.emplace_back();
    event.layer = layer(rest);
    if (!layers_.insert(event.layer).second)
      at_.refuse(fmt::format("layer '{}' has an F line already", shown(event.layer)), "one for each layer");
    event.us = time_us(at_, next_word(rest));
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest))
      if (!crossing("cut", word, event.cut_bytes) && !crossing("allreduce", word, event.allreduce_bytes))
        at_.refuse(fmt::format("'{}'", shown(word)), "F LAYER MICROSECONDS [cut=BYTES] [allreduce=BYTES]");
  }

  void backward(std::string_view rest) {
    go_to(Part::backward);
    BackwardEvent& event = profile_.backward.emplace_back();
    event.layer = layer(rest);
    if (!layers_.contains(event.layer))
      at_.refuse(fmt::format("layer '{}' has no F line", shown(event.layer)), "a layer of the forward pass");
    event.us = time_us(at_, next_word(rest));
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      if (crossing("allreduce", word, event.allreduce_bytes)) continue;
      const std::uint64_t elements = whole(at_, "elements of a gradient", word, 1, most_profile_elements);
      if ((elements_ += elements) > most_profile_elements)
        at_.refuse("too many elements", fmt::format("up to {} in all gradients", most_profile_elements));
      event.gradients.push_back(elements);
    }
  }

  void optimiser(std::string_view rest) {
    go_to(Part::over);
    if (profile_.forward.empty()) at_.refuse("no F line", "one for each layer");
    if (elements_ == 0) at_.refuse("no gradients", "B LAYER MICROSECONDS [ELEMENTS ...] [allreduce=BYTES]");
    profile_.optimiser_us = time_us(at_, next_word(rest));
    if (const auto word = next_word(rest); !word.empty())
      at_.refuse(fmt::format("'{}'", shown(word)), "O MICROSECONDS");
    if (!(step_s(profile_) > 0)) at_.refuse("all times are 0", "at least one above 0");
  }

  std::string layer(std::string_view& rest) const {
    const std::string_view name = next_word(rest);
    if (name.empty() || name.size() > 200) at_.refuse("no name of a layer", "one word of up to 200 characters");
    return std::string(name);
  }

  /// Parses `word` if it is KEY=BYTES; returns whether it is.
  bool crossing(std::string_view key, std::string_view word, std::optional<std::uint64_t>& bytes) const {
    if (word.substr(0, word.find('=')) != key || word.size() == key.size()) return false;
    if (bytes) at_.refuse(fmt::format("{} a second time", key), "once a line");
    bytes = whole(at_, key, word.substr(key.size() + 1), 1, most_crossing);
    return true;
  }

  Place at_;
  Part part_ = Part::header;
  Profile profile_;
  std::set<std::string_view> seen_;  ///< keys seen so far
  std::set<std::string> layers_;
  std::uint64_t elements_ = 0;
};

}  // namespace

Profile parse_profile(std::string_view text, std::string_view file) {
  Reader reader(file);
  if (text.size() > most_profile_bytes)
    Place{file, 1}.refuse("too large", fmt::format("up to {} bytes", most_profile_bytes));
  if (text.empty()) Place{file, 1}.refuse("empty", "busbar-profile 1");
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    reader.read_line(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return reader.finish();
}

Profile read_profile(const std::filesystem::path& path) {
  return parse_profile(read_beginning(path, most_profile_bytes + 1), path.string());
}

}  // namespace busbar
