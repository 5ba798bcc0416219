// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <sstream>
#include <string_view>

#include "tests/fuzz/require.hpp"
#include "workloads/networks/profile.hpp"

/// Any bytes as a profile: they are refused, or become a step that takes time and can be written, read back and cut.
namespace busbar::fuzz {
namespace {

std::string written(const Profile& profile) {
  std::ostringstream out;
  write_profile(out, profile);
  return out.str();
}

void as_profile(std::string_view text) {
  const Profile profile = parse_profile(text, "input");
  require(std::isfinite(step_s(profile)) && step_s(profile) > 0, "a step that takes no time");
  require(gradient_elements(profile) > 0 && gradient_bytes(profile) >= gradient_elements(profile), "no gradients");
  const Profile first = part(profile, 0, 1);
  require(forward_s(first) <= forward_s(profile), "a part that takes longer than all");
  const std::string once = written(profile);
  if (step_s(profile) < 1e-6) return;  // times are rounded to 1 ns: nothing may be left of them
  require(written(parse_profile(once, "again")) == once, "reads back as another profile");
}

}  // namespace

void check_input(std::string_view text) {
  may_refuse([&] { as_profile(text); });
}

}  // namespace busbar::fuzz
