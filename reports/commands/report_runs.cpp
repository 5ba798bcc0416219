// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/words.hpp"
#include "core/files/output_file.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/document_options.hpp"
#include "reports/drawing/logo.hpp"
#include "reports/drawing/page.hpp"
#include "reports/drawing/render.hpp"
#include "reports/export/exporter.hpp"
#include "reports/runs/load.hpp"
#include "reports/sections/report_document.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> files;
  std::string out;
  std::string format;
  std::string title;
  DocumentChoices document;
  std::vector<std::string> sections;
  std::vector<std::string> notes;
  std::string logo;
  std::string price_per_hour;
  bool csv = false;
};

/// The requested format, else from the suffix of -o.
std::string chosen_format(const ReportOptions& options) {
  if (!options.format.empty()) return options.format;
  const std::string suffix = fs::path(options.out).extension().string();
  if (options.out.empty() || suffix == ".html" || suffix == ".htm") return "html";
  if (suffix == ".md" || suffix == ".markdown") return "md";
  if (suffix == ".json") return "json";
  throw UsageError(
      fmt::format("-o: {} does not end in .html, .md or .json; add --format html, md or json", options.out));
}

std::string rendered(const report::Document& document, const std::string& format) {
  if (format == "md") return report::render_markdown(document);
  if (format == "html") return report::render_html(document, report::chart_bundle());
  return json_text(report::render_json(document));
}

/// One row a case, of all runs.
std::string csv_of(const std::vector<Run>& runs) {
  const Exporter& exporter = *try_find<Exporter>("csv");
  std::string all;
  for (const Run& run : runs) {
    const std::string text = exporter.write(run, {});
    all += all.empty() ? text : text.substr(text.find('\n') + 1);
  }
  return all;
}

Exit make_report(const ReportOptions& options) {
  const std::string format = chosen_format(options);
  const std::string out = options.out.empty() ? "report." + format : options.out;
  refuse_to_overwrite_input(options.files, options.document, out);
  if (options.csv && out == "-") throw UsageError("--csv: needs a file, -o FILE, to write beside");
  report::DocumentOptions asked = read_document_choices(options.document);
  asked.sections = options.sections;
  asked.notes = options.notes;
  if (!options.logo.empty()) asked.logo = report::logo_uri(options.logo);
  if (!options.price_per_hour.empty())
    asked.price_per_hour = parse_number("--price-per-hour", options.price_per_hour, 1e-6, 1e9,
                                        "the price of a node for an hour, a number from 1e-6 to 1e9");
  const std::vector<Run> runs = report::load(report::record_files(options.files), Detail::without_samples);
  const report::Document document = report::make_document(options.title, runs, asked);
  const std::string text = rendered(document, format);
  if (out == "-") {
    fmt::print("{}", text);
    return Exit::ok;
  }
  write_whole(out, text, "-o");
  fmt::print("{}: {}\n", out, document.summary);
  if (options.csv) {
    const std::string beside = fs::path(out).replace_extension(".csv").string();
    write_whole(beside, csv_of(runs), "--csv");
    fmt::print("{}: all cases\n", beside);
  }
  return Exit::ok;
}

}  // namespace

extern const Command report_runs{
    .name = "report",
    .about = "write a page of charts and tables (HTML, Markdown, JSON)",
    .heading = "Read records",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto options = std::make_shared<ReportOptions>();
      line.add("FILE", &options->files, "records or folders of them", records_value);
      line.add("-o,--out", &options->out, "file to write; -: standard output",
               {.name = "FILE", .completes = Completes::files, .standard = "report.html", .common = true});
      line.add(
          "--format", &options->format, "output format",
          {.name = "FORMAT", .choices = {"html", "md", "json"}, .strict = true, .standard = "by the suffix of -o"});
      line.add("--csv", &options->csv, "also write all cases as CSV, to a file beside the page");
      line.add("--title", &options->title, "title of the page",
               {.name = "TEXT", .standard = "what was measured where", .common = true});
      line.add("--note", &options->notes, "add a paragraph below the title; can be repeated",
               {.name = "TEXT", .single = true});
      line.add("--logo", &options->logo, "logo of the page: PNG, JPEG, GIF, WebP or SVG, at most 1 MiB", file_value);
      line.add("--price-per-hour", &options->price_per_hour,
               "price of one node for an hour, in any currency: adds the costs of runs and of a million images",
               {.name = "PRICE"});
      add_document_options(line, options->document);
      line.add("--sections", &options->sections, "sections to include: findings,collectives,fastest",
               {.name = "SECTION", .choices = list_names<report::Section>(), .list = true, .standard = "all"});
      line.notes = "The page is one file and needs no network. Runs are named by their labels, or by their file names.";
      line.examples = {"busbar report results/vm.jsonl results/metal.jsonl -o report.html"};
      return [options] { return make_report(*options); };
    },
};

}  // namespace busbar
