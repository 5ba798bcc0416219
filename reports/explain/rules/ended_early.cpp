// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

/// A substring of a reason, and the advice for it.
struct Advice {
  std::string_view in_reason, advice;
};
constexpr std::array<Advice, 5> known_ends{{
    {"unhandled system error",
     "A system call failed inside NCCL. Run again with NCCL_DEBUG=INFO: the last lines before the error name it. Often "
     "it is the network: NCCL_SOCKET_IFNAME and NCCL_IB_HCA choose interfaces."},
    {"NCCL failure", "Run again with NCCL_DEBUG=INFO: the last lines before the error show the failed step."},
    {"remote process exited", "Another rank ended first: find its message in the output of all ranks."},
    {"memory", "Reduce the largest size (-e), or give the ranks more memory."},
    {"No space left", "Free disk space for the record, or write it elsewhere (--out)."},
}};

/// "24 cases were measured before the end; last: allreduce fp32 at 64 KiB. These results are valid."
std::string progress(const Run& run) {
  const auto measured = ok_cases(run);
  if (measured.empty()) return "No case was measured.";
  const CaseRecord* last = measured.back();
  for (const CaseRecord* c : measured)
    if (c->started_s.value_or(0) + c->wall_s.value_or(0) > last->started_s.value_or(0) + last->wall_s.value_or(0))
      last = c;
  const bool one = measured.size() == 1;
  return fmt::format("{} {} measured before the end{}: {}. These results are valid.", plural(measured.size(), "case"),
                     one ? "was" : "were", one ? "" : "; last", case_name(*last));
}

std::vector<std::string> advice(const std::string& reason) {
  for (const Advice& a : known_ends)
    if (reason.find(a.in_reason) != std::string::npos) return {std::string(a.advice)};
  return {"Read the last lines of standard error, from the program and its launcher."};
}

Finding without_end(const Run& run) {
  Finding f{
      .certainty = Certainty::known,
      .title = "the run did not finish",
      .evidence = {"There is no end record: the program was killed, or aborted because ranks hung or failed.",
                   progress(run)},
      .tries = {"Read the last lines of standard error: busbar names the rank, the case and the step before it aborts "
                "a job (--timeout sets the limit).",
                "If it hung, test the hosts in pairs, with two ranks each: the pair that hangs has the faulty host or "
                "link."}};
  return f;
}

std::vector<Finding> find_ended_early(const Run& run) {
  if (!run.end) return {without_end(run)};
  const EndRecord& end = *run.end;
  const bool nothing = end.status == EndStatus::failed && end.cases.ok == 0 && end.cases.failed == 0;
  if (end.status != EndStatus::aborted && end.status != EndStatus::interrupted && end.status != EndStatus::output &&
      !nothing)
    return {};
  const std::string reason = end.reason.value_or("");
  Finding f{.certainty = Certainty::known};
  f.title = nothing ? "nothing could be measured" : fmt::format("the run ended early: {}", name(end.status));
  if (!reason.empty())
    f.evidence.push_back("Reason: " + report::shortened(reason) + (reason.ends_with('.') ? "" : "."));
  f.evidence.push_back(progress(run));
  if (end.status != EndStatus::interrupted) f.tries = advice(reason);
  return {f};
}

}  // namespace

extern const Rule ended_early{
    .name = "ended_early",
    .about = "the run crashed or was interrupted, or its record is incomplete",
    .order = 20,
    .has_data = [](const Run&) { return true; },
    .look = find_ended_early,
};

}  // namespace busbar::explain
