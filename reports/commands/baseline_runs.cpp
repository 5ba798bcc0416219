// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/json.hpp"
#include "reports/command.hpp"
#include "reports/history/history.hpp"
#include "reports/load.hpp"
#include "reports/render.hpp"
#include "reports/text.hpp"

namespace busbar {
namespace {

struct Options {
  std::string folder;
  std::vector<std::string> files;
  std::string format = "text";
};

Exit add_all(const Options& o) {
  for (const auto& file : report::record_files(o.files)) fmt::print("{}\n", history::add(o.folder, file).string());
  return Exit::ok;
}

nlohmann::json to_json(const std::vector<Run>& runs, const std::vector<history::Change>& changes) {
  nlohmann::json j{{"history", 1}, {"launches", nlohmann::json::array()}, {"changes", nlohmann::json::array()}};
  for (const Run& run : runs)
    j["launches"].push_back({{"file", run.path},
                             {"id", run.head.id},
                             {"start_utc", run.head.start_utc},
                             {"labels", run.head.labels},
                             {"libraries", run.head.libraries}});
  for (const history::Change& change : changes) {
    nlohmann::json cases = nlohmann::json::array();
    for (const auto& c : change.cases) cases.push_back({{"id", to_string(c.key)}, {"slowdown", c.slowdown}});
    j["changes"].push_back(
        {{"since", change.since}, {"last_before", change.last_before}, {"p", change.p}, {"cases", cases}});
  }
  return j;
}

Exit list(const Options& o) {
  std::vector<Run> runs = report::load(report::record_files({o.folder}), Detail::figures);
  std::ranges::stable_sort(runs, {}, [](const Run& r) { return r.head.start_utc.value_or(""); });
  const auto changes = history::changes(report::pointers(runs));
  if (o.format == "json") {
    fmt::print("{}\n", to_json(runs, changes).dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
    return Exit::ok;
  }
  const report::Document document = history::document(o.folder, runs, changes);
  fmt::print(
      "{}", o.format == "md" ? report::render_markdown(document) : report::render_text(document, report::text_style()));
  return Exit::ok;
}

}  // namespace

extern const Command baseline_runs{
    .name = "baseline",
    .about = "keep a history of launches in a folder, and see when it changed",
    .attach = [](CLI::App& app) -> std::function<Exit()> {
      const auto o = std::make_shared<Options>();
      app.require_subcommand(1);
      CLI::App* adding = app.add_subcommand("add", "put records into the folder, without their samples");
      adding->add_option("DIR", o->folder, "folder of the history; made if need be")->required();
      adding->add_option("FILE", o->files, "records (JSON Lines)")->required();
      CLI::App* listing =
          app.add_subcommand("list", "show the launches, and since when which cases take longer or shorter");
      listing->add_option("DIR", o->folder, "folder of the history")->required();
      listing->add_option("--format", o->format, "text, md or json (default: text)")
          ->check(CLI::IsMember({"text", "md", "json"}));
      app.footer(
          "Each launch is one file, named by its start; delete one and it is gone.\n"
          "Examples:\n"
          "  busbar baseline add baselines/a100 results/nightly.jsonl\n"
          "  busbar baseline list baselines/a100\n"
          "  busbar gate --baseline baselines/a100 --current results/now-*.jsonl");
      return [o, adding] { return adding->parsed() ? add_all(*o) : list(*o); };
    },
};

}  // namespace busbar
