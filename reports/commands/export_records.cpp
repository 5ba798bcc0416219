// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/core.h>

#include "core/files/folders.hpp"
#include "core/files/output_file.hpp"
#include "core/journal/journal.hpp"
#include "core/record/run.hpp"
#include "reports/commands/command.hpp"
#include "reports/export/exporter.hpp"

namespace busbar {
namespace {

struct ExportCommandOptions {
  std::string file;
  std::string format;
  std::string out;
  bool overwrite = false;
  ExportOptions with;
};

void write_file(const std::string& path, const std::string& text, bool overwrite) {
  std::error_code problem;
  if (!overwrite && std::filesystem::exists(path, problem))
    throw UsageError(fmt::format("--out: {} exists; name another file, or add --overwrite", path));
  make_folders(std::filesystem::path(path).parent_path());
  write_whole(path, text, "--out");
}

Exit export_one(const ExportCommandOptions& o) {
  const Exporter* exporter = try_find<Exporter>(o.format);
  if (exporter == nullptr)
    throw UsageError(fmt::format("--format: no '{}'; there is: {}", o.format, names_of<Exporter>()));
  const std::string text = exporter->write(read_journal(o.file), o.with);
  if (o.out.empty())
    write_standard_output(text);
  else
    write_file(o.out, text, o.overwrite);
  return Exit::ok;
}

}  // namespace

extern const Command export_records{
    .name = "export",
    .about = "convert a record for other tools (CSV, ...)",
    .heading = "Convert",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<ExportCommandOptions>();
      line.add("FILE", &o->file, "record (JSON Lines)", records_value);
      line.add("--format", &o->format, abouts_of<Exporter>(),
               {.name = "FORMAT", .choices = list_names<Exporter>(), .required = true});
      line.add("-o,--out", &o->out, "file to write",
               {.name = "FILE", .completes = Completes::files, .standard = "standard output"});
      line.add("--max-repetitions", &o->with.max_repetitions,
               "google-benchmark: maximum number of samples per case, evenly spaced", {.name = "N", .low = 1});
      line.add("--overwrite", &o->overwrite, "replace an existing file");
      line.examples = {"busbar export --format google-benchmark before.jsonl -o before.json",
                       "busbar export --format google-benchmark after.jsonl -o after.json",
                       "compare.py -a benchmarks before.json after.json"};
      return [o] { return export_one(*o); };
    },
};

}  // namespace busbar
