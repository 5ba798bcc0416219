// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tuple>
#include <utility>

#include "core/base/json.hpp"

/// JSON for structs with a list of members: `constexpr auto fields(const T*)`, declared beside the struct, returns a
/// tuple of (key, pointer to member) pairs. For .cpp files only.
/// Qualify calls with an explicit type (`busbar::to_json<T>`): nlohmann/json 3.11.3 has a to_json that does not accept
/// T.
namespace busbar {

template <class T>
concept HasFields = requires(const T* none) { fields(none); };

template <HasFields T>
void to_json(nlohmann::json& j, const T& value) {
  j = nlohmann::json::object();
  std::apply([&](const auto&... f) { ((j[f.first] = value.*f.second), ...); }, fields(&value));
}

/// A missing key leaves its member unchanged.
template <HasFields T>
void from_json(const nlohmann::json& j, T& value) {
  std::apply([&](const auto&... f) { (read(j, f.first, value.*f.second), ...); }, fields(&std::as_const(value)));
}

}  // namespace busbar
