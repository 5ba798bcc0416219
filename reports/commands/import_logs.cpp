// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/journal/journal.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "reports/commands/command.hpp"
#include "reports/document/document.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/output_names.hpp"
#include "reports/import/path_labels.hpp"

namespace busbar {
namespace {

constexpr int most_ranks = 1 << 24;

struct ImportOptions {
  std::vector<std::string> logs;
  std::string out;
  std::string out_dir = "results";
  std::string collective;
  int ranks = 0, nodes = 0;
  std::string bytes;
  std::vector<std::string> labels;
  std::string labels_from;
  std::string format = "text";
  bool overwrite = false;
};

/// A record imported from a log, or from a part of one.
struct ImportedFile {
  std::string record, log;
  std::size_t cases = 0;
  ImportedRun run;  ///< without its cases
};

/// Reads a file. Throws UsageError if it is unreadable or too large for a benchmark log.
std::string read_text(const std::string& file) {
  constexpr std::uintmax_t largest = std::uintmax_t{256} << 20;
  std::error_code problem;
  if (std::filesystem::is_directory(file, problem)) throw UsageError(file + ": is a folder; name the logs in it");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw UsageError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
  std::string text;  // pipes and devices have no size in advance
  std::array<char, 65536> part{};
  while (text.size() <= largest && (in.read(part.data(), part.size()) || in.gcount() > 0))
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
  if (text.size() > largest) throw UsageError(file + ": is larger than 256 MiB; no log of a known tool is");
  return text;
}

std::map<std::string, std::string> parse_import_labels(const std::vector<std::string>& labels) {
  std::map<std::string, std::string> all;
  for (const std::string& label : labels) {
    const std::size_t equals = label.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw UsageError(fmt::format("--label: '{}' is not KEY=VALUE, e.g. platform=vm", label));
    all[label.substr(0, equals)] = label.substr(equals + 1);
  }
  return all;
}

std::optional<std::string> parse_collective(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (auto name = collective_named(text)) return name;
  throw UsageError(fmt::format("--collective: unknown '{}'; known: {}", text, collective_names()));
}

/// How the run in the log ended; empty if it ended well or the log does not say.
std::string ending(const EndRecord& end) {
  if (end.status == EndStatus::ok || (end.status == EndStatus::unknown && !end.reason)) return "";
  return fmt::format("{}: {}", name(end.status), end.reason.value_or("unknown"));
}

void print_lines(const std::vector<ImportedFile>& imported) {
  for (const auto& [record, log, cases, run] : imported) {
    const std::string end = ending(run.end);
    fmt::print("{}: {}, {}, {} ({}){}\n", record, plural(run.rows, "row"), plural(cases, "case"), scale_text(run.head),
               run.collective, end.empty() ? "" : "; run ended: " + end);
  }
}

nlohmann::json json_of(const std::vector<ImportedFile>& imported) {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& [record, log, cases, run] : imported)
    all.push_back({{"record", record},
                   {"log", log},
                   {"rows", run.rows},
                   {"cases", cases},
                   {"ranks", run.head.ranks},
                   {"collective", run.collective},
                   {"end", name(run.end.status)},
                   {"warnings", run.warnings}});
  return {{"imported", all}};
}

report::Table table_of(const std::vector<ImportedFile>& imported) {
  using enum report::ColumnKind;
  report::Table table{.title = "",
                      .columns = {{"record", name},
                                  {"log", name},
                                  {"rows", number},
                                  {"cases", number},
                                  {"scale", text},
                                  {"collective", name},
                                  {"run ended", text}},
                      .rows = {}};
  for (const auto& [record, log, cases, run] : imported)
    table.rows.push_back({record, log, std::to_string(run.rows), std::to_string(cases), scale_text(run.head),
                          run.collective, ending(run.end)});
  drop_last_column_if_empty(table);
  return table;
}

/// Prints all logs as Markdown or JSON. Text output prints each log as soon as it is imported.
void print_summary(const std::vector<ImportedFile>& imported, const std::string& format) {
  if (format == "json") return print_json(json_of(imported));
  print_document({.chapters = {{.name = "imported", .title = "Imported logs", .blocks = {table_of(imported)}}}},
                 format);
}

std::vector<ImportedFile> import_one(const ImportRequest& request, const std::filesystem::path& file, bool overwrite) {
  std::vector<ImportedRun> runs = import_log(request);
  std::vector<std::string> names;
  for (const ImportedRun& run : runs) names.push_back(run.name);
  const auto files = run_files(file, names);
  std::vector<ImportedFile> imported;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ImportedRun& run = runs[i];
    write_journal(files[i], {.head = run.head, .cases = run.cases, .end = run.end}, overwrite);
    for (const std::string& warning : run.warnings)
      print_message("busbar", fmt::format("{}: {}", request.source, warning));
    imported.push_back(
        {.record = files[i].string(), .log = request.source, .cases = run.cases.size(), .run = std::move(run)});
    imported.back().run.cases = {};
  }
  return imported;
}

