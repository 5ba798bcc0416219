// SPDX-License-Identifier: Apache-2.0
#include "reports/document/junit.hpp"

#include <fmt/core.h>

#include "reports/text/escape.hpp"

namespace busbar::report {

void Junit::add_case(const std::string& suite, const std::string& name, Result result, const std::string& text,
                     double wall_s) {
  const auto [at, is_new] = suites_.try_emplace(suite);
  if (is_new) order_.push_back(suite);
  Suite& s = at->second;
  ++s.tests;
  s.failures += result == Result::failed;
  s.skipped += result == Result::skipped;
  s.wall_s += wall_s;
  const std::string message = escape_html(text);
  s.cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">", escape_html(suite),
                         escape_html(name), wall_s);
  if (result == Result::failed) s.cases += fmt::format("<failure message=\"{}\"/>", message);
  if (result == Result::skipped) s.cases += fmt::format("<skipped message=\"{}\"/>", message);
  if (result == Result::passed) s.cases += fmt::format("<system-out>{}</system-out>", message);
  s.cases += "</testcase>\n";
}

std::string Junit::text(const std::string& title) const {
  Suite all;
  for (const auto& [name, s] : suites_) {
    all.tests += s.tests, all.failures += s.failures, all.skipped += s.skipped;
    all.wall_s += s.wall_s;
  }
  const auto counts = [](const Suite& s) {
    return fmt::format("tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\"", s.tests, s.failures, s.skipped,
                       s.wall_s);
  };
  std::string out = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n",
                                escape_html(title), counts(all));
  for (const std::string& name : order_) {
    const Suite& s = suites_.at(name);
    out += fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", escape_html(name), counts(s), s.cases);
  }
  return out + "</testsuites>\n";
}

}  // namespace busbar::report
