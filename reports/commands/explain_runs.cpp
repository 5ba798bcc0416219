// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/drawing/render.hpp"
#include "reports/explain/algorithms.hpp"
#include "reports/explain/show.hpp"
#include "reports/fleet/show.hpp"
#include "reports/losses/losses.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

struct ExplainOptions {
  std::vector<std::string> files;
  std::string format = "text";
  bool list = false, drain = false;
};

Exit list_rules() {
  for (const explain::Rule* rule : table<explain::Rule>()) fmt::print("{:<16} {}\n", rule->name, rule->about);
  return Exit::ok;
}

constexpr std::size_t most_runs_apart = 4;  ///< findings of more runs are counted

/// Algorithms compared over all launches together, of which each shows large gains only; empty if none is faster.
std::optional<report::Chapter> algorithms_in(const std::vector<Run>& runs) {
  if (runs.size() < 2) return std::nullopt;
  explain::Explanation e{.looked_for = {"faster_algorithm"}};
  const explain::Rule* rule = try_find<explain::Rule>("faster_algorithm");
  for (explain::Finding& f : explain::findings_of(explain::compare_algorithms(report::pointers(runs))))
    e.found.push_back({.rule = rule, .finding = std::move(f)});
  if (e.found.empty()) return std::nullopt;
  return report::Chapter{.name = "algorithms",
                         .title = fmt::format("Algorithms in {} runs", runs.size()),
                         .blocks = explain::blocks_of(e)};
}

report::Document document_of(const std::vector<Run>& runs, const std::vector<explain::ExplainedRun>& explained,
                             const std::optional<fleet::Fleet>& fleet,
                             const std::vector<losses::TrainingLosses>& losses) {
  report::Document document{.title = "busbar explain", .summary = report::count_runs_and_cases(runs)};
  if (fleet) document.chapters.push_back({.name = "fleet", .title = "All hosts", .blocks = fleet::blocks_of(*fleet)});
  if (auto blocks = losses::blocks_of(losses); !blocks.empty())
    document.chapters.push_back({.name = "losses", .title = "Where the efficiency went", .blocks = std::move(blocks)});
  if (auto algorithms = algorithms_in(runs)) document.chapters.push_back(std::move(*algorithms));
  if (explained.size() > most_runs_apart) {
    document.chapters.push_back({.name = "findings",
                                 .title = fmt::format("Findings in {} runs", runs.size()),
                                 .blocks = explain::blocks_of(explained)});
    return document;
  }
  for (const explain::ExplainedRun& r : explained)
    document.chapters.push_back({.name = "findings",
                                 .title = fmt::format("{}: {}", r.name, summary(r)),
                                 .blocks = explain::blocks_of(r.explanation)});
  return document;
}

/// Prints the hosts to drain or check: with --format json one object a line.
Exit print_drain_list(const std::optional<fleet::Fleet>& fleet, const std::string& format) {
  if (!fleet)
    throw UsageError("--drain: the records do not compare hosts; it takes 5 launches of one test on 3 sets of hosts");
  if (format == "json") {
    for (const nlohmann::json& line : fleet::drain_json(*fleet)) fmt::print("{}\n", line.dump());
    return Exit::ok;
  }
  report::Chapter chapter{.name = "drain", .title = "Hosts to drain or check"};
  if (report::Table t = fleet::drain_table(*fleet); !t.rows.empty()) chapter.blocks.emplace_back(std::move(t));
  chapter.blocks.emplace_back(report::Paragraph{.text = fleet::summary_of(*fleet)});
  return print_document({.title = "busbar explain", .chapters = {std::move(chapter)}}, format);
}

Exit explain_files(const ExplainOptions& o) {
  if (o.list) return list_rules();
  if (o.files.empty()) throw UsageError("FILE: name a record to explain, or list the rules with --list");
  const auto runs = report::load(report::record_files(o.files), Detail::without_samples);
  const auto fleet = fleet::examine_fleet(runs);
  if (o.drain) return print_drain_list(fleet, o.format);
  const auto explained = explain::explained(runs);
  const auto losses = losses::losses_of(runs);
  if (o.format == "json") {
    nlohmann::json all = explain::json_of(explained);
    if (fleet) all["fleet"] = fleet::json_of(*fleet);
    if (!losses.empty()) all["losses"] = losses::json_of(losses);
    return print_json(all);
  }
  return print_document(document_of(runs, explained, fleet, losses), o.format);
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
      line.add("--drain", &o->drain, "only list the hosts to drain or check; with --format json one object a line");
      line.add("--list", &o->list, "list the rules and exit");
      line.notes =
          "Findings are known (shown by the record or its intervals), likely or possible. docs/explain.md describes "
          "the keys of --format json. Runs on many hosts are one fleet: slow hosts, links, rails and launches. A "
          "training and allreduces of the same machine: what the lost efficiency consists of.";
      line.exit_codes = "0 with or without findings; 2 wrong use, or a record cannot be read.";
      line.examples = {"busbar explain results/quickstart.jsonl", "busbar explain results/ --format md > findings.md",
                       "busbar explain train.jsonl allreduce.jsonl", "busbar explain pairs/ --drain --format json",
                       "busbar explain run.jsonl --format json | python3 -m json.tool"};
      return [o] { return explain_files(*o); };
    },
};

}  // namespace busbar
