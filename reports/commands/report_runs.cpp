// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/json.hpp"
#include "core/output_file.hpp"
#include "core/record/run.hpp"
#include "reports/command.hpp"
#include "reports/document.hpp"
#include "reports/expected/line_rate.hpp"
#include "reports/load.hpp"
#include "reports/logo.hpp"
#include "reports/page.hpp"
#include "reports/predict/prediction.hpp"
#include "reports/render.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> files;
  std::string out;
  std::string format;
  std::string title = "busbar report";
  std::string line_rate;
  std::string by;
  std::vector<std::string> across;
  std::string group_by, color, facet, fastest;
  std::vector<std::string> pool;
  std::vector<std::string> sections;
  std::vector<std::string> notes;
  std::string logo;
  std::string predict;
};

/// The format asked for, else by the suffix of -o.
std::string chosen_format(const ReportOptions& options) {
  if (!options.format.empty()) return options.format;
  const std::string suffix = fs::path(options.out).extension().string();
  if (options.out.empty() || suffix == ".html" || suffix == ".htm") return "html";
  if (suffix == ".md" || suffix == ".markdown") return "md";
  if (suffix == ".json") return "json";
  throw UsageError(
      fmt::format("-o: {} does not end in .html, .md or .json; add --format html, md or json", options.out));
}

/// A report must not be written over what it is made from.
void refuse_to_overwrite_input(const ReportOptions& options, const std::string& out) {
  auto files = options.files;
  if (!options.predict.empty()) files.push_back(options.predict);
  for (const auto& file : files) {
    std::error_code problem;
    if (fs::equivalent(file, out, problem)) throw UsageError(fmt::format("-o: {} is one of the files to read", out));
  }
}

std::string rendered(const report::Document& document, const std::string& format) {
  if (format == "md") return report::render_markdown(document);
  if (format == "html") return report::render_html(document, report::chart_bundle());
  return report::render_json(document).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Exit make_report(const ReportOptions& options) {
  const std::string format = chosen_format(options);
  const std::string out = options.out.empty() ? "report." + format : options.out;
  refuse_to_overwrite_input(options, out);
  report::DocumentOptions asked{.by = options.by,
                                .pool = options.pool,
                                .across = options.across,
                                .group_by = options.group_by,
                                .color = options.color,
                                .facet = options.facet,
                                .fastest = options.fastest,
                                .sections = options.sections,
                                .notes = options.notes};
  if (!options.logo.empty()) asked.logo = report::logo_uri(options.logo);
  if (!options.predict.empty())
    asked.prediction = std::make_shared<predict::Prediction>(predict::read_prediction(options.predict));
  if (!options.line_rate.empty()) asked.line_rate = expected::parse_line_rate(options.line_rate);
  const std::vector<Run> runs = report::load(report::record_files(options.files), Detail::without_samples);
  const report::Document document = report::make_document(options.title, runs, asked);
  const std::string text = rendered(document, format);
  if (out == "-") {
    fmt::print("{}", text);
    return Exit::ok;
  }
  write_whole(out, text, "-o");
  fmt::print("{}: {}\n", out, document.summary);
  return Exit::ok;
}

}  // namespace

extern const Command report_runs{
    .name = "report",
    .about = "make one page of charts and tables from records",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto options = std::make_shared<ReportOptions>();
      line.add("FILE", &options->files, "records (JSON Lines) written by busbar-bench or busbar import", records_value);
      line.add("-o,--out", &options->out, "file to write, - for standard output (default: report.html, .md or .json)",
               file_value);
      line.add("--format", &options->format, "html, md or json (default: by the suffix of -o)",
               {.name = "FORMAT", .choices = {"html", "md", "json"}, .strict = true});
      line.add("--title", &options->title, "heading of the page", {.name = "TEXT", .shown = true});
      line.add("--note", &options->notes, "a paragraph of your own below the title; may be repeated",
               {.name = "TEXT", .single = true});
      line.add("--logo", &options->logo, "image for the head of the page: PNG, JPEG, GIF, WebP or SVG, at most 1 MiB",
               file_value);
      line.add("--line-rate", &options->line_rate,
               "what the network carries out of each node, over all of its NICs: 200Gb/s, 25GB/s, 8x200Gb/s; for "
               "the ceilings (default: by the facts of the records)",
               {.name = "RATE"});
      line.add("--predict", &options->predict,
               "a prediction (busbar predict -o): drawn dashed with a band, beside what was measured", file_value);
      line.add("--by", &options->by, "hold the values of a label or a field against each other, as busbar compare --by",
               {.name = "FIELD"});
      line.add("--group-by", &options->group_by,
               "draw one line over size for all launches with the same value of a label or a field", {.name = "FIELD"});
      line.add("--across", &options->across, "with --by: fields in which sides may differ, as busbar compare --across",
               {.name = "FIELD", .list = true});
      line.add("--color", &options->color, "give lines over size with the same value of a label or a field one colour",
               {.name = "FIELD"});
      line.add("--facet", &options->facet, "draw cases with unlike values of a label or a field in charts of their own",
               {.name = "FIELD"});
      line.add("--fastest", &options->fastest,
               "which value of a label is the fastest, case by case, and how much every label matters",
               {.name = "LABEL"});
      line.add("--pool", &options->pool, "with --by: labels in which runs of one side may differ",
               {.name = "LABEL", .list = true});
      line.add("--sections", &options->sections, "only these: summary,over_size,fastest (default: all)",
               {.name = "SECTION", .choices = list_names<report::Section>(), .list = true});
      line.footer =
          "The page needs no network and no other file. Runs are named by their labels, or by file name without any.\n"
          "Example:\n  busbar report results/vm.jsonl results/metal.jsonl -o report.html";
      return [options] { return make_report(*options); };
    },
};

}  // namespace busbar
