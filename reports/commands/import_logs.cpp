// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/journal/journal.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "reports/commands/command.hpp"
#include "reports/document/document.hpp"
#include "reports/import/beside/beside.hpp"
#include "reports/import/beside/folder_logs.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/output_names.hpp"
#include "reports/import/path_labels.hpp"
#include "reports/runs/in_parallel.hpp"

namespace busbar {
namespace {

struct ImportOptions {
  std::vector<std::string> logs;
  std::string out;
  std::string out_dir = "results";
  std::string collective;
  int ranks = 0, nodes = 0;
  std::string bytes;
  std::vector<std::string> labels;
  std::string labels_from, from_path;
  std::string format = "text";
  bool overwrite = false;
};

/// A record imported from a log, or from a part of one.
struct ImportedFile {
  std::string record, log;
  std::size_t cases = 0;
  ImportedRun run;  ///< without its cases
};

/// A log to import, and what lies beside it if it was found in a folder.
struct LogFile {
  std::string path;
  std::shared_ptr<const BesideFiles> beside;
};

/// The logs of a command line, with those in its folders.
struct LogFiles {
  std::vector<LogFile> all;
  std::vector<std::string> failed;
  std::size_t unknown = 0;  ///< other files in the folders
};

LogFiles log_files(const std::vector<std::string>& named) {
  LogFiles logs;
  for (const std::string& name : named) {
    std::error_code problem;
    if (!std::filesystem::is_directory(name, problem)) {
      logs.all.push_back({.path = name});
      continue;
    }
    FolderLogs found = logs_in_folder(name);
    if (found.logs.empty() && found.failed.empty())
      throw UsageError(fmt::format("{}: no log of a known format in this folder ({} looked at); known: {}", name,
                                   plural(found.unknown, "file"), known_formats()));
    for (std::string& path : found.logs) logs.all.push_back({.path = std::move(path), .beside = found.companions});
    for (const std::string& warning : found.warnings) print_message("busbar", warning);
    std::ranges::move(found.failed, std::back_inserter(logs.failed));
    logs.unknown += found.unknown;
  }
  return logs;
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
  report::Table table{.columns = {{"record", name},
                                  {"log", name},
                                  {"rows", number},
                                  {"cases", number},
                                  {"scale", text},
                                  {"collective", name},
                                  {"run ended", text}}};
  for (const auto& [record, log, cases, run] : imported)
    table.rows.push_back({record, log, std::to_string(run.rows), std::to_string(cases), scale_text(run.head),
                          run.collective, ending(run.end)});
  drop_last_column_if_empty(table);
  return table;
}

/// Prints all logs as Markdown or JSON. Text output prints each log as soon as it is imported.
void print_summary(const std::vector<ImportedFile>& imported, const std::string& format) {
  if (format == "json")
    print_json(json_of(imported));
  else
    print_document({.chapters = {{.name = "imported", .title = "Imported logs", .blocks = {table_of(imported)}}}},
                   format);
}

/// Keeps the warnings in the record.
void keep_warnings(ImportedRun& run) {
  for (const std::string& warning : run.warnings)
    if (std::ranges::find(run.head.notes, warning) == run.head.notes.end()) run.head.notes.push_back(warning);
}

/// A log on its way to its records. One step after the other: read, claimed, written, told.
struct Job {
  const LogFile* log = nullptr;
  std::filesystem::path file;       ///< record, if the log has one run
  std::vector<std::string> unread;  ///< what its path does not tell
  std::vector<ImportedRun> runs;
  std::vector<std::filesystem::path> files;  ///< record of each run
  std::exception_ptr failed;                 ///< what ended the first step that failed; later ones do nothing
};

/// What a command line says of all logs. Reading and writing are safe on several threads at once.
class Import {
 public:
  explicit Import(const ImportOptions& o);
  void read(Job& job) const;
  void claim(Job& job);  ///< in the order of the logs
  void write(Job& job) const;

 private:
  [[nodiscard]] ImportRequest request_for(Job& job, std::string_view text) const;
  void warn_of_copy(ImportedRun& run, const std::string& log);

