// SPDX-License-Identifier: Apache-2.0
#include "reports/import/case_key_text.hpp"

#include <algorithm>
#include <string>

#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

/// Iterates over the parts of a key; each method fails if the next part does not match.
class Parts {
 public:
  explicit Parts(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] std::string_view peek() const { return before(rest_, "/"); }
  std::string word() {
    const std::string_view next = peek();
    done_ = next.size() == rest_.size();
    rest_.remove_prefix(std::min(next.size() + 1, rest_.size()));
    return std::string(next);
  }
  /// A word; empty for "?".
  std::optional<std::string> known() {
    std::string text = word();
    return text.empty() || text == "?" ? std::nullopt : std::optional(std::move(text));
  }
  bool skip(std::string_view what) {
    if (peek() != what) return false;
    word();
    return true;
  }
  /// The value after "name:"; with `rest_of_two` it may span two parts. Empty if the next part has another name.
  std::optional<std::string> named(std::string_view name, bool rest_of_two = false) {
    if (!peek().starts_with(name)) return std::nullopt;
    std::string value = word().substr(name.size());
    if (rest_of_two && !done() && !holds(peek(), ":")) value += "/" + word();
    return value;
  }
  std::optional<int> number(std::string_view name) { return small_integer(named(name).value_or("?")); }

 private:
  std::string_view rest_;
  bool done_ = false;
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
  const auto bytes = natural_number(parts.named("bytes:").value_or(""));
  if (!bytes) return std::nullopt;
  k.bytes = *bytes;
  return parts.done() && k.ranks > 0 && to_string(k) == text ? std::optional(std::move(k)) : std::nullopt;
}

}  // namespace busbar
