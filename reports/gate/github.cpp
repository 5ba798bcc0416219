// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "reports/gate/outputs.hpp"
#include "reports/text/text.hpp"

namespace busbar::gate {
namespace {

constexpr std::size_t most = 10;

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

std::string lines(const Gate& gate, Outcome outcome) {
  std::string out;
  std::size_t n = 0;
  for (const GatePoint& g : gate.points) {
    if (g.outcome != outcome || n++ >= most) continue;
    out += line(outcome, fmt::format("{} {}", report::subject(g.point.key), format_size(g.point.key.bytes)),
                sentence(gate, g));
  }
  for (const Unmeasured& u : gate.unmeasured) {
    if (u.outcome == outcome && n++ < most) out += line(outcome, "not measured", u.id + ": " + u.reason);
  }
  return out;
}

}  // namespace

std::string annotations(const Gate& gate) {
  return lines(gate, Outcome::regression) + lines(gate, Outcome::inconclusive);
}

}  // namespace busbar::gate