  const ImportOptions& o_;
  ImportRequest stated_;
  std::optional<PathPattern> labels_from_;
  std::optional<StatedInPath> from_path_;
  std::set<std::filesystem::path> written_;
  std::map<std::string, std::string> logs_;  ///< by ids, which follow from texts
};

Import::Import(const ImportOptions& o)
    : o_(o),
      stated_{.collective = parse_collective(o.collective),
              .ranks = o.ranks > 0 ? std::optional(o.ranks) : std::nullopt,
              .nodes = o.nodes > 0 ? std::optional(o.nodes) : std::nullopt,
              .bytes = o.bytes.empty() ? std::nullopt : std::optional(parse_size("--bytes", o.bytes)),
              .labels = parse_assignments("--label", o.labels, "KEY=VALUE, e.g. platform=vm")} {
  if (!o.labels_from.empty()) labels_from_.emplace("--labels-from", o.labels_from);
  if (!o.from_path.empty()) from_path_.emplace("--from-path", o.from_path, stated_);
}

ImportRequest Import::request_for(Job& job, std::string_view text) const {
  const std::string& path = job.log->path;
  ImportRequest request = stated_;
  request.text = text;
  request.source = path;
  const auto unmatched = [&](std::string_view flag, std::string_view what) {
    job.unread.push_back(fmt::format("{}: the path does not match {}; no {}", path, flag, what));
  };
  if (labels_from_) {
    if (auto labels = labels_from_->labels(path))
      request.labels.merge(*labels);  // those of --label stay
    else
      unmatched("--labels-from", "labels added");
  }
  if (from_path_ && !from_path_->add_to(request)) unmatched("--from-path", "number taken from it");
  return request;
}

void Import::read(Job& job) const {
  const LogFile& log = *job.log;
  const std::string text = read_log(log.path);
  const ImportRequest request = request_for(job, text);
  job.runs = log.beside ? import_with(request, log.beside->of(log.path)) : import_log(request);
}

/// A copy of a log is no further launch.
void Import::warn_of_copy(ImportedRun& run, const std::string& log) {
  if (const auto [first, is_new] = logs_.try_emplace(run.head.id, log); !is_new && first->second != log)
    run.warnings.push_back(fmt::format("the same text as {}: a copy is not another launch", first->second));
}

void Import::claim(Job& job) {
  std::vector<std::string> names;
  for (const ImportedRun& run : job.runs) names.push_back(run.name);
  job.files = run_files(job.file, names);
  for (const std::filesystem::path& file : job.files)
    if (!written_.insert(file).second)
      throw UsageError(fmt::format("{}: its record {} is that of another log; rename one, or import it by itself",
                                   job.log->path, file.string()));
  for (ImportedRun& run : job.runs) {
    if (!run.cases.empty()) warn_of_copy(run, job.log->path);
    keep_warnings(run);
  }
}

void Import::write(Job& job) const {
  for (std::size_t i = 0; i < job.runs.size(); ++i) {
    const ImportedRun& run = job.runs[i];
    write_journal(job.files[i], {.head = run.head, .cases = run.cases, .end = run.end}, o_.overwrite);
  }
}

/// Takes a step of a job unless an earlier one failed.
template <class Step>
void take_step(Import& import, Step step, Job& job) {
  if (job.failed) return;
  try {
    std::invoke(step, import, job);
  } catch (...) {
    job.failed = std::current_exception();
  }
}

/// Prints the warnings of a written log and returns its records without their cases. Throws what failed.
std::vector<ImportedFile> tell(Job& job) {
  for (const std::string& text : job.unread) print_message("busbar", text);
  if (job.failed) std::rethrow_exception(job.failed);
  std::vector<ImportedFile> imported;
  for (std::size_t i = 0; i < job.runs.size(); ++i) {
    ImportedRun& run = job.runs[i];
    for (const std::string& warning : run.warnings)
      print_message("busbar", fmt::format("{}: {}", job.log->path, warning));
    imported.push_back(
        {.record = job.files[i].string(), .log = job.log->path, .cases = run.cases.size(), .run = std::move(run)});
    imported.back().run.cases = {};
  }
  return imported;
}

/// Says on stderr what was not imported, and how the command ends.
Exit conclude(const LogFiles& logs, const std::vector<std::string>& failed, bool unknown_format) {
  for (const std::string& reason : failed) print_message("busbar", reason);
  if (unknown_format) print_message("busbar", "formats that can be imported: " + known_formats());
  if (logs.unknown > 0)
    print_message("busbar",
                  fmt::format("{} of no known format (busbar import FILE says why)", plural(logs.unknown, "file")));
  if (failed.empty()) return Exit::ok;
  const std::size_t all = logs.all.size() + logs.failed.size();
  print_message("busbar", fmt::format("{} of {} not imported", failed.size(), plural(all, "log")));
  return failed.size() < all ? Exit::failed : Exit::usage;
}

std::vector<Job> jobs_of(const LogFiles& logs, const ImportOptions& o) {
  if (!o.out.empty() && logs.all.size() > 1)
    throw UsageError(fmt::format("--out: one file for {} logs; use --out-dir, which makes one a log", logs.all.size()));
  std::vector<std::string> paths;
  for (const LogFile& log : logs.all) paths.push_back(log.path);
  const auto files = o.out.empty() ? journal_names(paths, o.out_dir) : std::vector<std::filesystem::path>{o.out};
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < files.size(); ++i) jobs.push_back({.log = &logs.all[i], .file = files[i]});
  return jobs;
}

Exit import_all(const ImportOptions& o) {
  constexpr std::size_t at_once = 32;       ///< logs: their texts are in memory, and their lines are printed together
  constexpr std::size_t files_at_once = 8;  ///< each waits until it is on disk
  Import import(o);
  const LogFiles logs = log_files(o.logs);
  std::vector<Job> jobs = jobs_of(logs, o);
  const bool only_one = logs.all.size() + logs.failed.size() == 1;
  std::vector<std::string> failed = logs.failed;
  bool unknown_format = false;
  std::vector<ImportedFile> imported;
  const auto tell_one = [&](Job& job) {
    try {
      auto made = tell(job);
      if (o.format == "text")
        print_lines(made);
      else
        std::ranges::move(made, std::back_inserter(imported));
    } catch (const UnknownFormat& e) {
      if (only_one) throw;
      failed.push_back(e.brief());
      unknown_format = true;
    } catch (const UsageError& e) {
      if (only_one) throw;
      failed.emplace_back(e.what());
    }
  };
  for (std::size_t first = 0; first < jobs.size(); first += at_once) {
    const auto some = std::span(jobs).subspan(first, std::min(at_once, jobs.size() - first));
    report::in_parallel(some.size(), [&](std::size_t i) { take_step(import, &Import::read, some[i]); });
    for (Job& job : some) take_step(import, &Import::claim, job);
    report::in_parallel(some.size(), [&](std::size_t i) { take_step(import, &Import::write, some[i]); }, files_at_once);
    for (Job& job : some) {
      tell_one(job);
      job = {};
    }
  }
  if (o.format != "text") print_summary(imported, o.format);
  return conclude(logs, failed, unknown_format);
}

}  // namespace

