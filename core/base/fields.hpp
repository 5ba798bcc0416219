// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tuple>
#include <utility>

#include "core/base/json.hpp"

/// Structs in JSON whose members are told once: `constexpr auto fields(const T*)` beside the struct gives a tuple of
/// pairs of a key and a pointer to the member. For .cpp files only.
/// With its type given, a call is qualified (`busbar::to_json<T>`): nlohmann/json 3.11.3's own of that name does not
/// take a T.
namespace busbar {

template <class T>
concept HasFields = requires(const T* none) { fields(none); };

template <HasFields T>
void to_json(nlohmann::json& j, const T& value) {
  j = nlohmann::json::object();
  std::apply([&](const auto&... f) { ((j[f.first] = value.*f.second), ...); }, fields(&value));
}

/// A member whose key is missing keeps its value.
template <HasFields T>
void from_json(const nlohmann::json& j, T& value) {
  std::apply([&](const auto&... f) { (read(j, f.first, value.*f.second), ...); }, fields(&std::as_const(value)));
}

}  // namespace busbar
