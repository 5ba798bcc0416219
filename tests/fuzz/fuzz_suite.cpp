// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "core/base/json.hpp"
#include "reports/suite/placeholders.hpp"
#include "reports/suite/plan.hpp"
#include "reports/suite/suite.hpp"
#include "tests/fuzz/require.hpp"

/// Any bytes as a suite: they are refused, or become a suite that reads back as itself, and a plan whose commands hold
/// no placeholder that has no value and no file outside of the folder of results.
namespace busbar::fuzz {
namespace {

using namespace suite;

std::string as_text(const Suite& suite) {
  nlohmann::json json;
  to_json(json, suite);
  return json.dump();
}

void check(const Launch& launch) {
  require(!launch.argv.empty() && launch.ranks() >= 1, "a launch of nothing");
  require(launch.result.parent_path() == "/results", "a result outside of its folder: " + launch.result.string());
  const std::string line = shell_line(launch.argv);
  if (line.find('\\') == std::string::npos) require(split_words(line, "") == launch.argv, "quoting: " + line);
}

void as_suite(std::string_view text) {
  const Suite suite = parse_suite(text, "input");
  const std::string once = as_text(suite);
  require(as_text(parse_suite(once, "again")) == once, "reads back as another suite");
  std::size_t launches = 0;
  for (const Step& step : suite.steps) launches += static_cast<std::size_t>(step.launches);
  if (launches > 200) return;  // a plan of them all is made for each input
  const Given given{.hosts = {{"a", 4}, {"b", 4}}, .bin = "/bin", .out = "/results", .labels = {}, .set = {}};
  const Plan plan = make_plan(suite, "input", given);
  for (const Launch& launch : plan.launches) check(launch);
  require(first_difference(fingerprint(suite, given), fingerprint(suite, given)).empty(), "differs from itself");
}

}  // namespace

void check_input(std::string_view text) {
  may_refuse([&] { as_suite(text); });
}

}  // namespace busbar::fuzz
