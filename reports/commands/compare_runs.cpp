// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/compare/document.hpp"
#include "reports/compare/options.hpp"
#include "reports/compare/sides.hpp"
#include "reports/drawing/render.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

struct CompareOptions {
  std::vector<std::string> files;
  std::vector<std::string> versus;
  std::string by;
  std::string reference;
  std::vector<std::string> pool;
  bool points = false;
  compare::CommonOptions common;
  std::string format = "text";
};

struct Sides {
  std::vector<Run> runs;
  compare::Request request;
};

/// Two named sides: A B, or A... --vs B...
Sides named_sides(const CompareOptions& o) {
  std::vector<std::string> a = o.files, b = o.versus;
  if (b.empty()) {
    if (a.size() != 2)
      throw UsageError(
          fmt::format("{} and no --vs: name two sides (A B, each a record or a folder of them), several "
                      "launches of each (A... --vs B...), or the property that differs (--by platform)",
                      a.size() == 1 ? "one input" : fmt::format("{} inputs", a.size())));
    b = {a.back()};
    a.pop_back();
  }
  std::vector<Run> runs = report::load(report::record_files(a), Detail::figures);
  const std::size_t a_runs = runs.size();
  std::ranges::move(report::load(report::record_files(b), Detail::figures), std::back_inserter(runs));
  return {.runs = std::move(runs),
          .request = compare::between({report::list(a, 3), report::list(b, 3)}, a_runs, o.common.across)};
}

Exit compare_runs_of(const CompareOptions& o) {
  compare::check_across(o.common.across);
  if (!o.by.empty() && !o.versus.empty()) throw UsageError("--by and --vs: give one of them");
  if (o.by.empty() && !o.pool.empty()) throw UsageError("--pool: only with --by");
  if (o.by.empty() && !o.reference.empty()) throw UsageError("--reference: only with --by");
  Sides sides =
      o.by.empty() ? named_sides(o) : Sides{.runs = report::load(report::record_files(o.files), Detail::figures)};
  if (!o.by.empty()) sides.request = compare::by(o.by, sides.runs, o.pool, o.common.across, o.reference);
  sides.request.options = compare::options_of(o.common);
  const compare::Comparison comparison = compare::compare(sides.runs, sides.request);
  const compare::Told told{.runs = sides.runs,
                           .request = sides.request,
                           .comparison = comparison,
                           .differences = compare::differences(sides.runs, sides.request)};
  if (o.format == "json") return print_json(compare::to_json(told));
  return print_document(compare::document(told, o.points || o.by.empty()), o.format);
}

}  // namespace

extern const Command compare_runs{
    .name = "compare",
    .about = "compare two or more sets of runs, point by point",
    .heading = "Measure and compare",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<CompareOptions>();
      line.add("FILE", &o->files, "records or folders of them, best several launches per side", records_value);
      line.add("--vs", &o->versus, "records of side B; those before --vs are side A", file_value);
      line.add(
          "--by", &o->by,
          "one side per value of a label (platform), a part of the key (algorithm, topology), a fact (virtualisation, "
          "gpu, nccl) or a variable (NCCL_ALGO)",
          {.name = "FIELD"});
      line.add("--reference", &o->reference, "--by: compare only with this side, size by size", {.name = "VALUE"});
      line.add("--pool", &o->pool, "--by: labels that can differ within one side", {.name = "LABEL", .list = true});
      line.add("--points", &o->points, "--by: show every point");
      compare::add_common_options(line, o->common);
      add_format(line, o->format);
      line.exit_codes =
          "0 compared, whatever the verdicts (busbar gate has exit codes for them); 2 wrong use, or not comparable.";
      line.examples = {"busbar compare before.jsonl after.jsonl",
                       "busbar compare results/1-*.jsonl --vs results/2-*.jsonl --margin 5%",
                       "busbar compare results/ --by platform --reference metal"};
      return [o] { return compare_runs_of(*o); };
    },
};

}  // namespace busbar
