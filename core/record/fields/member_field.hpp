// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/json.hpp"
#include "core/record/field.hpp"
#include "core/record/json_text.hpp"
#include "core/record/parts.hpp"

/// Fields made from the members of a struct, with their types, reading and writing: for the tables in
/// core/record/fields/ only.
namespace busbar {

namespace detail {

template <class T>
struct TypeOf;

template <class T>
inline constexpr ValueType type_of = TypeOf<T>::value;

template <>
struct TypeOf<std::string> {
  static constexpr ValueType value{.kind = Kind::text};
};
template <HasWords T>
struct TypeOf<T> {
  static constexpr auto words = words_of(T{});
  static constexpr ValueType value{.kind = Kind::text, .words = words};
};
template <>
struct TypeOf<bool> {
  static constexpr ValueType value{.kind = Kind::boolean};
};
template <std::integral T>
struct TypeOf<T> {
  static constexpr ValueType value{.kind = Kind::integer};
};
template <>
struct TypeOf<double> {
  static constexpr ValueType value{.kind = Kind::number};
};
template <class T>
struct TypeOf<std::vector<T>> {
  static constexpr ValueType value{.kind = Kind::list, .element = &type_of<T>};
};
template <class T>
struct TypeOf<std::map<std::string, T>> {
  static constexpr ValueType value{.kind = Kind::map, .element = &type_of<T>};
};
template <HasPart T>
struct TypeOf<T> {
  static constexpr ValueType value{.kind = Kind::part,
                                   .part = []() -> const Part& { return part_of(static_cast<const T*>(nullptr)); }};
};
template <class T>
struct TypeOf<std::optional<T>> {
  static constexpr ValueType value = [] {
    ValueType of = type_of<T>;
    of.nullable = true;
    return of;
  }();
};

template <class Owner, class Value>
Owner owner_of(Value Owner::*);
template <class Owner, class Value>
Value value_of(Value Owner::*);
template <class Owner>
Owner read_by(void (*)(Owner&));

}  // namespace detail

/// Part::after_reading that calls a function of the struct.
template <auto Function>
void after_reading(void* owner) {
  Function(*static_cast<decltype(detail::read_by(Function))*>(owner));
}

/// Field of a member.
template <auto Member>
constexpr Field field(std::string_view key, std::string_view meaning) {
  using Owner = decltype(detail::owner_of(Member));
  using Value = decltype(detail::value_of(Member));
  return {.key = key,
          .meaning = meaning,
          .type = detail::type_of<Value>,
          .write = [](nlohmann::json& value, const void* owner) { value = static_cast<const Owner*>(owner)->*Member; },
          .append = [](JsonText& text, const void* owner) { text.add(static_cast<const Owner*>(owner)->*Member); },
          .read = [](const nlohmann::json& value, void* owner) { value.get_to(static_cast<Owner*>(owner)->*Member); }};
}

/// Field that `Of(owner)` computes: written but not read.
template <class Owner, auto Of>
constexpr Field derived(std::string_view key, std::string_view meaning) {
  using Value = std::remove_cvref_t<std::invoke_result_t<decltype(Of), const Owner&>>;
  return {.key = key,
          .meaning = meaning,
          .type = detail::type_of<Value>,
          .write = [](nlohmann::json& value,
                      const void* owner) { value = std::invoke(Of, *static_cast<const Owner*>(owner)); },
          .append = [](JsonText& text,
                       const void* owner) { text.add(std::invoke(Of, *static_cast<const Owner*>(owner))); }};
}

/// Field with a constant text.
constexpr Field constant(std::string_view key, std::string_view text, std::string_view meaning) {
  Field f{.key = key, .meaning = meaning, .type = {.kind = Kind::text}};
  f.literal = text;
  return f;
}

}  // namespace busbar
