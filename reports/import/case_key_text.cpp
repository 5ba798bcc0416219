// SPDX-License-Identifier: Apache-2.0
#include "reports/import/case_key_text.hpp"

#include <climits>
#include <string>
#include <vector>

#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// Iterates over the parts of a key; each method fails if the next part does not match.
class Parts {
 public:
  explicit Parts(std::string_view text) : parts_(parts_of(text)) {}

  [[nodiscard]] bool done() const { return at_ == parts_.size(); }
  [[nodiscard]] std::string_view peek() const { return done() ? std::string_view{} : parts_[at_]; }
  std::string word() { return done() ? std::string() : std::string(parts_[at_++]); }
  /// A word; empty for "?".
  std::optional<std::string> known() {
    std::string text = word();
    return text.empty() || text == "?" ? std::nullopt : std::optional(std::move(text));
  }
  bool skip(std::string_view what) {
    if (peek() != what) return false;
    ++at_;
    return true;
  }
  /// The value after "name:"; with `rest_of_two` it may span two parts. Empty if the next part has another name.
  std::optional<std::string> named(std::string_view name, bool rest_of_two = false) {
    if (!peek().starts_with(name)) return std::nullopt;
    std::string value(parts_[at_++].substr(name.size()));
    if (rest_of_two && !done() && peek().find(':') == std::string_view::npos) value += "/" + word();
    return value;
  }
  std::optional<int> number(std::string_view name) {
    const auto value = integer(named(name).value_or("?"));
    return value && *value >= 0 && *value <= INT_MAX ? std::optional(static_cast<int>(*value)) : std::nullopt;
  }

 private:
  std::vector<std::string_view> parts_;
  std::size_t at_ = 0;
};

bool in_the_middle(std::string_view part) {
  return !part.starts_with("root:") && part != "in_place" && part != "out_of_place" && !part.starts_with("ranks:");
}

}  // namespace

std::optional<CaseKey> parse_case_key(std::string_view text) {
  Parts parts(text);
  CaseKey k{.collective = parts.word(), .backend = parts.word(), .memory = parts.known(), .group = "world"};
  if (in_the_middle(parts.peek())) k.type = parts.word();
  if (in_the_middle(parts.peek())) k.op = parts.word();
  k.root = parts.number("root:");
  if (parts.skip("in_place"))
    k.in_place = true;
  else if (parts.skip("out_of_place"))
    k.in_place = false;
  k.ranks = parts.number("ranks:").value_or(0);
  k.nodes = parts.number("nodes:");
  k.ranks_per_node = parts.number("ranks_per_node:");
  if (k.nodes == 1) k.ranks_per_node = k.ranks;
  k.cadence = parts.known();
  k.algorithm = parts.named("algorithm:", true);
  if (auto group = parts.named("group:")) {
    while (parts.peek().starts_with(' ')) *group += "/" + parts.word();  // "rank / 8"
    k.group = std::move(*group);
  }
  k.counts = parts.named("counts:");
  k.window = parts.number("window:");
  k.form = parts.named("form:");
  k.progress = parts.named("progress:");
  k.work = parts.number("work:");
  const auto bytes = integer(parts.named("bytes:").value_or(""));
  if (!bytes || *bytes < 0) return std::nullopt;
  k.bytes = static_cast<std::uint64_t>(*bytes);
  return parts.done() && k.ranks > 0 && to_string(k) == text ? std::optional(std::move(k)) : std::nullopt;
}

}  // namespace busbar