/// Labels from the user override those from the path.
void add_labels(ImportRequest& request, const PathPattern& pattern) {
  if (auto labels = pattern.labels(request.source))
    request.labels.merge(*labels);
  else
    print_message("busbar", fmt::format("{}: the path does not match --labels-from; no labels added", request.source));
}

Exit import_all(const ImportOptions& o) {
  if (!o.out.empty() && o.logs.size() > 1)
    throw UsageError(fmt::format("--out: one file for {} logs; use --out-dir, which makes one a log", o.logs.size()));
  const auto files = o.out.empty() ? journal_names(o.logs, o.out_dir) : std::vector<std::filesystem::path>{o.out};
  ImportRequest request{.collective = parse_collective(o.collective),
                        .ranks = o.ranks > 0 ? std::optional(o.ranks) : std::nullopt,
                        .nodes = o.nodes > 0 ? std::optional(o.nodes) : std::nullopt,
                        .bytes = o.bytes.empty() ? std::nullopt : std::optional(parse_size("--bytes", o.bytes)),
                        .labels = {}};
  const auto labels = parse_import_labels(o.labels);
  std::optional<PathPattern> from_path;
  if (!o.labels_from.empty()) from_path.emplace("--labels-from", o.labels_from);
  std::vector<std::string> failed;
  bool unknown_format = false;
  std::vector<ImportedFile> imported;
  for (std::size_t i = 0; i < o.logs.size(); ++i) {
    try {
      const std::string text = read_text(o.logs[i]);
      request.text = text;
      request.source = o.logs[i];
      request.labels = labels;
      if (from_path) add_labels(request, *from_path);
      auto made = import_one(request, files[i], o.overwrite);
      if (o.format == "text")
        print_lines(made);
      else
        std::ranges::move(made, std::back_inserter(imported));
    } catch (const UnknownFormat& e) {
      if (o.logs.size() == 1) throw;
      failed.push_back(e.brief());
      unknown_format = true;
    } catch (const UsageError& e) {
      if (o.logs.size() == 1) throw;
      failed.emplace_back(e.what());
    }
  }
  if (o.format != "text") print_summary(imported, o.format);
  for (const std::string& reason : failed) print_message("busbar", reason);
  if (unknown_format) print_message("busbar", "formats that can be imported: " + known_formats());
  if (failed.empty()) return Exit::ok;
  print_message("busbar", fmt::format("{} of {} not imported", failed.size(), plural(o.logs.size(), "log")));
  return failed.size() < o.logs.size() ? Exit::failed : Exit::usage;
}

}  // namespace

extern const Command import_logs{
    .name = "import",
    .about = "convert logs of other tools to records",
    .heading = "Convert",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<ImportOptions>();
      line.add("LOG", &o->logs, "logs to convert; formats: " + names_of<Importer>(), records_value);
      line.add("-o,--out", &o->out, "record to write, if there is one log",
               {.name = "FILE", .completes = Completes::files, .excludes = "--out-dir"});
      line.add("--out-dir", &o->out_dir, "folder for the records, one per log, named after it",
               {.name = "FOLDER", .completes = Completes::folders});
      line.add("--collective", &o->collective, "collective, if the log does not name it", collective_value());
      line.add("--ranks", &o->ranks, "number of ranks, if the log does not say",
               {.name = "N", .low = 1, .high = most_ranks});
      line.add("--nodes", &o->nodes, "number of hosts, if the log does not say",
               {.name = "N", .low = 1, .high = most_ranks});
      line.add("--bytes", &o->bytes, "buffer size, if the log does not say (nvbandwidth): 64M", {.name = "SIZE"});
      line.add("--label", &o->labels, "add a label to the records, e.g. platform=vm; can be repeated",
               {.name = "KEY=VALUE", .single = true});
      line.add("--labels-from", &o->labels_from,
               "take labels from the paths of the logs: '{platform}/{}.{setting}.log'", {.name = "PATTERN"});
      line.add("--overwrite", &o->overwrite, "replace existing records");
      add_format(line, o->format);
      line.exit_codes = "0 all imported; 1 some could not be; 2 wrong use, or none could be.";
      line.examples = {"busbar import all_reduce.log --label platform=vm -o results/vm.jsonl"};
      return [o] { return import_all(*o); };
    },
};

}  // namespace busbar
