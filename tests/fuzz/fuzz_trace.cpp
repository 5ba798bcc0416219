// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "bench/replay/read_trace.hpp"
#include "bench/replay/schedule.hpp"
#include "tests/fuzz/require.hpp"

/// Any bytes as a trace: they are refused, or become calls that survive JSON and can be planned.
namespace busbar::fuzz {
namespace {

void as_schedule(const std::vector<replay::Trace>& traces, int ranks, bool rescale) {
  const replay::Schedule s = replay::make_schedule(traces, ranks, {.rescale = rescale});
  require(!s.cases.empty(), "a schedule without cases");
  for (const replay::Planned& planned : s.cases) {
    require(planned.calls > 0, "a case without calls");
    require(planned.level < s.levels.size(), "a case of no level");
    require(planned.spec.root < static_cast<int>(s.levels[planned.level].teams[0].size()), "a root outside its group");
  }
  for (const auto& list : s.lists)
    for (const replay::Step& step : list) require(step.at < s.cases.size(), "a call of no case");
}

void as_trace(std::string_view text) {
  const replay::Trace trace = replay::parse_trace(text, "input_rank0");
  const nlohmann::json once = trace;
  require(nlohmann::json(once.get<replay::Trace>()) == once, "another trace after JSON");
  const int ranks = trace.ranks && *trace.ranks <= 64 ? *trace.ranks : 4;
  may_refuse([&] { as_schedule({trace}, ranks, false); });
  may_refuse([&] { as_schedule({trace}, 3, true); });
  if (ranks != 2) return;
  replay::Trace other = trace;
  replay::Trace one = trace;
  one.rank = 0;
  other.rank = 1;
  may_refuse([&] { as_schedule({one, other}, 2, false); });
}

}  // namespace

void check_input(std::string_view text) {
  may_refuse([&] { as_trace(text); });
}

}  // namespace busbar::fuzz
