// SPDX-License-Identifier: Apache-2.0
#include <climits>
#include <map>
#include <tuple>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/method.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/json/lenient_json.hpp"
#include "reports/import/nccl/nccl_log.hpp"
#include "reports/import/nccl/nccl_runs.hpp"

/// Output of AMD's rccl-tests -x FILE -Z json: one object per row and half, in early releases one per line, later in a
/// list. "ranks" are processes, "gpusPerRank" is the GPUs of each; builds without MPI only have "gpus".
namespace busbar {
namespace {

using Json = nlohmann::json;

constexpr double rccl_longest_us = 1e15;
constexpr int rccl_most_ranks = 1 << 24;
constexpr std::size_t most_jobs = 64;

/// Identifies the rows of one job. The program overwrites its file, so several jobs occur only in concatenated files.
using JobKey = std::tuple<std::string, int, int, int>;  // collective, ranks, nodes, ranks per node; 0: unknown

struct RcclReader {
  std::vector<NcclLog> logs = {};  ///< one job each
  std::map<JobKey, std::size_t> jobs = {};
  std::vector<int> torn = {};  ///< line numbers, or row numbers in the list
  bool listed = false;         ///< rows are in a list
  std::size_t not_numbers = 0;
  std::optional<std::string> cut = {};
};

/// A number, also if written as a string: "#wrong" is "0" or "N/A".
std::optional<double> number_or_text(const Members& m, const char* key) {
  if (const auto number = m.amount(key)) return number;
  const auto number = rounded(m.text(key).value_or(""));
  return number && number->value >= 0 ? std::optional(number->value) : std::nullopt;
}

/// NCCL ranks, one per GPU; 0 if unknown or implausible.
int ranks_of_row(const Members& m) {
  const long long processes = m.small_count("ranks").value_or(1);
  const auto of_each = m.find("ranks") == nullptr ? m.small_count("gpus") : m.small_count("gpusPerRank");
  const long long ranks = processes * of_each.value_or(0);
  return ranks <= rccl_most_ranks ? static_cast<int>(ranks) : 0;
}

std::optional<NcclRow> rccl_row(const Members& m) {
  const auto bytes = m.count("size");
  const auto time = m.amount("time");
  const auto place = m.count("inPlace");
  if (!bytes || !time || *time > rccl_longest_us || !place || *place > 1) return std::nullopt;
  if (m.find("algBw") == nullptr || m.find("busBw") == nullptr) return std::nullopt;
  NcclRow row{.bytes = *bytes, .count = m.count("count"), .type = m.text("type").value_or("")};
  if (const auto op = m.text("redop"); op && *op != "none") row.op = op;
  row.root = m.small_count("root");
  row.halves.push_back({.in_place = *place == 1,
                        .time_us = {.value = *time},
                        .algbw_GBps = rounded_by(m.amount("algBw"), 0),
                        .busbw_GBps = rounded_by(m.amount("busBw"), 0),
                        .wrong = number_or_text(m, "#wrong")});
  return row;
}

/// Ranks per node if equal on all nodes, else 0.
int ranks_a_node(const Members& m, int ranks, int nodes) {
  const int processes = m.small_count("ranks").value_or(0), here = m.small_count("ranksPerNode").value_or(0);
  const bool even = nodes > 0 && here > 0 && processes / nodes == here && processes % nodes == 0;
  return even ? ranks / nodes : 0;
}

/// The job of a row, created if new; nullptr if there are too many jobs.
NcclJob* job_of(RcclReader& reader, const Members& m) {
  const std::string name = collective_named(m.text("name").value_or("")).value_or("");
  const int ranks = ranks_of_row(m);
  const int nodes = m.small_count("nodes").value_or(0);
  const int a_node = ranks_a_node(m, ranks, nodes);
  const JobKey key{name, ranks, nodes, a_node};
  if (const auto known = reader.jobs.find(key); known != reader.jobs.end())
    return &reader.logs[known->second].jobs.front();
  if (reader.logs.size() == most_jobs) return nullptr;
  reader.jobs.emplace(key, reader.logs.size());
  const auto known = [](int n) { return n > 0 ? std::optional(n) : std::nullopt; };
  NcclJob job{.first_line = 1, .starts = 1, .collective = name, .columns = NcclColumns{}, .last_line = INT_MAX};
  if (ranks > 0) job.layout = NcclLayout{.ranks = ranks, .nodes = known(nodes), .ranks_per_node = known(a_node)};
  job.method = Method{.cadence = "unknown", .statistic = Statistic::mean, .check = "unknown"};
  NcclLog& log = reader.logs.emplace_back(NcclLog{.tool = "rccl-tests", .backend = "rccl", .decimals = ""});
  return &log.jobs.emplace_back(std::move(job));
}

void add_rccl_row(RcclReader& reader, const Json& value, int number) {
  const Members m(value);
  auto row = rccl_row(m);
  NcclJob* job = row ? job_of(reader, m) : nullptr;
  if (job == nullptr) {
    reader.torn.push_back(number);
    return;
  }
  row->line = number;
  job->rows.push_back(*std::move(row));
}

void read_rccl_list(RcclReader& reader, std::string_view text) {
  const LenientJson json = parse_lenient(text, 1);
  reader.not_numbers = json.not_numbers;
  reader.cut = json.cut;
  reader.listed = true;
  int number = 0;
  for (const Json& row : json.value) add_rccl_row(reader, row, ++number);
}

/// Reads one object per line; skips other lines.
void read_rccl_lines(RcclReader& reader, std::string_view text) {
  LogLines lines(text);
  while (const auto line = lines.next()) {
    if (!trimmed(line->text).starts_with('{')) continue;
    const LenientJson json = parse_lenient(line->text, 0);
    reader.not_numbers += json.not_numbers;
    add_rccl_row(reader, json.value, line->number);
  }
}

std::string torn_text(const RcclReader& reader) {
  return fmt::format("{} cannot be read (the first is {} {})", plural(reader.torn.size(), "row"),
                     reader.listed ? "number" : "line", reader.torn.front());
}

/// Adds notes and warnings shared by all jobs of the file.
void note_all(RcclReader& reader) {
  for (NcclLog& log : reader.logs) {
    NcclJob& job = log.jobs.front();
    if (!reader.torn.empty()) job.warnings.push_back(torn_text(reader));
    if (reader.cut) job.warnings.push_back("the file is cut off or damaged: " + *reader.cut);
    job.cut = "rccl-tests' JSON has no closing lines: it is not known whether the program came to its end";
    if (reader.not_numbers > 0)
      add_note(job.notes, "{} written as inf or nan, which is not JSON; treated as unknown",
               plural(reader.not_numbers, "value"));
    job.notes.emplace_back(
        "rccl-tests' JSON has rows only: hosts, GPUs, iterations, warm-up, and which ranks' time it is (-a) are not "
        "known");
  }
}

bool recognises_rccl(std::string_view text) {
  const std::string_view json = without_blanks(text);
  return (json.starts_with('{') || json.starts_with('[')) && holds(json, "\"algBw\"") && holds(json, "\"busBw\"") &&
         holds(json, "\"inPlace\"");
}

std::vector<ImportedRun> read_rccl(const ImportRequest& request) {
  RcclReader reader;
  if (without_blanks(request.text).starts_with('['))
    read_rccl_list(reader, request.text);
  else
    read_rccl_lines(reader, request.text);
  if (reader.logs.empty())
    refuse(request, "none of its rows can be used: each needs size, time, inPlace, algBw and busBw");
  note_all(reader);
  std::vector<ImportedRun> runs;
  for (const NcclLog& log : reader.logs) runs.push_back(nccl_run(request, log, log.jobs.front()));
  name_runs(runs, request);
  return runs;
}

}  // namespace

extern const Importer rccl_tests_json{
    .name = "rccl-tests JSON",
    .about = "what AMD's rccl-tests writes with -x FILE -Z json",
    .recognises = recognises_rccl,
    .read = read_rccl,
};

}  // namespace busbar
