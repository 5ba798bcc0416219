// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/strict_object.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/parse_json.hpp"
#include "reports/text/text.hpp"

namespace busbar::suite {

std::string shown(const nlohmann::json& value) {
  return report::shortened(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), 60);
}

nlohmann::json parse_strictly(std::string_view text, const std::string& file) {
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> open;  // keys of the objects that are being parsed
  std::string twice;
  const auto note_key = [&](int /*depth*/, Event event, const nlohmann::json& parsed) {
    if (event == Event::object_start) open.emplace_back();
    if (event == Event::object_end) open.pop_back();
    if (event == Event::key && !open.back().insert(parsed.get<std::string>()).second && twice.empty())
      twice = parsed.get<std::string>();
    return true;
  };
  try {
    refuse_deep_json(text);
    auto json = nlohmann::json::parse(text, note_key);
    if (!twice.empty()) throw Error(fmt::format("the key '{}' is there twice", twice));
    return json;
  } catch (const Error& e) {
    throw UsageError(fmt::format("{}: {}", file, e.what()));
  } catch (const nlohmann::json::parse_error& e) {
    const auto before = text.substr(0, std::min(e.byte, text.size()));
    throw UsageError(
        fmt::format("{}:{}: is not JSON: {}", file, 1 + std::ranges::count(before, '\n'), describe_json_error(e)));
  } catch (const nlohmann::json::out_of_range& e) {  // a number out of range: 1e999
    throw UsageError(fmt::format("{}: {}", file, describe_json_error(e)));
  }
}

StrictObject::StrictObject(const nlohmann::json& json, std::string file, std::string place,
                           std::initializer_list<std::string_view> known)
    : json_(json), file_(std::move(file)), place_(std::move(place)) {
  if (!json.is_object()) wrong("", fmt::format("{} is not an object {{...}}", shown(json)));
  for (const auto& [key, value] : json.items())
    if (std::ranges::find(known, key) == known.end())
      wrong(key, fmt::format("is not a key here; known: {}", fmt::join(known, ", ")));
}

std::string StrictObject::place_of(std::string_view key) const {
  if (key.empty()) return place_;
  return place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
}

void StrictObject::wrong(std::string_view key, std::string_view what) const {
  const std::string place = place_of(key);
  throw UsageError(fmt::format("{}: {}{}", file_, place.empty() ? "" : place + ": ", what));
}

const nlohmann::json& StrictObject::at(std::string_view key) const {
  if (!has(key)) wrong(key, "is missing");
  return json_.at(std::string(key));
}

std::string StrictObject::text(std::string_view key) const {
  const auto& value = at(key);
  if (!value.is_string() || value.get_ref<const std::string&>().empty())
    wrong(key, fmt::format("{} is not a text \"...\"", shown(value)));
  return value;
}

std::string StrictObject::text_or(std::string_view key, std::string otherwise) const {
  return has(key) ? text(key) : otherwise;
}

bool StrictObject::flag_or(std::string_view key, bool otherwise) const {
  if (!has(key)) return otherwise;
  if (!at(key).is_boolean()) wrong(key, fmt::format("{} is neither true nor false", shown(at(key))));
  return at(key);
}

int StrictObject::count_or(std::string_view key, int otherwise, int low, int high) const {
  if (!has(key)) return otherwise;
  const auto& value = at(key);
  const bool whole = value.is_number_integer();
  if (!whole || value < low || value > high)
    wrong(key, fmt::format("{} is not a whole number from {} to {}", shown(value), low, high));
  return value;
}

std::vector<std::string> StrictObject::texts_or_none(std::string_view key) const {
  if (!has(key)) return {};
  if (!at(key).is_array()) wrong(key, fmt::format("{} is not a list of texts [\"...\"]", shown(at(key))));
  std::vector<std::string> texts;
  for (const auto& value : at(key)) {
    if (!value.is_string())
      wrong(fmt::format("{}[{}]", key, texts.size()), fmt::format("{} is not a text", shown(value)));
    texts.push_back(value);
  }
  return texts;
}

std::map<std::string, std::string> StrictObject::names_or_none(std::string_view key) const {
  if (!has(key)) return {};
  if (!at(key).is_object())
    wrong(key, fmt::format("{} is not an object of texts {{\"...\": \"...\"}}", shown(at(key))));
  std::map<std::string, std::string> names;
  for (const auto& [name, value] : at(key).items()) {
    if (!value.is_string()) wrong(fmt::format("{}.{}", key, name), fmt::format("{} is not a text", shown(value)));
    names[name] = value;
  }
  return names;
}

}  // namespace busbar::suite
