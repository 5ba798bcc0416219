// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "reports/gate/outputs.hpp"
#include "reports/text/text.hpp"

namespace busbar::gate {
namespace {

constexpr std::size_t most = 10;  ///< annotations in total

/// Escapes line ends and property separators, which would start new commands or properties.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '%')
      out += "%25";
    else if (property && (c == ':' || c == ','))
      out += c == ':' ? "%3A" : "%2C";
    else
      out += c;
  }
  return out;
}

std::string line(Outcome outcome, const std::string& title, const std::string& text) {
  return fmt::format("::{} title={}::{}\n", outcome == Outcome::regression ? "error" : "warning", escaped(title, true),
                     escaped(text, false));
}

/// Adds the lines of one outcome: cases with wrong data, then points, worst first.
void add_lines(std::vector<std::string>& all, const Gate& gate, Outcome outcome) {
  for (const Unmeasured& u : gate.unmeasured)
    if (u.outcome == outcome) all.push_back(line(outcome, "not measured", u.id + ": " + u.reason));
  for (const GatePoint* g : worst_first(gate, outcome))
    all.push_back(line(outcome, fmt::format("{} {}", report::subject(g->point.key), format_size(g->point.key.bytes)),
                       sentence(gate, *g)));
}

}  // namespace

std::string annotations(const Gate& gate) {
  std::vector<std::string> all;
  for (const Outcome outcome : {Outcome::regression, Outcome::disturbed, Outcome::inconclusive})
    add_lines(all, gate, outcome);
  if (all.size() > most) {
    const std::size_t more = all.size() - most + 1;
    all.resize(most - 1);
    all.push_back(line(gate.outcome(), "busbar gate", fmt::format("{} more; see the summary of this step", more)));
  }
  return fmt::format("{}", fmt::join(all, ""));
}

}  // namespace busbar::gate
