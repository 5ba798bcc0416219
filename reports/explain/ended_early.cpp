// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "core/units.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text.hpp"

namespace busbar::explain {
namespace {

/// What a reason says, and what it asks for.
struct Advice {
  std::string_view in_reason, advice;
};
constexpr std::array<Advice, 5> known_ends{{
    {"unhandled system error",
     "A call of the operating system failed inside NCCL: run again with NCCL_DEBUG=INFO, whose last lines before the "
     "error name it (often the network: NCCL_SOCKET_IFNAME and NCCL_IB_HCA choose interfaces)."},
    {"NCCL failure", "Run again with NCCL_DEBUG=INFO: its last lines before the error say what NCCL tried."},
    {"remote process exited", "Another rank ended first: look for its own message in the output of all ranks."},
    {"memory", "Measure up to a smaller size (-e), or give the ranks more memory."},
    {"No space left", "Make room where the record is written, or name another place (--out)."},
}};

/// How far the run got: "24 cases were measured before, the last of them allreduce fp32 at 64 KiB."
std::string progress(const Run& run) {
  const auto measured = ok_cases(run);
  if (measured.empty()) return "No case was measured.";
  const CaseRecord* last = measured.back();
  for (const CaseRecord* c : measured)
    if (c->started_s.value_or(0) + c->wall_s.value_or(0) > last->started_s.value_or(0) + last->wall_s.value_or(0))
      last = c;
  const bool one = measured.size() == 1;
  return fmt::format("{} {} measured before{}: {}. What was measured is good.", plural(measured.size(), "case"),
                     one ? "was" : "were", one ? "" : ", the last of them", case_name(*last));
}

std::vector<std::string> advice(const std::string& reason) {
  for (const Advice& a : known_ends)
    if (reason.find(a.in_reason) != std::string::npos) return {std::string(a.advice)};
  return {"Look at the last lines that the program and its launcher wrote to standard error."};
}

Finding without_end(const Run& run) {
  Finding f{
      .certainty = Certainty::known,
      .title = "the run did not get to its end",
      .evidence = {"There is no end record: the program was killed, or ended its job because ranks hung or broke.",
                   progress(run)},
      .tries = {"Look at its last lines on standard error: busbar names the rank, the case and the step before it "
                "ends a job (--timeout says after how long).",
                "Where it hung, try the hosts in pairs, with two ranks each: the pair that hangs has the host or the "
                "link."},
      .where = {}};
  return f;
}

std::vector<Finding> find_ended_early(const Run& run) {
  if (!run.end) return {without_end(run)};
  const EndRecord& end = *run.end;
  const bool nothing = end.status == "failed" && end.ok == 0 && end.failed == 0;
  if (end.status != "aborted" && end.status != "interrupted" && end.status != "output" && !nothing) return {};
  const std::string reason = end.reason.value_or("");
  Finding f{.certainty = Certainty::known, .title = "", .evidence = {}, .tries = {}, .where = {}};
  f.title = nothing ? "nothing could be measured" : fmt::format("the run ended early: {}", end.status);
  if (!reason.empty())
    f.evidence.push_back("Its reason: " + report::shortened(reason) + (reason.ends_with('.') ? "" : "."));
  f.evidence.push_back(progress(run));
  if (end.status != "interrupted") f.tries = advice(reason);
  return {f};
}

bool always_has_end(const Run&) { return true; }

}  // namespace
}  // namespace busbar::explain

namespace busbar {

extern const explain::Rule ended_early{
    .name = "ended_early",
    .about = "the run crashed, was interrupted, or its record stops",
    .order = 20,
    .has_data = explain::always_has_end,
    .look = explain::find_ended_early,
};

}  // namespace busbar
