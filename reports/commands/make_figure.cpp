// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/files/folders.hpp"
#include "core/files/output_file.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/document_options.hpp"
#include "reports/figure/figure.hpp"
#include "reports/runs/load.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

struct FigureCommandOptions {
  std::string name;
  std::vector<std::string> files;
  std::string out;
  bool list = false, all = false, all_lines = false;
  std::string format;
  std::string width, height, font_size;
  std::string font;
  int columns = 1, dpi = 300;
  std::string title;
  DocumentChoices document;
};

/// Records: with --list and --all there is no name, and the first word is a file.
std::vector<std::string> files_of(const FigureCommandOptions& o) {
  std::vector<std::string> files = o.files;
  if (o.list || o.all) files.insert(files.begin(), o.name);
  if (files.empty())
    throw UsageError("FILE: no record; busbar figure NAME FILE... -o FILE, or busbar figure --list FILE...");
  return files;
}

figure::FileType type_of(const std::string& out) {
  const std::string suffix = lower_case(fs::path(out).extension().string());
  const auto type = enum_named<figure::FileType>(suffix.empty() ? suffix : suffix.substr(1));
  if (!type) throw UsageError(fmt::format("-o: {} does not end in .pdf, .svg, .pgf or .png", out));
  return *type;
}

double parse_centimetres(std::string_view flag, const std::string& text) {
  return parse_number(flag, text, 2, 100, "a number of centimetres from 2 to 100");
}

figure::FigureOptions figure_options(const FigureCommandOptions& o, figure::FileType type) {
  constexpr double one_column_cm = 8.4, two_columns_cm = 17.4;
  if (!o.font.empty() && type == figure::FileType::pgf)
    throw UsageError("--font: a .pgf file has the font of its document");
  figure::FigureOptions options{
      .width_cm = o.columns == 2 ? two_columns_cm : one_column_cm, .title = o.title, .dpi = static_cast<double>(o.dpi)};
  if (!o.width.empty()) options.width_cm = parse_centimetres("--width", o.width);
  if (!o.height.empty()) options.height_cm = parse_centimetres("--height", o.height);
  if (!o.font.empty()) options.font = printable(o.font);
  if (!o.font_size.empty())
    options.font_pt = parse_number("--font-size", o.font_size, 4, 40, "a number of points from 4 to 40");
  return options;
}

/// Writes the picture, the caption and the data, and prints one line. Returns what the font lacks.
std::optional<figure::LackingCharacters> write_figure(const figure::Chart& chart, const std::vector<Run>& runs,
                                                      const FigureCommandOptions& o, const fs::path& out) {
  const figure::FileType type = type_of(out.string());
  const figure::FigureFiles files = figure::make_figure(chart, runs, figure_options(o, type), type, "-o");
  const fs::path caption = fs::path(out).replace_extension(".txt"), data = fs::path(out).replace_extension(".csv");
  write_whole(out, files.picture, "-o");
  write_whole(caption, files.caption, "-o");
  write_whole(data, files.data, "-o");
  fmt::print("{}: {:.1f} x {:.1f} cm, {}; {} has the caption, {} the data\n", out.string(), files.width_cm,
             files.height_cm, files.counts, caption.filename().string(), data.filename().string());
  return files.lacking;
}

void warn_of_boxes(const std::optional<figure::LackingCharacters>& lacking, const FigureCommandOptions& o) {
  if (!lacking) return;
  print_message(
      "busbar",
      fmt::format("warning: --font: {} has no glyphs for {} in '{}' and draws boxes; choose a font that has them",
                  o.font.empty() ? figure::FigureOptions().font : o.font, lacking->characters, lacking->text));
}

Exit list_figures(const std::vector<figure::Chart>& charts) {
  std::size_t widest = 0;
  for (const figure::Chart& chart : charts) widest = std::max(widest, chart.name.size());
  for (const figure::Chart& chart : charts)
    fmt::print("{:{}}  {}\n", chart.name, widest, printable(figure::subject_of(chart)));
  if (charts.empty()) fmt::print("these records have no chart\n");
  return Exit::ok;
}

