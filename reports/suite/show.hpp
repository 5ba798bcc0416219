// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "reports/suite/history.hpp"
#include "reports/suite/plan.hpp"

namespace busbar::suite {

/// The plan as a script: the commands that would run, with comments.
[[nodiscard]] std::string plan_text(const Suite& suite, const Plan& plan, const Given& given, const History& history);

/// The plan as JSON; docs/suite.md lists the keys.
[[nodiscard]] nlohmann::json plan_json(const Suite& suite, const Plan& plan, const Given& given,
                                       const History& history);

}  // namespace busbar::suite
