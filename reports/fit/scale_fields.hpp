// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/fields.hpp"
#include "reports/fit/scale.hpp"

/// A Scale in JSON. For .cpp files only, as core/base/fields.hpp.
namespace busbar::fit {

using busbar::from_json, busbar::to_json;  // of structs whose fields are told

constexpr auto fields(const Scale*) {
  return std::tuple(std::pair("ranks", &Scale::ranks), std::pair("nodes", &Scale::nodes));
}

}  // namespace busbar::fit