extern const Command import_logs{
    .name = "import",
    .about = "convert logs of other tools to records",
    .heading = "Convert",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<ImportOptions>();
      line.add("LOG", &o->logs, "logs, or folders of them; formats: " + names_of<Importer>(), records_value);
      line.add("-o,--out", &o->out, "record to write, if there is one log",
               {.name = "FILE", .completes = Completes::files, .excludes = "--out-dir"});
      line.add("--out-dir", &o->out_dir, "folder for the records, one per log, named after it",
               {.name = "FOLDER", .completes = Completes::folders});
      line.add("--collective", &o->collective, "collective, if the log does not name it", collective_value());
      line.add("--ranks", &o->ranks, "number of ranks; overrides the log",
               {.name = "N", .low = 1, .high = most_stated_ranks});
      line.add("--nodes", &o->nodes, "number of hosts; overrides the log",
               {.name = "N", .low = 1, .high = most_stated_ranks});
      line.add("--bytes", &o->bytes, "buffer size, if the log does not say (nvbandwidth): 64M", {.name = "SIZE"});
      line.add("--label", &o->labels, "add a label to the records, e.g. platform=vm; can be repeated",
               {.name = "KEY=VALUE", .single = true});
      line.add("--labels-from", &o->labels_from,
               "take labels from the paths of the logs: '{platform}/{}.{setting}.log'", {.name = "PATTERN"});
      line.add("--from-path", &o->from_path,
               "take ranks, nodes, bytes or collective from the paths: '{nodes}n{ranks}r'", {.name = "PATTERN"});
      line.add("--overwrite", &o->overwrite, "replace existing records");
      add_format(line, o->format);
      line.exit_codes = "0 all imported; 1 some could not be; 2 wrong use, or none could be.";
      line.examples = {"busbar import all_reduce.log --label platform=vm -o results/vm.jsonl",
                       "busbar import logs --labels-from '{platform}/{}.log'"};
      return [o] { return import_all(*o); };
    },
};

}  // namespace busbar
