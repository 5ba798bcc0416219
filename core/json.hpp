// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include <nlohmann/json.hpp>

/// std::optional in JSON: empty is null; a missing key reads as empty too. For .cpp files only: it needs the full
/// header.
namespace nlohmann {

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

/// Reads j[key] into `out` if the key is there; an optional field stays empty and any other keeps its default if not.
template <class T>
void read(const nlohmann::json& j, const char* key, T& out) {
  if (const auto it = j.find(key); it != j.end()) it->get_to(out);
}

}  // namespace busbar
