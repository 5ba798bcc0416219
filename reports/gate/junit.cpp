// SPDX-License-Identifier: Apache-2.0
#include "reports/document/junit.hpp"

#include "core/base/units.hpp"
#include "reports/gate/outputs.hpp"
#include "reports/text/text.hpp"

namespace busbar::gate {
namespace {

report::Junit::Result result_of(Outcome outcome) {
  if (outcome == Outcome::regression) return report::Junit::Result::failed;
  return outcome == Outcome::pass ? report::Junit::Result::passed : report::Junit::Result::skipped;
}

}  // namespace

std::string junit(const Gate& gate) {
  report::Junit all;
  for (const Unmeasured& u : gate.unmeasured) all.add_case("not measured", u.id, result_of(u.outcome), u.reason, 0);
  for (const Outcome outcome : {Outcome::regression, Outcome::disturbed, Outcome::inconclusive, Outcome::pass})
    for (const GatePoint* g : worst_first(gate, outcome))
      all.add_case(series_name(g->point.key), format_size(g->point.key.bytes), result_of(outcome), sentence(gate, *g),
                   g->point.b.wall_s);
  return all.text("busbar gate");
}

}  // namespace busbar::gate
