// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/environment/environment.hpp"
#include "core/record/case_record.hpp"
#include "core/statistics/summary.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/json/lenient_json.hpp"
#include "reports/import/nccl/nccl_log.hpp"
#include "reports/import/nccl/nccl_program.hpp"
#include "reports/import/nccl/nccl_runs.hpp"

/// Output of nccl-tests -J FILE, version 3 (src/util.cu of release 2.19.6). The JSON is printed by hand: booleans and
/// roots are strings, a bandwidth can be a bare inf, and a killed program leaves a truncated file.
namespace busbar {
namespace {

using Json = nlohmann::json;

constexpr int known_version = 3;
constexpr std::size_t half_depth = 3;  // root, "results", row; halves of a row must be complete
constexpr std::uint64_t nccl_json_most_ranks = 1 << 17;
constexpr std::size_t longest_value = 4096;
constexpr double last_digit = 1e-6;            // numbers are printed with six decimals
constexpr double nccl_json_longest_us = 1e15;  // 30 years

// Rows

/// State of parsing the rows of nccl-tests' "results".
struct NcclJsonRows {
  bool one_rank_a_process = false;  ///< process times are rank times
  std::vector<int> torn = {};       ///< rows without usable data, from 1
  int bad_samples = 0;              ///< halves with truncated or non-numeric iteration times
  int other_means = 0;              ///< halves whose iterations contradict the printed mean
};

/// Iteration times in seconds, without the first `skipped`; empty if any entry is not a time.
std::vector<double> seconds(const Json& times_us, std::size_t skipped) {
  std::vector<double> all;
  for (std::size_t i = skipped; i < times_us.size(); ++i) {
    const auto time = amount_of(times_us[i]);
    if (!time || *time > nccl_json_longest_us) return {};
    all.push_back(*time / 1e6);
  }
  return all;
}

/// One summary per process; empty unless all of them are complete.
std::vector<RankSummary> summaries(const Json& processes, std::size_t iterations, std::size_t skipped) {
  std::vector<RankSummary> all;
  for (const Json& times_us : processes) {
    const auto times =
        times_us.is_array() && times_us.size() == iterations ? seconds(times_us, skipped) : std::vector<double>{};
    if (times.empty()) return {};
    const auto [low, high] = std::ranges::minmax(times);
    all.push_back({.rank = static_cast<int>(all.size()), .min_s = low, .median_s = median(times), .max_s = high});
  }
  return all;
}

std::optional<NcclSamples> samples_of(const Json& per_iteration, NcclJsonRows& rows) {
  const Members m(per_iteration);
  const Json* times_us = m.list("times_us");
  const std::size_t skipped = m.count("skipped_iterations").value_or(0);
  NcclSamples s;
  if (times_us != nullptr) s.samples_s = seconds(*times_us, skipped);
  if (s.samples_s.empty()) {
    ++rows.bad_samples;
    return std::nullopt;
  }
  const double mean_us = summarise(s.samples_s).mean_s * 1e6;
  if (const auto said = m.amount("avg_us"); said && std::abs(*said - mean_us) > 2 * last_digit + 1e-9 * mean_us)
    ++rows.other_means;
  const Json* processes = m.list("per_process_max_times_us");
  if (rows.one_rank_a_process && processes != nullptr) s.ranks = summaries(*processes, times_us->size(), skipped);
  return s;
}

std::optional<NcclHalf> nccl_json_half(const Json& row, bool in_place, bool& cpu_time, NcclJsonRows& rows) {
  const Json* half = Members(row).object(in_place ? "in_place" : "out_of_place");
  if (half == nullptr) return std::nullopt;
  const Members m(*half);
  const auto elapsed = m.amount("time"), of_cpu = m.amount("cpu_time");
  const bool whole = m.find("alg_bw") != nullptr && m.find("bus_bw") != nullptr && m.find("nwrong") != nullptr;
  const auto time = elapsed ? elapsed : of_cpu;
  if (!whole || !time || *time > nccl_json_longest_us) return std::nullopt;
  cpu_time |= !elapsed;
  NcclHalf h{.in_place = in_place,
             .time_us = *rounded_by(time, last_digit / 2),
             .algbw_GBps = rounded_by(m.amount("alg_bw"), last_digit / 2),
             .busbw_GBps = rounded_by(m.amount("bus_bw"), last_digit / 2),
             .wrong = m.amount("nwrong")};
  const Json* per_iteration = Members(row).object(in_place ? "in_place_per_iter" : "out_of_place_per_iter");
  if (per_iteration != nullptr) h.samples = samples_of(*per_iteration, rows);
  return h;
}

std::optional<NcclRow> nccl_json_row(const Json& result, bool& cpu_time, NcclJsonRows& rows) {
  const Members m(result);
  const auto bytes = m.count("size");
  if (!bytes) return std::nullopt;
  NcclRow row{.bytes = *bytes, .count = m.count("count"), .type = m.text("type").value_or("")};
  if (const auto op = m.text("redop"); op && *op != "none") row.op = op;
  row.root = small_integer(trimmed(m.text("root").value_or("")));  // a padded string; -1 for none
  for (const bool in_place : {false, true})
    if (auto half = nccl_json_half(result, in_place, cpu_time, rows)) row.halves.push_back(*std::move(half));
  return row.halves.empty() ? std::nullopt : std::optional(std::move(row));
}

/// Adds the rows of a result list to the job, with their iterations where present.
void add_results(NcclJob& job, const Json& results, NcclJsonRows& rows) {
  int number = 0;
  for (const Json& result : results) {
    ++number;
    auto row = nccl_json_row(result, job.columns->cpu_time, rows);
    if (!row) {
      rows.torn.push_back(number);
      continue;
    }
    row->line = number;
    for (const NcclHalf& half : row->halves) job.device_samples |= half.samples.has_value();
    job.rows.push_back(*std::move(row));
  }
}

// Ranks

/// True if devices are listed per rank, false if per process, with its first rank.
bool lists_ranks(const Json& devices) {
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (Members(devices[i]).count("rank") != i) return false;
  return true;
}

/// Adds the `of_process` ranks of a process. Only the first is described.
void add_process(NcclJob& job, const Json& device, std::uint64_t of_process) {
  const Members m(device);
  const int group = m.small_count("group").value_or(0);
  const std::string host = quotable(m.text("hostname").value_or(""));
  for (std::uint64_t i = 0; i < of_process; ++i)
    job.ranks.push_back({.rank = static_cast<int>(job.ranks.size()), .group = group, .host = host});
  NcclRank& first = job.ranks[job.ranks.size() - of_process];
  first.bus = quotable(m.text("device_hex").value_or(""));
  first.device = quotable(m.text("device_info").value_or(""));
}

void add_ranks(const ImportRequest& request, NcclJob& job, const Json& config, NcclJsonRows& rows) {
  const Members m(config);
  const auto threads = m.small_count("nthreads"), gpus = m.small_count("ngpus");
  const Json* devices = m.list("devices");
  if (devices == nullptr || devices->empty() || !threads || !gpus) return;
  const std::uint64_t product = static_cast<std::uint64_t>(*threads) * static_cast<std::uint64_t>(*gpus);
  const std::uint64_t of_process = devices->size() > 1 && lists_ranks(*devices) ? 1 : product;
  const std::uint64_t processes = devices->size();
  if (of_process == 0 || of_process > nccl_json_most_ranks || processes > nccl_json_most_ranks / of_process)
    refuse(request, "it names {} processes of {} ranks each; what can be read is 1 to {} ranks in all", processes,
           of_process, nccl_json_most_ranks);
  for (const Json& device : *devices) add_process(job, device, of_process);
  rows.one_rank_a_process = product == 1;
  const auto named = [](const NcclRank& r) { return !r.host.empty(); };
  if (!std::ranges::all_of(job.ranks, named)) {
    job.layout = NcclLayout{.ranks = static_cast<int>(job.ranks.size()), .nodes = {}, .ranks_per_node = {}};
    job.ranks.clear();
    job.warnings.emplace_back("the devices of some processes have no host: no host is recorded");
  } else if (of_process > 1) {
    add_note(job.notes,
             "each process has {}, of which the file describes the first: the GPUs of the others are not known",
             plural(of_process, "rank"));
  }
}

// The rest of the head

/// Converts 22707 to "2.27.7"; before 2.9, 2804 was 2.8.4.
std::string version_of(int number) {
  const int major = number < 10000 ? 1000 : 10000;
  return fmt::format("{}.{}.{}", number / major, number % major / 100, number % 100);
}

/// Keeps those of rank 0's variables that a record may contain.
void read_json_environment(NcclLog& log, const Json* list) {
  if (list == nullptr) return;
  for (const Json& entry : *list) {
    if (!entry.is_string()) continue;
    const auto& text = entry.get_ref<const std::string&>();
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || !environment_allowed(text.substr(0, equals))) continue;
    log.environment.emplace(text.substr(0, equals), text.substr(equals + 1, longest_value));
  }
}

void read_settings(NcclJob& job, const Members& config) {
  job.settings = {.threads = config.small_count("nthreads"),
                  .gpus = config.small_count("ngpus"),
                  .warmup = config.small_count("warmup_iters"),
                  .iterations = config.small_count("iterations"),
                  .aggregated = config.small_count("aggregated_iterations"),
                  .validation = config.small_count("validation"),
                  .graph = config.small_count("graph")};
  job.blocking = config.truth("blocking_collectives").value_or(false);
}

/// The file says whether calls were blocking; only the command line says which of three modes.
void note_blocking(NcclJob& job, const std::vector<std::string>& argv) {
  if (!job.blocking) return;
  const std::string mode = nccl_option(argv, "-z", "--blocking").value_or("");
  const std::string_view what = mode == "1"   ? "each call was waited for, and a barrier followed it, all of it timed"
                                : mode == "2" ? "each call was waited for, without a barrier"
                                : mode == "3"
                                    ? "each iteration was waited for, and a barrier that is not timed followed it"
                                    : "calls were waited for; in which way (-z) is not known";
  add_note(job.notes, "blocking: {}", what);
}

void read_closing(NcclJob& job, const Members& all) {
  if (const Json* bounds = all.object("out_of_bounds")) {
    const Members m(*bounds);
    if (const auto n = m.count("count"))
      job.out_of_bounds = fmt::format("{} {}", *n, m.truth("okay").value_or(*n == 0) ? "OK" : "FAILED");
  }
  if (const Json* average = all.object("average_bus_bandwidth")) {
    const Members m(*average);
    const auto value = m.amount("bandwidth");
    job.average = fmt::format("{}{}", value ? fmt::format("{:.6f}", *value) : "unknown",
                              m.truth("okay").value_or(true) ? "" : " FAILED");
  }
  if (const Json* errors = all.list("errors"))
    for (std::size_t i = 0; i < std::min<std::size_t>(errors->size(), 3); ++i)
      if ((*errors)[i].is_string() && !(*errors)[i].get_ref<const std::string&>().empty())
        job.notes.push_back("nccl-tests says: " + quotable((*errors)[i].get_ref<const std::string&>()));
}

/// The file's times have no time zone, so they cannot be start_utc.
void note_nccl_json_times(NcclJob& job, const Members& all) {
  const auto start = all.text("start_time");
  if (!start) return;
  add_note(job.notes, "ran from {} to {} by its machine's clock, whose time zone is not known", quotable(*start),
           quotable(all.text("end_time").value_or("an unknown time")));
}

void warn_of_version(NcclJob& job, const Members& all) {
  const auto version = all.count("version");
  if (version == known_version) return;
  add_note(job.warnings, "its JSON is of {}; this importer reads version {} and ignores unknown keys",
           version ? fmt::format("version {}", *version) : "an unknown version", known_version);
}

void warn_of_rows(NcclJob& job, const NcclJsonRows& rows) {
  if (!rows.torn.empty())
    add_note(job.warnings, "{} of \"results\" cannot be read (the first is number {})", plural(rows.torn.size(), "row"),
             rows.torn.front());
  if (rows.bad_samples > 0)
    add_note(job.warnings, "times of iterations cannot be read in {}", plural(rows.bad_samples, "case"));
  if (rows.other_means > 0)
    add_note(job.warnings, "times of iterations do not give the mean that the file has for them in {}",
             plural(rows.other_means, "case"));
  if (job.device_samples)
    job.notes.emplace_back(
        "times and bandwidths are by the hosts' clocks, mean over iterations; samples and their statistics are "
        "nccl-tests' times of iterations by CUDA events, of each the largest over GPUs and processes");
}

void warn_of_cut(NcclJob& job, const LenientJson& json) {
  if (json.not_numbers > 0)
    add_note(job.notes, "{} written as inf or nan, which is not JSON; treated as unknown",
             plural(json.not_numbers, "value"));
  if (!json.cut) return;
  job.cut = fmt::format("the file is cut off or damaged: {}", *json.cut);
  add_note(job.warnings, "{}; {} before that can be read", *job.cut, plural(job.rows.size(), "row"));
}

bool recognises_nccl_json(std::string_view text) {
  const auto has = [text](std::string_view key) { return holds(text, key); };
  if (!without_blanks(text).starts_with('{')) return false;
  return has("\"nccl_version\"") || (has("\"out_of_place\"") && has("\"bus_bw\"")) ||
         (has("\"start_time\"") && has("\"args\"") && has("\"env\""));
}

NcclLog read_nccl_json_log(const ImportRequest& request, const LenientJson& json) {
  const Members all(json.value);
  NcclLog log{.decimals = "six"};
  NcclJob& job = log.jobs.emplace_back(NcclJob{.first_line = 1, .starts = 1, .last_line = INT_MAX});
  NcclJsonRows rows;
  warn_of_version(job, all);
  if (const Json* args = all.list("args"))
    for (const Json& word : *args)
      if (word.is_string()) log.argv.push_back(word.get<std::string>());
  read_json_environment(log, all.list("env"));
  if (const auto number = all.small_count("nccl_version")) log.versions["nccl"] = version_of(*number);
  if (const Json* config = all.object("config")) {
    read_settings(job, Members(*config));
    add_ranks(request, job, *config, rows);
  }
  if (const Json* results = all.list("results")) {
    job.columns.emplace(NcclColumns{.halves = 2});
    add_results(job, *results, rows);
  }
  read_closing(job, all);
  note_blocking(job, log.argv);
  note_nccl_json_times(job, all);
  warn_of_rows(job, rows);
  warn_of_cut(job, json);
  return log;
}

std::vector<ImportedRun> read_nccl_json(const ImportRequest& request) {
  const LenientJson json = parse_lenient(request.text, half_depth);
  if (!json.value.is_object()) refuse(request, "no JSON of nccl-tests: {}", json.cut.value_or("it is no object"));
  const NcclLog log = read_nccl_json_log(request, json);
  std::vector<ImportedRun> runs{nccl_run(request, log, log.jobs.front())};
  name_runs(runs, request);
  return runs;
}

}  // namespace

extern const Importer nccl_tests_json{
    .name = "nccl-tests JSON",
    .about = "what nccl-tests writes with -J",
    .recognises = recognises_nccl_json,
    .read = read_nccl_json,
};

}  // namespace busbar
