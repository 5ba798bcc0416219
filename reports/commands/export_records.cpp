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
#include "reports/expected/registry_entry.hpp"
#include "reports/export/exporter.hpp"

namespace busbar {
namespace {

struct ExportCommandOptions {
  std::string file;
  std::string format;
  std::string out;
  bool overwrite = false;
  bool for_registry = false;
  std::string machine;
  ExportOptions with;
};

void write_file(const std::string& path, const std::string& text, bool overwrite) {
  std::error_code problem;
  if (!overwrite && std::filesystem::exists(path, problem))
    throw UsageError(fmt::format("--out: {} exists; name another file, or add --overwrite", path));
  make_folders(std::filesystem::path(path).parent_path());
  write_whole(path, text, "--out");
}

std::string registry_text(const ExportCommandOptions& o) {
  const expected::RegistryEntry entry =
      expected::registry_entry(read_journal(o.file, Detail::without_samples), o.machine);
  fmt::print(stderr, "busbar: {} rows{}; add title and url: where others can see the run\n", entry.rows,
             entry.left_out == 0 ? "" : fmt::format(", {} disturbed ones left out", entry.left_out));
  return entry.text;
}

std::string exported_text(const ExportCommandOptions& o) {
  if (o.for_registry) return registry_text(o);
  const Exporter* exporter = try_find<Exporter>(o.format);
  if (exporter == nullptr)
    throw UsageError(fmt::format("--format: no '{}'; there is: {}", o.format, names_of<Exporter>()));
  return exporter->write(read_journal(o.file), o.with);
}

Exit export_one(const ExportCommandOptions& o) {
  if (o.for_registry != o.format.empty())
    throw UsageError(fmt::format("name either --for-registry or --format: {}", names_of<Exporter>()));
  if (!o.machine.empty() && !o.for_registry) throw UsageError("--machine: goes with --for-registry");
  const std::string text = exported_text(o);
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
      line.add("--format", &o->format, abouts_of<Exporter>(), {.name = "FORMAT", .choices = list_names<Exporter>()});
      line.add("--for-registry", &o->for_registry,
               "write collectives as an entry for the table of public results: device, network, library, figures; no "
               "names of hosts or users");
      line.add("--machine", &o->machine, "what you call the machine, for --for-registry", {.name = "TEXT"});
      line.add("-o,--out", &o->out, "file to write",
               {.name = "FILE", .completes = Completes::files, .standard = "standard output"});
      line.add("--max-repetitions", &o->with.max_repetitions,
               "google-benchmark: maximum number of samples per case, evenly spaced", {.name = "N", .low = 1});
      line.add("--overwrite", &o->overwrite, "replace an existing file");
      line.examples = {"busbar export --format google-benchmark before.jsonl -o before.json",
                       "busbar export --format google-benchmark after.jsonl -o after.json",
                       "compare.py -a benchmarks before.json after.json",
                       "busbar export --for-registry run.jsonl -o mine.json"};
      return [o] { return export_one(*o); };
    },
};

}  // namespace busbar
