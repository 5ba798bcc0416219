// SPDX-License-Identifier: Apache-2.0
#include "reports/import/importer.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/privacy.hpp"
#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "reports/import/decimal_commas.hpp"
#include "reports/import/paste.hpp"
#include "reports/import/text_lines.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

bool is_binary(std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  const auto odd = std::ranges::count_if(head, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\033';
  });
  return odd * 20 > static_cast<std::ptrdiff_t>(head.size());
}

/// Describes a file that no importer recognises.
std::string what_it_holds(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "it is empty";
  if (is_binary(text)) return "it looks like binary data";
  if (text.starts_with(R"({"anonymised":)") || text.starts_with(R"({"argv":)") || text.find(R"("record":"run")") < 4096)
    return "it is a busbar record already";
  LogLines lines(text);
  while (const auto line = lines.next())
    if (const std::string said = quotable(line->text); !said.empty()) return "it says: " + said;
  return "it has nothing readable";
}

/// Removes user names from messages that precede the record: logs quote paths.
std::vector<ImportedRun> told_without_people(std::vector<ImportedRun> runs) {
  for (ImportedRun& run : runs) {
    if (run.end.reason) run.end.reason = without_people(*run.end.reason, this_person());
    for (std::string& warning : run.warnings) warning = without_people(warning, this_person());
  }
  return runs;
}

/// A log of two tools, as of a job script that runs both: only one of them is imported.
void warn_of_other_formats(std::vector<ImportedRun>& runs, std::string_view text, const Importer* read) {
  for (const Importer* other : table<Importer>()) {
    if (other == read || !other->name.ends_with(" text") || !read->name.ends_with(" text") || !other->recognises(text))
      continue;
    add_warning(runs.front(),
                fmt::format("the log also holds {}, which was not imported: split the file by tool", other->name));
  }
}

// Times that stand out

constexpr double far_above = 10, far_below = 5;
constexpr std::uint64_t farthest = 8;  ///< maximum size ratio of neighbours

using Series = std::vector<const CaseRecord*>;

/// Cases with a time over size, by ascending size.
std::map<std::string, Series> series_of(const std::vector<CaseRecord>& records) {
  std::map<std::string, Series> all;
  for (const CaseRecord& c : records) {
    const bool over_size = c.key.kind == CaseKind::collective || c.key.kind == CaseKind::pair;
    if (over_size && c.key.bytes > 0 && c.time_s && *c.time_s > 0) all[series_name(c.key)].push_back(&c);
  }
  for (auto& [name, cases] : all) std::ranges::stable_sort(cases, {}, [](const CaseRecord* c) { return c->key.bytes; });
  return all;
}

bool is_near(const CaseRecord& a, const CaseRecord& b) { return b.key.bytes <= farthest * a.key.bytes; }

/// Whether the time of `c` cannot be one of a series with its neighbours. `after` is null at the largest size.
bool is_odd(const CaseRecord& before, const CaseRecord& c, const CaseRecord* after) {
  if (!is_near(before, c)) return false;
  if (*c.time_s * far_below < *before.time_s) return after == nullptr || *c.time_s * far_below < *after->time_s;
  return after != nullptr && is_near(c, *after) && *c.time_s > far_above * *before.time_s &&
         *c.time_s > far_above * *after->time_s;
}

/// Warning of times over size that stand far from those of the sizes beside them: more than 10 times both, or less than
/// a fifth of both although the size is larger. Such a call was disturbed, or digits of its line are lost. The smallest
/// size of a series is left out: it is often slow. Empty if there is no such time.
std::optional<std::string> warning_of_odd_times(const std::vector<CaseRecord>& records) {
  Series odd;
  for (const auto& [name, cases] : series_of(records)) {
    const CaseRecord* before = cases.front();
    for (std::size_t i = 1; i < cases.size(); ++i)
      if (is_odd(*before, *cases[i], i + 1 < cases.size() ? cases[i + 1] : nullptr))
        odd.push_back(cases[i]);
      else
        before = cases[i];
  }
  if (odd.empty()) return std::nullopt;
  const CaseRecord& first = *odd.front();
  return fmt::format("{} at {}: {} is far from the times of the sizes beside it{}: a disturbed call, or a torn line",
                     first.key.collective, format_size(first.key.bytes), report::duration(*first.time_s),
                     odd.size() > 1 ? fmt::format(" (and {} more)", odd.size() - 1) : "");
}

// Importing

void check_figures(const std::vector<ImportedRun>& runs, const std::string& source) {
  for (const ImportedRun& run : runs)
    for (const CaseRecord& c : run.cases) try {
        busbar::check_figures(c);
      } catch (const Error& e) {
        throw UsageError(fmt::format("{}: {}: {}", source, to_string(c.key), e.what()));
      }
}

/// True for a run without a case whose end says nothing, either. A failure is worth a record without cases.
bool says_nothing(const ImportedRun& run) {
  const bool failed = run.end.status == EndStatus::aborted || run.end.status == EndStatus::failed;
  return run.cases.empty() && !(failed && run.end.reason);
}

