// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/fields.hpp"
#include "reports/fit/scale.hpp"

/// JSON of Scale. Include only in .cpp files, like core/base/fields.hpp.
namespace busbar::fit {

using busbar::from_json, busbar::to_json;  // for structs with a fields() function

constexpr auto fields(const Scale*) {
  return std::tuple(std::pair("ranks", &Scale::ranks), std::pair("nodes", &Scale::nodes));
}

}  // namespace busbar::fit
