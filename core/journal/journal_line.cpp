// SPDX-License-Identifier: Apache-2.0
#include "core/journal/journal_line.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/field.hpp"
#include "core/record/launch_record.hpp"
#include "core/record/run_record.hpp"

namespace busbar {
namespace {

/// Removes parts of a line in place, in one pass from begin to end.
class Shortener {
 public:
  explicit Shortener(std::string& line) : line_(line) {}

  [[nodiscard]] std::size_t at() const { return at_; }
  void keep_until(std::size_t end) {
    if (kept_ != at_) std::memmove(line_.data() + kept_, line_.data() + at_, end - at_);
    kept_ += end - at_;
    at_ = end;
  }
  void drop_until(std::size_t end) { at_ = end; }
  /// Takes back the last kept character if it is this one.
  void drop_last_if(char last) {
    if (kept_ > 0 && line_[kept_ - 1] == last) --kept_;
  }
  void finish() {
    keep_until(line_.size());
    line_.resize(kept_);
  }

 private:
  std::string& line_;
  std::size_t kept_ = 0, at_ = 0;  // line_[0, kept_) is the result so far, line_[at_, ...) is to be looked at
};

/// Position of the closing quote of a text that starts at `first`; npos if it has none.
std::size_t end_of_text(const std::string& line, std::size_t first) {
  std::size_t at = line.find_first_of("\"\\", first);
  while (at != std::string::npos && line[at] == '\\') at = line.find_first_of("\"\\", at + 2);
  return at;
}

/// Position of the "]" of a list that starts at `first`; npos if it has none.
std::size_t end_of_list(const std::string& line, std::size_t first) {
  // Of numbers only, as most are: fast, because nothing is looked at one by one.
  const std::size_t next = std::min(line.find(']', first), line.size());
  const std::string_view inside = std::string_view(line).substr(first, next - first);
  if (inside.find('[') == std::string_view::npos && std::ranges::count(inside, '"') % 2 == 0 &&
      inside.find('\\') == std::string_view::npos)
    return next < line.size() ? next : std::string::npos;
  int depth = 1;
  for (std::size_t at = first; at < line.size(); ++at) {
    if (line[at] == '"') at = end_of_text(line, at + 1);
    if (at == std::string::npos) return at;
    if (line[at] == '[') ++depth;
    if (line[at] == ']' && --depth == 0) return at;
  }
  return std::string::npos;
}

/// Whether `text` ends with this key of a JSON object. Quotes in texts are escaped, so it can only be a key.
bool ends_with_key(std::string_view text, std::string_view key) {
  if (text.size() < key.size() + 2 || !text.ends_with('"')) return false;
  text.remove_suffix(1);
  return text.ends_with(key) && text[text.size() - key.size() - 1] == '"';
}

using Keys = std::unordered_set<std::string_view>;

template <class T>
const Part* part_of_type() {
  return &part_of(static_cast<const T*>(nullptr));
}

/// Keys whose empty value and whose absence read the same, in all structs of a record that have them.
Keys droppable_keys() {
  Keys some, others;
  for (const Part* part : with_parts({part_of_type<LaunchRecord>(), part_of_type<RunRecord>(),
                                      part_of_type<CaseRecord>(), part_of_type<EndRecord>()}))
    for (const Field& field : part->fields) {
      const bool may_be_empty = field.type.nullable || field.type.kind == Kind::list || field.type.kind == Kind::map;
      (may_be_empty && !field.needed && field.read != nullptr ? some : others).insert(field.key);
    }
  for (const std::string_view key : others) some.erase(key);
  return some;
}

/// Length of an empty value at the start of `text`; 0 if there is another.
std::size_t length_of_empty(std::string_view text) {
  if (text.empty() || (text[0] != 'n' && text[0] != '[' && text[0] != '{')) return 0;
  for (const std::string_view empty : {"null", "[]", "{}"})
    if (text.starts_with(empty)) return empty.size();
  return 0;
}

/// Begin of the member whose key has its closing quote at `at`; npos if it may not be dropped.
std::size_t begin_of_member(std::string_view line, std::size_t at, const Keys& droppable) {
  const std::size_t open = at == 0 ? std::string_view::npos : line.rfind('"', at - 1);
  if (open == std::string_view::npos || open == 0) return std::string_view::npos;
  const bool is_member = line[open - 1] == ',' || line[open - 1] == '{';  // else in a text, behind a backslash
  return is_member && droppable.contains(line.substr(open + 1, at - open - 1)) ? open : std::string_view::npos;
}

}  // namespace

void empty_lists(std::string& line, std::vector<std::string_view> keys) {
  Shortener shortener(line);
  while (!keys.empty()) {
    const std::size_t list = line.find(":[", shortener.at());
    if (list == std::string::npos) break;
    const std::string_view before = std::string_view(line).substr(shortener.at(), list - shortener.at());
    const bool is_named = std::erase_if(keys, [&](std::string_view key) { return ends_with_key(before, key); }) > 0;
    const std::size_t end = is_named ? end_of_list(line, list + 2) : std::string::npos;
    shortener.keep_until(list + 2);
    if (end != std::string::npos) shortener.drop_until(end);
  }
  shortener.finish();
}

void drop_empty_members(std::string& line) {
  static const Keys droppable = droppable_keys();
  Shortener shortener(line);
  for (std::size_t colon = line.find(':'); colon != std::string::npos; colon = line.find(':', colon + 1)) {
    if (colon == 0 || line[colon - 1] != '"') continue;
    const std::size_t length = length_of_empty(std::string_view(line).substr(colon + 1)), end = colon + 1 + length;
    if (length == 0 || end == line.size() || (line[end] != ',' && line[end] != '}')) continue;
    const std::size_t begin = begin_of_member(line, colon - 1, droppable);
    if (begin == std::string::npos) continue;
    shortener.keep_until(begin);
    if (line[end] == '}') shortener.drop_last_if(',');  // that of the member before it
    shortener.drop_until(line[end] == ',' ? end + 1 : end);
  }
  shortener.finish();
}

void refuse_long_texts(const std::string& line) {
  constexpr std::size_t most = std::size_t{1} << 20;
  if (line.size() <= most) return;
  for (std::size_t quote = line.find('"'); quote != std::string::npos;) {
    const std::size_t first = quote + 1, end = std::min(end_of_text(line, first), line.size());
    if (end - first > most)
      throw Error(
          fmt::format("a text of {} bytes at byte {} of the line; at most {} are read", end - first, first, most));
    quote = end < line.size() ? line.find('"', end + 1) : std::string::npos;
  }
}

nlohmann::json parse_line(const std::string& line) {
  std::string shorter = line;
  drop_empty_members(shorter);
  try {
    return parse_json(shorter);
  } catch (const nlohmann::json::parse_error&) {
    return parse_json(line);
  }
}

}  // namespace busbar
