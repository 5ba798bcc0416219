// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace busbar {

/// All objects of type T in this binary, in the order of the CMake list.
/// scripts/cmake/Table.cmake generates the definition.
template <class T>
std::span<const T* const> table();

/// Names of all rows, as "a, b, c".
template <class T>
std::string names_of() {
  std::string all;
  for (const T* row : table<T>()) all += (all.empty() ? "" : ", ") + std::string(row->name);
  return all;
}

template <class T>
std::vector<std::string> list_names() {
  std::vector<std::string> all;
  for (const T* row : table<T>()) all.emplace_back(row->name);
  return all;
}

/// Names and descriptions of all rows, as "a: about a; b: about b".
template <class T>
std::string abouts_of() {
  std::string all;
  for (const T* row : table<T>())
    all += (all.empty() ? "" : "; ") + std::string(row->name) + ": " + std::string(row->about);
  return all;
}

/// The row called `name`; nullptr if there is none.
template <class T>
const T* try_find(std::string_view name) {
  const auto rows = table<T>();
  const auto it = std::ranges::find(rows, name, [](const T* row) { return row->name; });
  return it == rows.end() ? nullptr : *it;
}

}  // namespace busbar
