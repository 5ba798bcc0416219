// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/files/output_file.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/explain/tuning.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

struct TuneOptions {
  std::vector<std::string> files;
  std::string out;
};

/// The library of all runs with cases of MPI. Throws UsageError if there is none, or several.
std::string library_of(const std::vector<Run>& runs) {
  std::string library;
  for (const Run& run : runs) {
    if (std::ranges::none_of(run.cases, [](const CaseRecord& c) { return c.key.backend == "mpi"; })) continue;
    const std::string name = run.head.mpi ? run.head.mpi->library : "an unknown MPI library";
    if (!library.empty() && library != name)
      throw UsageError(fmt::format("FILE: records of {} and {}; a tuning file is for one library", library, name));
    library = name;
  }
  if (library.empty()) throw UsageError("FILE: no record has cases of --backend mpi");
  return library;
}

/// Throws UsageError if the library's name is not in the table.
const MpiLibrary& known_library(const std::string& name) {
  const auto rows = table<MpiLibrary>();
  const auto row = std::ranges::find_if(rows, [&](const MpiLibrary* one) { return name.starts_with(one->name); });
  if (row == rows.end()) throw UsageError(fmt::format("FILE: busbar cannot write tuning files for {}", name));
  return **row;
}

report::Table table_of(const std::vector<explain::FasterAlgorithm>& used) {
  using report::ColumnKind;
  report::Table t{.columns = {{"collective", ColumnKind::name},
                              {"ranks", ColumnKind::number},
                              {"size", ColumnKind::number},
                              {"own choice", ColumnKind::number},
                              {"algorithm", ColumnKind::name},
                              {"time", ColumnKind::number},
                              {"", ColumnKind::name}}};
  for (const auto& f : used)
    t.rows.push_back({f.key.collective, std::to_string(f.key.ranks), format_size(f.key.bytes), format_duration(f.own_s),
                      f.algorithm, format_duration(f.time_s), how_much_faster(f)});
  return t;
}

std::string filled_in(std::string text, const std::string& file) {
  for (auto at = text.find("{}"); at != std::string::npos; at = text.find("{}", at + file.size()))
    text.replace(at, 2, file);
  return text;
}

/// Open MPI 5 puts han before tuned between hosts, and the rules are tuned's.
std::string about_han(const std::string& library, const explain::Tuning& tuning) {
  const bool between_hosts =
      std::ranges::any_of(tuning.used, [](const auto& f) { return f.key.nodes.value_or(1) > 1; });
  if (!between_hosts || !library.starts_with("Open MPI 5")) return {};
  return " Between hosts, han comes before tuned: add --mca coll_han_priority 0; other calls then leave han as well.";
}

Exit tune_files(const TuneOptions& o) {
  const auto runs = report::load(report::record_files(o.files), Detail::without_samples);
  const std::string name = library_of(runs);
  const MpiLibrary& library = known_library(name);
  auto compared = explain::compare_algorithms(report::pointers(runs));
  std::erase_if(compared.faster, [](const auto& f) { return f.key.backend != "mpi"; });
  std::erase_if(compared.keys, [](const CaseKey& key) { return key.backend != "mpi"; });
  if (compared.keys.empty())
    throw UsageError(
        "FILE: no case was measured with the library's own choice and with another algorithm "
        "(busbar-bench --algorithm all)");
  const explain::Tuning tuning = explain::tuning_of(library, name, compared);
  report::Chapter chapter{.name = "tuning",
                          .title = fmt::format("{}: {} of {} are faster with another algorithm", name,
                                               compared.faster.size(), plural(compared.keys.size(), "case"))};
  if (!tuning.used.empty()) chapter.blocks.emplace_back(table_of(tuning.used));
  for (const std::string& sentence : tuning.left_out)
    chapter.blocks.emplace_back(report::Paragraph{.text = "Left out: " + sentence + "."});
  if (compared.disturbed > 0)
    chapter.blocks.emplace_back(
        report::Paragraph{.text = fmt::format("{} of {} not tested: grade D.", compared.disturbed,
                                              plural(compared.comparisons, "comparison"))});
  if (!tuning.text.empty()) {
    write_whole(o.out, tuning.text, "-o");
    chapter.blocks.emplace_back(report::Paragraph{
        .text = fmt::format("{}: {}.{}", o.out, filled_in(tuning.use, o.out), about_han(name, tuning))});
  }
  print_document({.title = "busbar tune", .summary = report::count_runs_and_cases(runs), .chapters = {chapter}},
                 "text");
  if (!tuning.text.empty()) return Exit::ok;
  throw Error(
      "no algorithm is faster than the library's own choice, as far as these records show; nothing was written");
}

}  // namespace

extern const Command tune_algorithms{
    .name = "tune",
    .about = "write a tuning file that makes MPI use faster algorithms",
    .heading = "Read records",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<TuneOptions>();
      line.add("FILE", &o->files, "records (JSON Lines) or folders of them, of busbar-bench --algorithm",
               records_value);
      Value out = file_value;
      out.required = true;
      line.add("-o,--out", &o->out, "the tuning file to write", out);
      line.notes =
          "An algorithm is used where busbar compare would call it faster than the library's own choice. Several "
          "launches (busbar repeat) show smaller gains. docs/algorithms.md has the formats.";
      line.exit_codes =
          "0 written; 1 nothing to write; 2 wrong use, or a record cannot be read; 4 the file cannot be "
          "written.";
      line.examples = {"busbar tune results/algorithms.jsonl -o tuning.conf"};
      return [o] { return tune_files(*o); };
    },
};

}  // namespace busbar
