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
  double wall_s = 0;
  std::string cases;

  void add(const std::string& suite, const std::string& name, Outcome outcome, const std::string& text,
           double case_wall_s) {
    ++tests;
    wall_s += case_wall_s;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">", report::escape_html(suite),
                         report::escape_html(name), case_wall_s);
    if (outcome == Outcome::regression) {
      ++failures;
      cases += fmt::format("<failure message=\"{}\"/>", report::escape_html(text));
    } else if (outcome != Outcome::pass) {
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
  for (const Unmeasured& u : gate.unmeasured) suite("not measured").add("not measured", u.id, u.outcome, u.reason, 0);
  for (const Outcome outcome : {Outcome::regression, Outcome::disturbed, Outcome::inconclusive, Outcome::pass}) {
    for (const GatePoint* g : worst_first(gate, outcome)) {
      const std::string series = series_name(g->point.key);
      suite(series).add(series, format_size(g->point.key.bytes), outcome, sentence(gate, *g), g->point.b.wall_s);
    }
  }
  Suite all;
  for (const auto& [name, s] : suites) {
    all.tests += s.tests, all.failures += s.failures, all.skipped += s.skipped;
    all.wall_s += s.wall_s;
  }
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"busbar gate\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
      all.tests, all.failures, all.skipped, all.wall_s);
  for (const std::string& name : order) {
    const Suite& s = suites[name];
    out += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n{}  </testsuite>\n",
        report::escape_html(name), s.tests, s.failures, s.skipped, s.wall_s, s.cases);
  }
  return out + "</testsuites>\n";
}

}  // namespace busbar::gate
