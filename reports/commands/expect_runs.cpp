// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/drawing/render.hpp"
#include "reports/expected/expected_blocks.hpp"
#include "reports/expected/placement_blocks.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

struct ExpectOptions {
  std::vector<std::string> files;
  std::string line_rate;
  std::string format = "text";
};

Exit show_expected(const ExpectOptions& options) {
  std::optional<expected::LineRate> line_rate;
  if (!options.line_rate.empty()) line_rate = expected::parse_line_rate(options.line_rate);
  const auto runs = report::load(report::record_files(options.files), Detail::figures);
  const auto all = expected::expect(runs, line_rate);
  const auto known = expected::installed_known_results();
  const auto places = expected::place(runs, line_rate, known);
  if (all.empty()) throw Error("no case of these records has a busbw: of two ranks or more, measured, not a training");
  if (options.format == "json") {
    nlohmann::json j = expected::json_of(all);
    j["others"] = expected::json_of(places);
    return print_json(j);
  }
  const report::Document document{
      .title = "busbar expect",
      .summary = report::count_runs_and_cases(runs),
      .chapters = {
          {.name = "others", .title = "What others got", .blocks = expected::blocks_of(places)},
          {.name = "expected", .title = "Achieved and expected bandwidth", .blocks = expected::blocks_of(all)}}};
  return print_document(document, options.format);
}

}  // namespace

extern const Command expect_runs{
    .name = "expect",
    .about = "compare with what links can carry and others got",
    .heading = "Read records",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto options = std::make_shared<ExpectOptions>();
      line.add("FILE", &options->files, "records (JSON Lines) or folders of them", records_value);
      line.add(
          "--line-rate", &options->line_rate,
          "network bandwidth per node, each way, over all of its NICs: 200Gb/s, 100gbe, 25GB/s, 8x200Gb/s (8 NICs); "
          "overrides the facts of the records",
          {.name = "RATE"});
      add_format(line, options->format);
      line.notes =
          "Ceilings come from the links in the record, or from --line-rate; unknown links are named, not guessed.";
      line.exit_codes = "0 shown; 1 no record has a bandwidth; 2 wrong use, or a file cannot be read.";
      line.examples = {"busbar expect results/nccl.jsonl --line-rate 4x200Gb/s"};
      return [options] { return show_expected(*options); };
    },
};

}  // namespace busbar
