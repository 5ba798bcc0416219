// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <vector>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/compare/text.hpp"
#include "reports/gate/outputs.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text.hpp"

namespace busbar::gate {
namespace {

struct Suite {
  std::size_t tests = 0, failures = 0, skipped = 0;
  std::string cases;

  void add(const std::string& suite, const std::string& name, Outcome outcome, const std::string& text) {
    ++tests;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\">", report::escape_html(suite),
                         report::escape_html(name));
    if (outcome == Outcome::regression) {
      ++failures;
      cases += fmt::format("<failure message=\"{}\"/>", report::escape_html(text));
    } else if (outcome == Outcome::inconclusive) {
      ++skipped;
      cases += fmt::format("<skipped message=\"{}\"/>", report::escape_html(text));
    } else {
      cases += fmt::format("<system-out>{}</system-out>", report::escape_html(text));
    }
    cases += "</testcase>\n";
  }
};

}  // namespace

std::string junit(const Gate& gate) {
  std::vector<std::string> order;
  std::map<std::string, Suite> suites;
  const auto suite = [&](const std::string& name) -> Suite& {
    if (!suites.contains(name)) order.push_back(name);
    return suites[name];
  };
  for (const GatePoint& g : gate.points) {
    const std::string series = series_name(g.point.key);
    suite(series).add(series, format_size(g.point.key.bytes), g.outcome, sentence(gate, g));
  }
  for (const Unmeasured& u : gate.unmeasured) suite("not measured").add("not measured", u.id, u.outcome, u.reason);
  Suite all;
  for (const auto& [name, s] : suites) all.tests += s.tests, all.failures += s.failures, all.skipped += s.skipped;
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"busbar gate\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
      all.tests, all.failures, all.skipped);
  for (const std::string& name : order) {
    const Suite& s = suites[name];
    out += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n{}  </testsuite>\n",
                       report::escape_html(name), s.tests, s.failures, s.skipped, s.cases);
  }
  return out + "</testsuites>\n";
}

}  // namespace busbar::gate
