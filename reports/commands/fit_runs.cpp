// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/files/output_file.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/drawing/render.hpp"
#include "reports/fit/calibrated_platform.hpp"
#include "reports/fit/fit_blocks.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

struct FitOptions {
  std::vector<std::string> files;
  fit::SweepOptions sweeps;
  std::string library{fit::library_of_record}, launch_spread = "10";
  std::string out;
  std::string format = "text";
  std::string platform;
  fit::PlatformRequest request;
};

/// Writes the platform and returns a summary.
std::string write_platform(const fit::Fit& found, const FitOptions& o) {
  const platform::PlatformSpec spec = fit::calibrated(found, o.request);
  write_whole(o.platform, [&](std::ostream& out) { platform::write_xml(spec, out); }, "--platform");
  return fmt::format("{}: {} of {}, {} between nodes, {:.4g} GB/s of a node, {}", o.platform,
                     plural(spec.nodes, "node"), plural(spec.gpus, "GPU"), format_duration(spec.interconnect.latency_s),
                     1e-9 * spec.interconnect.bandwidth_Bps, spec.figures_from);
}

Exit fit_files(const FitOptions& o) {
  const double spread = parse_percent("--launch-spread", o.launch_spread, 0.1, 1000);
  fit::SweepOptions sweeps = o.sweeps;
  sweeps.library = fit::parse_library(o.library);
  const auto runs = report::load(report::record_files(o.files), Detail::figures);
  const fit::Fit found = fit::fit_runs(runs, sweeps, spread);
  if (found.sweeps.empty())
    throw Error("no case of these records can be fitted: of two ranks or more, with a size, a time and its nodes");
  if (!o.out.empty()) write_whole(o.out, json_text(json_of(found)), "-o");
  auto blocks = fit::blocks_of(found);
  if (!o.platform.empty()) blocks.emplace_back(report::Paragraph{.text = write_platform(found, o)});
  if (o.format == "json") return print_json(json_of(found));
  const report::Document document{
      .title = "busbar fit",
      .summary = report::count_runs_and_cases(runs),
      .chapters = {{.name = "fit", .title = "Latency and bandwidth by level", .blocks = std::move(blocks)}}};
  return print_document(document, o.format);
}

}  // namespace

extern const Command fit_runs{
    .name = "fit",
    .about = "fit latency and bandwidth per level of the machine",
    .heading = "Predict",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<FitOptions>();
      line.add("FILE", &o->files, "records (JSON Lines) or folders of them", records_value);
      line.add("--collective", &o->sweeps.collectives, "collectives to fit", collective_value(true));
      line.add("--by", &o->sweeps.by, "make one fit per value of this label or field",
               {.name = "FIELD", .standard = "all labels"});
      line.add("--pool", &o->sweeps.pool, "labels that can differ within one fit", {.name = "LABEL", .list = true});
      add_library(line, o->library);
      line.add("--launch-spread", &o->launch_spread,
               "launch-to-launch standard deviation to assume if there are too few launches", {.name = "PERCENT"});
      line.add("-o,--out", &o->out, "write the fit as JSON, for busbar predict", file_value);
      line.add("--platform", &o->platform, "write a SimGrid platform (XML) with the figures of the fit", file_value);
      line.add("--topology", &o->request.topology, "--platform: topology, as for busbar platform",
               {.name = "TOPOLOGY"});
      line.add("--nodes", &o->request.nodes, "--platform: number of nodes", {.name = "N", .low = 1});
      line.add("--gpu-link", &o->request.gpu_link, "--platform: link between the GPUs of a node", {.name = "LINK"});
      add_format(line, o->format);
      line.notes = "Runs that differ only in sizes, ranks and nodes are fitted together (docs/predicting.md).";
      line.exit_codes =
          "0 fitted; 1 nothing in the records can be fitted; 2 wrong use, or a file cannot be read; 4 a file cannot be "
          "written.";
      line.examples = {"busbar fit results/n2.jsonl results/n8.jsonl -o fit.json"};
      return [o] { return fit_files(*o); };
    },
};

}  // namespace busbar
