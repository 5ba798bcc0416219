// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "reports/suite/history.hpp"
#include "reports/suite/plan.hpp"
#include "tests/fuzz/require.hpp"

/// Reads any bytes as the journal of a suite. They are refused, or give the ends of launches and a fingerprint that
/// can be compared with a suite.
namespace busbar::fuzz {
namespace {

void as_history(std::string_view text) {
  const suite::History history = suite::parse_history(text, "input");
  for (const auto& [launch, ending] : history.endings)
    require(ending.ok() == (ending.ended == LaunchEnd::itself && ending.exit_code == 0 && !ending.without_result),
            launch);
  if (!history.made_from) return;
  const suite::Given given{.hosts = {{"a", 2}}, .bin = "", .out = "/results", .labels = {}, .set = {}};
  require(!suite::first_difference(*history.made_from, suite::fingerprint({.name = "other"}, given)).empty(),
          "a suite without steps is the same");
}

}  // namespace

void check_input(std::string_view text) {
  may_refuse([&] { as_history(text); });
}

}  // namespace busbar::fuzz
