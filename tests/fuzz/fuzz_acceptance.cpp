// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string_view>

#include "core/record/run.hpp"
#include "reports/accept/accept.hpp"
#include "reports/accept/profile.hpp"
#include "reports/expected/known_results.hpp"
#include "tests/fuzz/require.hpp"

/// Any bytes as an acceptance profile and as published results: they are refused, or give positive limits, and a
/// profile that accepts nothing when nothing was measured.
namespace busbar::fuzz {
namespace {

void as_profile(std::string_view text) {
  const accept::Profile profile = accept::parse_profile(text, "input");
  for (const accept::Rule& rule : profile.rules)
    for (const auto& limit : {rule.least_busbw_GBps, rule.most_time_us, rule.least_share_of_ceiling,
                              rule.least_share_of_others, rule.least_efficiency, rule.most_spread})
      require(!limit || (std::isfinite(*limit) && *limit > 0), "a limit that is no positive number");
  require(accept::accept_runs(profile, {}, {}).outcome() != accept::Outcome::pass, "accepts nothing");
}

void as_known_results(std::string_view text) {
  for (const expected::KnownRun& run : expected::parse_known_results(text, "input").results)
    for (const expected::KnownRow& row : run.rows)
      require(!row.collective.empty() && !row.line.empty(), "an empty row");
}

}  // namespace

void check_input(std::string_view text) {
  may_refuse([&] { as_profile(text); });
  may_refuse([&] { as_known_results(text); });
}

}  // namespace busbar::fuzz
