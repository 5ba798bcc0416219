// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "core/base/words.hpp"
#include "core/journal/journal.hpp"
#include "reports/commands/command.hpp"
#include "reports/repeat/launches.hpp"

namespace busbar {
namespace {

struct RepeatOptions {
  std::string launches, within, width, out, resume;
};

/// Parses "10", "10s" or "2ms" into seconds.
double parse_time(const std::string& text) {
  const bool bare = !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos;
  return bare ? parse_seconds("--within", text) : parse_duration("--within", text);
}

repeat::Request request_of(const RepeatOptions& o, const std::vector<std::string>& rest) {
  if (!o.out.empty() && !o.resume.empty()) throw UsageError("--out and --resume: give one of them");
  repeat::Request request{.commands = repeat::split_commands(rest), .resume = !o.resume.empty()};
  request.out = request.resume ? o.resume : !o.out.empty() ? o.out : "results/" + new_run_id() + "-repeat.jsonl";
  if (!o.launches.empty()) request.launches = parse_count("--launches", o.launches, 1, 100'000);
  if (!o.width.empty()) request.width = parse_percent("--width", o.width, 0.01, 100);
  if (!o.within.empty()) request.within_s = parse_time(o.within);
  if (!request.launches && !request.width && !request.within_s) request.within_s = 10;
  return request;
}

}  // namespace

extern const Command repeat_launches{
    .name = "repeat",
    .about = "launch a command several times as one measurement",
    .heading = "Measure and compare",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<RepeatOptions>();
      line.add("--launches", &o->launches, "launches per command", {.name = "N"});
      line.add("--within", &o->within, "maximum time; 10s if no other limit is given", {.name = "TIME"});
      line.add("--width", &o->width, "target precision: stop when the widest interval is below +-PERCENT",
               {.name = "PERCENT"});
      line.add("--out", &o->out, "write the record of all launches to this file", file_value);
      line.add("--resume", &o->resume, "continue such a record, with the same commands", file_value);
      line.passes_to = "COMMAND";
      line.notes =
          "Several commands alternate: what changes slowly is in all of them. Each launch is short (--run-budget, by "
          "the time of a round) unless its command says how long it takes. The record is one for report, compare, "
          "gate, "
          "show.";
      line.exit_codes = "0 measured; 1 a launch failed; 2 wrong use; 4 results could not be written; 130 interrupted.";
      line.examples = {"busbar repeat -- mpirun -np 2 busbar-bench allreduce",
                       "busbar repeat -- mpirun -np 8 busbar-bench -- mpirun -np 4 busbar-bench",
                       "busbar repeat --within 60s --width 2 -- mpirun -np 8 busbar-bench"};
      return [o, &line] { return repeat::run_launches(request_of(*o, line.rest)); };
    },
};

}  // namespace busbar
