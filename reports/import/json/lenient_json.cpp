// SPDX-License-Identifier: Apache-2.0
#include "reports/import/json/lenient_json.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/base/parse_json.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

using Json = nlohmann::json;

constexpr std::size_t deepest = 32;
constexpr std::size_t most_values = 50'000'000;

bool ends_word(char c) { return std::string_view(" \t\r\n,:]}").find(c) != std::string_view::npos; }

/// Length of a bare "inf", "-nan", "Infinity", ... at the start of `rest`; 0 if there is none.
std::size_t not_a_number(std::string_view rest) {
  constexpr std::array<std::string_view, 6> words{"Infinity", "infinity", "inf", "NaN", "nan", "Inf"};
  const std::size_t sign = rest.starts_with('-') || rest.starts_with('+') ? 1 : 0;
  for (const std::string_view word : words) {
    const std::size_t end = sign + word.size();
    if (rest.substr(sign).starts_with(word) && (end == rest.size() || ends_word(rest[end]))) return end;
  }
  return 0;
}

/// The text with bare inf and nan replaced by null, except in strings.
struct Nulled {
  std::string text;
  std::size_t replaced = 0;
  bool torn_word = false;  ///< ends inside an unquoted word, which may be truncated
};

Nulled with_nulls(std::string_view text) {
  Nulled out;
  out.text.reserve(text.size());
  bool quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t skipped = quoted && c == '\\' ? 1 : 0;
    if (c == '"') quoted = !quoted;
    const std::size_t length = quoted || !(c == '-' || c == '+' || c == 'i' || c == 'I' || c == 'n' || c == 'N')
                                   ? 0
                                   : not_a_number(text.substr(at, 16));
    if (length > 0) {
      out.text += "null";
      at += length;
      ++out.replaced;
    } else {
      out.text += text.substr(at, 1 + skipped);
      at += 1 + skipped;
    }
  }
  out.torn_word = !text.empty() && !quoted && text.back() != '"' && !ends_word(text.back());
  return out;
}

/// SAX handler that builds a value and keeps the partial result if parsing stops early.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(const Nulled& source) : text_(source.text), torn_word_(source.torn_word) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool v) override { return put(v); }
  bool number_integer(number_integer_t v) override { return put(v); }
  bool number_unsigned(number_unsigned_t v) override { return put(v); }
  bool number_float(number_float_t v, const string_t&) override { return put(v); }
  bool string(string_t& v) override { return put(std::move(v)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool key(string_t& name) override {
    open_.back().key = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string&, const Json::exception& e) override {
    const auto line = std::ranges::count(text_.substr(0, position), '\n') + 1;
    const std::string said = quotable(describe_json_error(e));
    if (position > text_.size())
      cut_ = fmt::format("it ends in the middle of line {}", line);
    else
      cut_ = said.starts_with("line ") ? said : fmt::format("line {}: {}", line, said);
    return false;
  }

  /// The parsed value, after the parser finished or stopped early.
  [[nodiscard]] LenientJson finish(bool whole, std::size_t keep_depth) {
    if (whole) return {.value = std::move(root_), .cut = std::nullopt};
    if (!open_.empty() && open_.back().may_be_torn && torn_word_) drop_last();
    while (!open_.empty()) {
      Json value = std::move(open_.back().value);
      open_.pop_back();
      if (open_.size() < keep_depth) store(std::move(value));
    }
    return {.value = std::move(root_), .cut = cut_.value_or("it is nested too deep or has too many values")};
  }

 private:
  struct Open {
    Json value;
    std::string key = {}, last_key = {};  ///< of the next and of the last member
    bool may_be_torn = false;             ///< the last member is a scalar, so the text may end inside it
  };

  bool put(Json value) {
    if (++values_ > most_values) return false;
    store(std::move(value));
    return true;
  }
  void store(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& parent = open_.back();
    parent.may_be_torn = !value.is_structured();
    if (parent.value.is_array()) {
      parent.value.push_back(std::move(value));
    } else {
      parent.last_key = parent.key;
      parent.value[parent.key] = std::move(value);
    }
  }
  bool open(Json value) {
    if (open_.size() >= deepest) return false;
    open_.push_back({.value = std::move(value)});
    return true;
  }
  bool close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return put(std::move(value));
  }
  /// Drops a number at the end of the text: the parser reports it even if it is truncated.
  void drop_last() {
    Open& last = open_.back();
    if (last.value.is_array())
      last.value.erase(last.value.size() - 1);
    else
      last.value.erase(last.last_key);
  }

  std::string_view text_;
  bool torn_word_;
  Json root_;
  std::vector<Open> open_;
  std::optional<std::string> cut_;
  std::size_t values_ = 0;
};

}  // namespace

LenientJson parse_lenient(std::string_view text, std::size_t keep_depth) {
  const Nulled valid = with_nulls(text);
  Builder builder(valid);
  const bool whole = Json::sax_parse(valid.text, &builder);
  LenientJson result = builder.finish(whole, keep_depth);
  result.not_numbers = valid.replaced;
  return result;
}

std::optional<double> amount_of(const Json& value) {
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  return is_measurable(number) && number >= 0 ? std::optional(number) : std::nullopt;
}

const Json* Members::find(const char* key) const {
  if (!object_.is_object()) return nullptr;
  const auto member = object_.find(key);
  return member == object_.end() ? nullptr : &*member;
}

const Json* Members::list(const char* key) const {
  const Json* value = find(key);
  return value != nullptr && value->is_array() ? value : nullptr;
}

const Json* Members::object(const char* key) const {
  const Json* value = find(key);
  return value != nullptr && value->is_object() ? value : nullptr;
}

std::optional<std::string> Members::text(const char* key) const {
  const Json* value = find(key);
  return value != nullptr && value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
}

std::optional<double> Members::amount(const char* key) const {
  const Json* value = find(key);
  return value == nullptr ? std::nullopt : amount_of(*value);
}

std::optional<std::uint64_t> Members::count(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  const auto number = amount_of(*value);
  constexpr double exact = 9007199254740992.0;  // all integers up to 2^53 are exact in a double
  return number && *number <= exact && *number == std::floor(*number)
             ? std::optional(static_cast<std::uint64_t>(*number))
             : std::nullopt;
}

std::optional<int> Members::small_count(const char* key) const {
  const auto number = count(key);
  return number && *number <= INT_MAX ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<bool> Members::truth(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_boolean()) return value->get<bool>();
  const auto word = text(key).value_or("");
  if (word == "true") return true;
  return word == "false" ? std::optional(false) : std::nullopt;
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

std::string_view first_json_key(std::string_view text) {
  text = without_blanks(text);
  if (!text.starts_with('{')) return {};
  text = without_blanks(text.substr(1));
  if (!text.starts_with('"')) return {};
  text.remove_prefix(1);
  const std::size_t end = text.find('"');
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

}  // namespace busbar