/// Every chart in a folder.
Exit write_all(const std::vector<figure::Chart>& charts, const std::vector<Run>& runs, const FigureCommandOptions& o) {
  if (charts.empty()) throw UsageError("these records have no chart");
  make_folders(o.out);
  std::optional<figure::LackingCharacters> lacking;  // of the first figure: one warning is enough
  for (const figure::Chart& chart : charts) {
    const std::string file = chart.name + "." + (o.format.empty() ? "pdf" : o.format);
    auto of_chart = write_figure(chart, runs, o, fs::path(o.out) / file);
    if (!lacking) lacking = std::move(of_chart);
  }
  warn_of_boxes(lacking, o);
  return Exit::ok;
}

void check_use(const FigureCommandOptions& o) {
  if (o.list && o.all) throw UsageError("--all: not with --list");
  if (!o.format.empty() && !o.all) throw UsageError("--format: only with --all; else by the suffix of -o");
  if (o.list) return;
  if (o.out.empty())
    throw UsageError(o.all ? "-o: needs a folder with --all"
                           : "-o: needs a file that ends in .pdf, .svg, .pgf or .png");
  if (!o.all) (void)figure_options(o, type_of(o.out));
}

Exit make_figures(const FigureCommandOptions& o) {
  check_use(o);
  const std::vector<std::string> files = files_of(o);
  if (!o.list && !o.all) {
    for (const char* suffix : {"", ".txt", ".csv"}) {
      fs::path out(o.out);
      if (*suffix != '\0') out.replace_extension(suffix);
      refuse_to_overwrite_input(files, o.document, out.string());
    }
  }
  report::DocumentOptions asked = read_document_choices(o.document);
  const std::vector<Run> runs = report::load(report::record_files(files), Detail::without_samples);
  asked.overview = false;
  const std::vector<figure::Chart> charts = figure::charts_of(
      report::make_document("", runs, asked), o.all_lines ? figure::LinesToDraw::all : figure::LinesToDraw::chosen);
  if (o.list) return list_figures(charts);
  if (o.all) return write_all(charts, runs, o);
  warn_of_boxes(write_figure(figure::find_chart(charts, o.name), runs, o, o.out), o);
  return Exit::ok;
}

}  // namespace

extern const Command make_figure{
    .name = "figure",
    .about = "draw one chart of the report for a paper (PDF, SVG, PGF, PNG)",
    .heading = "Read records",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<FigureCommandOptions>();
      line.add("NAME", &o->name, "name of the figure: see --list", {.name = "NAME", .required = true});
      line.add("FILE", &o->files, "records or folders of them", file_value);
      line.add("-o,--out", &o->out, "file to write: .pdf, .svg, .pgf or .png; --all: a folder",
               {.name = "FILE", .completes = Completes::files, .common = true});
      line.add("--list", &o->list, "list the figures of these records", {.common = true});
      line.add("--all", &o->all, "draw every figure of these records", {.common = true});
      line.add("--format", &o->format, "file type of --all",
               {.name = "FORMAT", .choices = {"pdf", "svg", "pgf", "png"}, .strict = true, .standard = "pdf"});
      line.add("--all-lines", &o->all_lines, "draw every line; without it, the eight that the report shows at first");
      line.add("--columns", &o->columns, "columns of the paper that the figure covers",
               {.name = "N", .common = true, .low = 1, .high = 2});
      line.add("--width", &o->width, "width in cm",
               {.name = "CM", .standard = "8.4; 17.4 with --columns 2", .common = true});
      line.add("--height", &o->height, "height in cm",
               {.name = "CM", .standard = "by the width, the legend and the rows", .common = true});
      line.add("--font", &o->font, "font family; not for .pgf",
               {.name = "FAMILY", .standard = "sans-serif", .common = true});
      line.add("--font-size", &o->font_size, "font size in points", {.name = "PT", .standard = "8", .common = true});
      line.add("--title", &o->title, "title above the plot", {.name = "TEXT", .standard = "none", .common = true});
      line.add("--dpi", &o->dpi, "pixels per inch of a .png", {.name = "N", .low = 50, .high = 1200});
      add_document_options(line, o->document);
      line.notes =
          "Beside the figure, NAME.txt has a caption and NAME.csv the data. A .pgf file is for pgfplots: \\input it.";
      line.examples = {"busbar figure --list results/*.jsonl",
                       "busbar figure allreduce-busbw results/*.jsonl -o allreduce.pdf",
                       "busbar figure --all results/*.jsonl -o figures --format svg"};
      return [o] { return make_figures(*o); };
    },
};

}  // namespace busbar