/// Why no case was read.
std::string why_empty(const ImportedRun& run) {
  const auto torn = std::ranges::find_if(run.warnings, [](const std::string& w) { return holds(w, "cannot be read"); });
  if (torn != run.warnings.end()) return *torn;
  return "its tables have no rows" + (run.end.reason ? fmt::format(" ({})", *run.end.reason) : "");
}

/// Leaves out runs that say nothing. Throws UsageError if no other is left.
std::vector<ImportedRun> without_empty_runs(std::vector<ImportedRun> runs, const std::string& source) {
  std::vector<ImportedRun> kept;
  std::vector<std::string> left_out;
  for (ImportedRun& run : runs)
    if (says_nothing(run))
      left_out.push_back(fmt::format("no case in {}: {}", run.name.empty() ? "it" : run.name, why_empty(run)));
    else
      kept.push_back(std::move(run));
  if (kept.empty()) throw UsageError(fmt::format("{}: {}", source, left_out.front()));
  for (const std::string& why : left_out) add_warning(kept.front(), why);
  return kept;
}

/// A hash of a text and of parts, which cannot run into each other.
std::string id_of(std::string_view text, const std::vector<std::string>& parts) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, 64 bits
  const auto add = [&](std::string_view part) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  };
  add(text);
  for (const std::string& part : parts) {
    add(std::string_view("\0", 1));
    add(part);
  }
  return fmt::format("import-{:016x}", hash);
}

}  // namespace

UnknownFormat::UnknownFormat(const std::string& source, const std::string& holds)
    : UsageError(fmt::format("{}: no output of a tool that can be imported ({}); {}", source, known_formats(), holds)),
      brief_(fmt::format("{}: no output of a tool that can be imported; {}", source, holds)) {}

std::string known_formats() { return names_of<Importer>(); }

std::vector<ImportedRun> import_log(const ImportRequest& original) {
  ImportRequest request = original;
  const std::optional<std::string> restored = restore_paste(original.text);
  if (restored) request.text = *restored;
  for (const Importer* importer : table<Importer>()) {
    if (!importer->recognises(request.text)) continue;
    const auto pointed =
        importer->columns_of_numbers ? with_decimal_points(request.text, request.source) : std::nullopt;
    if (pointed) request.text = *pointed;
    std::vector<ImportedRun> runs = without_empty_runs(importer->read(request), request.source);
    for (ImportedRun& run : runs) {
      if (restored) run.head.notes.emplace_back("the log is a paste: marks of quotations or lost \"#\" were undone");
      if (const auto odd = warning_of_odd_times(run.cases)) add_warning(run, *odd);
      if (pointed) add_warning(run, "decimal commas of its tables (12,34) were read as points");
    }
    runs = told_without_people(std::move(runs));
    warn_of_other_formats(runs, request.text, importer);
    check_figures(runs, request.source);
    return runs;
  }
  throw UnknownFormat(original.source, what_it_holds(original.text));
}

std::vector<ImportedRun> read_parts(const ImportRequest& request, std::size_t parts,
                                    const std::function<ImportedRun(std::size_t)>& read,
                                    const std::function<std::string(std::size_t)>& name_of) {
  std::vector<ImportedRun> runs;
  std::vector<std::string> left_out;
  std::exception_ptr first;
  for (std::size_t i = 0; i < parts; ++i) {
    try {
      runs.push_back(read(i));
    } catch (const Contradiction&) {
      throw;
    } catch (const UsageError& e) {
      std::string_view why = e.what();
      if (why.starts_with(request.source + ": ")) why.remove_prefix(request.source.size() + 2);
      left_out.push_back(fmt::format("{} is left out: {}", name_of(i), why));
      if (!first) first = std::current_exception();
    }
  }
  if (runs.empty()) std::rethrow_exception(first);
  runs.front().warnings.insert(runs.front().warnings.end(), left_out.begin(), left_out.end());
  name_runs(runs, request);
  return runs;
}

void add_warning(ImportedRun& run, const std::string& warning) {
  run.warnings.push_back(warning);
  run.head.notes.push_back(warning);
}

RunRecord imported_head(const ImportRequest& request, const std::string& tool) {
  return {.origin = Origin::imported, .tool = {.name = tool}, .labels = request.labels, .source = request.source};
}

std::string import_id(const ImportRequest& request, std::string_view subject) {
  std::vector<std::string> parts{std::filesystem::path(request.source).filename().string(), std::string(subject)};
  for (const auto& [label, value] : request.labels) parts.insert(parts.end(), {label, value});
  return id_of(request.text, parts);
}

void name_runs(std::vector<ImportedRun>& runs, const ImportRequest& request) {
  const std::string of_log = import_id(request, runs.size() == 1 ? runs.front().collective : "");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].head.id = of_log;
    if (runs.size() == 1) return;
    const std::string first = runs[i].collective.substr(0, runs[i].collective.find_first_of(", "));
    runs[i].name = fmt::format("{}-{}", i + 1, first.empty() ? "run" : first);
    runs[i].head.id = id_of(of_log, {runs[i].name});
  }
}

}  // namespace busbar
