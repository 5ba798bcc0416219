// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/drawing/render.hpp"
#include "reports/explain/show.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

struct ExplainOptions {
  std::vector<std::string> files;
  std::string format = "text";
  bool list = false;
};

Exit list_rules() {
  for (const explain::Rule* rule : table<explain::Rule>()) fmt::print("{:<16} {}\n", rule->name, rule->about);
  return Exit::ok;
}

report::Document document_of(const std::vector<Run>& runs, const std::vector<explain::ExplainedRun>& explained) {
  report::Document document{.title = "busbar explain", .summary = report::count_runs_and_cases(runs), .chapters = {}};
  for (const explain::ExplainedRun& r : explained)
    document.chapters.push_back({.name = "findings",
                                 .title = fmt::format("{}: {}", r.name, summary(r)),
                                 .blocks = explain::blocks_of(r.explanation)});
  return document;
}

Exit explain_files(const ExplainOptions& o) {
  if (o.list) return list_rules();
  if (o.files.empty()) throw UsageError("FILE: name a record to explain, or list the rules with --list");
  const auto runs = report::load(report::record_files(o.files), Detail::without_samples);
  const auto explained = explain::explained(runs);
  if (o.format == "json") {
    print_json(explain::json_of(explained));
    return Exit::ok;
  }
  const report::Document document = document_of(runs, explained);
  print_document(document, o.format);
  return Exit::ok;
}

}  // namespace

extern const Command explain_runs{
    .name = "explain",
    .about = "list findings, how certain they are, and what to try",
    .heading = "Read records",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<ExplainOptions>();
      line.add("FILE", &o->files, "records (JSON Lines) or folders of them", file_value);
      add_format(line, o->format);
      line.add("--list", &o->list, "list the rules and exit");
      line.notes =
          "Findings are known (shown by the record or its intervals), likely or possible. docs/explain.md describes "
          "the keys of --format json.";
      line.exit_codes = "0 with or without findings; 2 wrong use, or a record cannot be read.";
      line.examples = {"busbar explain results/quickstart.jsonl", "busbar explain results/ --format md > findings.md",
                       "busbar explain run.jsonl --format json | python3 -m json.tool"};
      return [o] { return explain_files(*o); };
    },
};

}  // namespace busbar
