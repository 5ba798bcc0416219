// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/enum_words.hpp"
#include "core/base/error.hpp"

/// Reads and writes all JSON. No other file includes the library, so the whole program parses alike. For .cpp files
/// only: headers include <nlohmann/json_fwd.hpp>.
namespace nlohmann {

/// Integers. The library truncates values that do not fit; this throws type_error 302, as for a wrong type.
template <std::integral T>
  requires(!std::same_as<T, bool>)
struct adl_serializer<T, void> {
  template <class Json>
  static void to_json(Json& j, T v) {
    nlohmann::to_json(j, v);
  }
  template <class Json>
  static void from_json(const Json& j, T& v) {
    if (!fits(j))
      throw detail::type_error::create(
          302,
          "type must be a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
              std::to_string(std::numeric_limits<T>::max()) + ", but is " + (j.is_number() ? j.dump() : j.type_name()),
          &j);
    nlohmann::from_json(j, v);
  }

 private:
  template <class Json>
  static bool fits(const Json& j) {
    if (j.is_number_unsigned()) return std::in_range<T>(j.template get_ref<const typename Json::number_unsigned_t&>());
    if (j.is_number_integer()) return std::in_range<T>(j.template get_ref<const typename Json::number_integer_t&>());
    return j.is_number_float() && whole(j.template get_ref<const typename Json::number_float_t&>());
  }
  /// True for 1e6; false for 0.5 and 1e300.
  static bool whole(double d) {
    constexpr auto end = 2 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);  // smallest value out of range
    return d >= static_cast<double>(std::numeric_limits<T>::min()) && d < end && std::trunc(d) == d;
  }
};

/// std::optional: empty is null. A missing key reads as empty too.

template <class T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& j, const std::optional<T>& v) {
    if (v)
      j = *v;
    else
      j = nullptr;
  }
  static void from_json(const json& j, std::optional<T>& v) {
    if (j.is_null())
      v.reset();
    else
      v = j.get<T>();
  }
};

}  // namespace nlohmann

namespace busbar {

/// Reads j[key] into `out`. If the key is missing, `out` is unchanged.
template <class T>
void read(const nlohmann::json& j, const char* key, T& out) {
  if (const auto it = j.find(key); it != j.end()) it->get_to(out);
}

/// Enums as their words. An unknown word, e.g. of a later version, reads as "unknown" if the enum has that word;
/// otherwise throws Error.
template <HasWords T>
void to_json(nlohmann::json& j, T value) {
  j = name(value);
}
template <HasWords T>
void from_json(const nlohmann::json& j, T& value) {
  const auto& word = j.get_ref<const std::string&>();
  auto known = enum_named<T>(word);
  if (!known) known = enum_named<T>("unknown");
  if (!known) throw Error("unknown word '" + word + "'; known: " + words_list<T>());
  value = *known;
}

}  // namespace busbar
