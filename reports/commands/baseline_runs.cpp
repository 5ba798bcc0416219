// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/enum_words.hpp"
#include "core/base/json.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/drawing/render.hpp"
#include "reports/history/history.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

struct BaselineOptions {
  std::string folder;
  std::vector<std::string> files;
  std::string format = "text";
};

Exit add_launches(const BaselineOptions& o) {
  for (const auto& file : report::record_files(o.files)) fmt::print("{}\n", history::add(o.folder, file).string());
  return Exit::ok;
}

nlohmann::json shift_json(const Shift& s) {
  return {{"ratio", s.ratio}, {"low", s.interval.low}, {"high", s.interval.high}};
}

nlohmann::json moved_json(const history::Moved& moved) {
  return {{"cases", moved.cases}, {"median", moved.median ? shift_json(*moved.median) : nlohmann::json()}};
}

nlohmann::json change_json(const history::Change& change) {
  nlohmann::json cases = nlohmann::json::array();
  for (const auto& c : change.cases) {
    nlohmann::json one = shift_json(c.slowdown);
    one.update({{"id", to_string(c.key)}, {"slowdown", c.slowdown.ratio}, {"moved", c.moved}});
    one.erase("ratio");
    cases.push_back(std::move(one));
  }
  return {{"kind", name(change.kind)},
          {"sentence", history::sentence(change)},
          {"since", change.since},
          {"last_before", change.last_before},
          {"p", change.p},
          {"slower", moved_json(change.slower)},
          {"faster", moved_json(change.faster)},
          {"cases", std::move(cases)}};
}

nlohmann::json history_json(const std::vector<Run>& runs, const std::vector<history::Change>& changes) {
  nlohmann::json j{{"history", 1}, {"launches", nlohmann::json::array()}, {"changes", nlohmann::json::array()}};
  for (const Run& run : runs)
    j["launches"].push_back({{"file", run.path},
                             {"id", run.head.id},
                             {"start_utc", run.head.start_utc},
                             {"labels", run.head.labels},
                             {"libraries", run.head.libraries}});
  for (const history::Change& change : changes) j["changes"].push_back(change_json(change));
  return j;
}

Exit list_launches(const BaselineOptions& o) {
  std::vector<Run> runs = report::load(report::record_files({o.folder}), Detail::figures);
  std::ranges::stable_sort(runs, {}, [](const Run& r) { return r.head.start_utc.value_or(""); });
  const auto changes = history::changes(report::pointers(runs));
  if (o.format == "json") return print_json(history_json(runs, changes));
  return print_document(history::document(o.folder, runs, changes), o.format);
}

const Value folder_value{.name = "FOLDER", .completes = Completes::folders, .required = true};

}  // namespace

extern const Command baseline_runs{
    .name = "baseline",
    .about = "keep a history of launches; find when it changed",
    .heading = "Measure and compare",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<BaselineOptions>();
      CommandLine& adding = line.add_subcommand("add", "add records to the history, without raw samples");
      adding.add("DIR", &o->folder, "folder of the history; created if missing", folder_value);
      adding.add("FILE", &o->files, "records (JSON Lines)", records_value);
      CommandLine& listing = line.add_subcommand("list", "list launches, and the dates of lasting changes");
      listing.add("DIR", &o->folder, "folder of the history", folder_value);
      add_format(listing, o->format);
      line.notes = "Each launch is one file, named by its start time; delete a file to remove the launch.";
      line.examples = {"busbar baseline add baselines/a100 results/nightly.jsonl",
                       "busbar baseline list baselines/a100",
                       "busbar gate --baseline baselines/a100 --current results/now-*.jsonl"};
      return [o, &line] { return line.chosen->name == "add" ? add_launches(*o) : list_launches(*o); };
    },
};

}  // namespace busbar
