// SPDX-License-Identifier: Apache-2.0
#include "reports/import/nccl/nccl_runs.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/nccl/nccl_cases.hpp"
#include "reports/import/nccl/nccl_inference.hpp"
#include "reports/import/nccl/nccl_places.hpp"
#include "reports/import/nccl/nccl_ranks.hpp"
#include "reports/import/told_places.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

// Notes

using Notes = std::vector<std::string>;

void warn_of_jobs(Notes& notes, int ranks_of_job, const NcclLog& log, const NcclJob& job) {
  std::set<std::string> streams;
  for (const NcclJob& j : log.jobs) streams.insert(j.stream);
  const std::size_t copies = copies_of(job);
  const std::size_t parallel = std::max(copies, streams.size());
  const std::string ranks = plural(ranks_of_job, "rank");
  if (parallel > 1)
    notes.push_back(
        fmt::format("the log is of {} separate jobs of {} each, not of one of {} (is nccl-tests "
                    "built without MPI?); {}",
                    parallel, ranks, plural(parallel * static_cast<std::size_t>(ranks_of_job), "rank"),
                    copies > 1 ? "their lines are not marked, so the first row of each case was kept"
                               : fmt::format("the rows of the first, marked {}, were kept", job.stream)));
}

/// Rows with one half only, of a table with two.
void note_halves(Notes& notes, const NcclJob& job) {
  if (!job.columns || job.columns->halves != 2) return;
  std::size_t lack_out = 0, lack_in = 0;
  for (const NcclRow& row : job.rows)
    if (row.halves.size() == 1) ++(row.halves.front().in_place ? lack_out : lack_in);
  std::vector<std::string> parts;
  if (lack_out > 0) parts.push_back(fmt::format("no out-of-place half in {}", plural(lack_out, "row")));
  if (lack_in > 0) parts.push_back(fmt::format("no in-place half in {}", plural(lack_in, "row")));
  if (!parts.empty()) notes.push_back(fmt::format("{} of {}", fmt::join(parts, ", "), job.rows.size()));
}

void note_rows(Notes& notes, const NcclJob& job, const NcclCases& all) {
  note_halves(notes, job);
  if (all.list.empty_repeats() > 0)
    notes.push_back(
        fmt::format("{} more of size 0 left out (sizes too small to give every rank a share: nothing "
                    "was moved); the first of each kind was kept",
                    plural(all.list.empty_repeats(), "case")));
  if (all.list.other_repeats() > 0)
    notes.push_back(fmt::format("{} left out that repeat an earlier one; the first of each was kept",
                                plural(all.list.other_repeats(), "case")));
  if (job.columns && job.columns->cpu_time)
    notes.emplace_back("times are CPU times of the calls (cputime), not elapsed times");
  if (job.columns && job.columns->per_iteration)
    notes.emplace_back("the log also has minimum, maximum, p99 and variation over iterations; not imported");
  if (all.old_errors)
    notes.emplace_back("of an old release: the log gives the largest difference, not a number of wrong elements");
  if (job.settings.graph.value_or(0) > 0)
    notes.push_back(fmt::format("calls were launched as CUDA graphs ({} launches)", *job.settings.graph));
}

/// Compares busbw / algbw of the row with the best resolution with the collective's bus factor.
void warn_of_ratio(Notes& notes, const NcclJob& job, const NcclCases& all, const NcclProgram& program) {
  const NcclHalf* best = nullptr;
  for (const NcclRow& row : job.rows)
    for (const NcclHalf& half : row.halves)
      if (half.algbw_GBps && half.busbw_GBps && (!best || half.algbw_GBps->value > best->algbw_GBps->value))
        best = &half;
  if (best == nullptr || best->algbw_GBps->low() <= 0) return;
  const double factor = bus_factor_of(all.key.collective, all.key.ranks);
  const double low = best->algbw_GBps->low() * factor;
  if (agrees(*best->busbw_GBps, low, best->algbw_GBps->high() * factor)) return;
  notes.push_back(
      fmt::format("busbw/algbw is {:.3g} in the log, but {} on {} has {:.3g}: the collective (from {}) "
                  "may be wrong; printed bandwidths were kept",
                  best->busbw_GBps->value / best->algbw_GBps->value, all.key.collective, plural(all.key.ranks, "rank"),
                  factor, program.told_by));
}

/// Where size, time and bandwidths of a row cannot be of one measurement, one of them is not what was printed.
void warn_of_bandwidths(Notes& notes, const NcclCases& all) {
  const auto& [printed, contradicted] = all.bandwidths;
  if (contradicted > 0)
    notes.push_back(fmt::format(
        "{} of {} printed bandwidths are not size/time (the first at {} bytes): torn or mixed rows? For these "
        "the printed value was kept; the others are size/time",
        contradicted, printed, all.contradicted_bytes));
}

void note_bandwidths(Notes& notes, const NcclLog& log, const NcclCases& all) {
  const auto& [printed, contradicted] = all.bandwidths;
  if (printed > 0 && contradicted == 0 && !log.decimals.empty())
    notes.push_back(
        fmt::format("bandwidths are computed from the log's size and time, because it prints them with {} decimals; "
                    "where that rounds to another last digit, the printed one was kept",
                    log.decimals));
}

/// nccl-tests' final mean of busbw covers all rows, so it shows whether all of them were read.
void warn_of_average(Notes& notes, const NcclJob& job) {
  const auto printed = job.average ? rounded(job.average->substr(0, job.average->find(' '))) : std::nullopt;
  double sum = 0, slack = 0;
  std::size_t n = 0;
  for (const NcclRow& row : job.rows)
    for (const NcclHalf& half : row.halves)
      if (half.busbw_GBps) sum += half.busbw_GBps->value, slack += half.busbw_GBps->half_unit, ++n;
  if (!printed || n == 0 || copies_of(job) > 1) return;
  const double count = static_cast<double>(n);
  if (std::abs(printed->value - sum / count) <= slack / count + printed->half_unit) return;
  notes.push_back(
      fmt::format("the log's own average bus bandwidth is {} GB/s, but the rows read give {:.4g}: rows "
                  "are missing or changed",
                  job.average->substr(0, job.average->find(' ')), sum / count));
}

void note_surroundings(Notes& notes, const NcclLog& log, const NcclJob& job) {
  for (const std::string& library : log.libraries) notes.push_back("the log says: " + library);
  constexpr std::size_t most = 3;
  std::size_t n = 0;
  for (const Said& said : log.after)
    if (said.line >= job.first_line && said.line <= job.last_line && n++ < most)
      notes.push_back("after its table the log says: " + said.text);
  if (n > most) notes.push_back(fmt::format("... and {} more", plural(n - most, "line")));
}

// The records

EndRecord nccl_end(const NcclLog& log, const NcclJob& job, const std::vector<CaseRecord>& cases) {
  EndRecord end;
  count_cases(end, cases);
  const auto of_job = [&job](const Said& s) { return s.line >= job.first_line && s.line <= job.last_line; };
  const auto error = std::ranges::find_if(log.errors, of_job);
  const auto abort = std::ranges::find_if(log.aborts, of_job);
  if (job.average) {
    const bool bad_values = job.out_of_bounds && job.out_of_bounds->ends_with("FAILED");
    end.status =
        end.cases.failed > 0 || bad_values || job.average->ends_with("FAILED") ? EndStatus::failed : EndStatus::ok;
    if (end.cases.failed > 0 || bad_values)
      end.reason = "out of bounds values: " + job.out_of_bounds.value_or("unknown");
    if (!end.reason && end.status == EndStatus::failed) end.reason = "average bus bandwidth: " + *job.average;
  } else if (error != log.errors.end() || abort != log.aborts.end()) {
    end.status = EndStatus::aborted;
    end.reason = error != log.errors.end() ? error->text : abort->text;
    end.exit_code = log.exit_code;
  } else {
    end.status = EndStatus::unknown;
    end.reason =
        job.cut.value_or("the log ends without nccl-tests' closing lines: it is cut off, or the program was stopped");
  }
  return end;
}

/// nccl-tests launch the calls of a thread's GPUs as one group.
void set_gpus(Method& method, const NcclSettings& settings) {
  constexpr int most = 1024;
  const int threads = settings.threads.value_or(0), gpus = settings.gpus.value_or(0);
  if (threads < 1 || gpus < 1 || threads > most || gpus > most) return;
  method.gpus_per_process = threads * gpus;
  if (threads == 1 && gpus > 1) method.gpu_launch = "group";
  if (threads > 1 && gpus == 1) method.gpu_launch = "threads";
}

Method method_of(const NcclJob& job, const NcclProgram& program) {
  if (job.method) return *job.method;
  const int validation = job.settings.validation.value_or(-1);
  const bool blocking = job.blocking || nccl_option(program.argv, "-z", "--blocking").value_or("0") != "0";
  Method method{.cadence = blocking ? "blocking" : "streaming",
                .rank_rule = nccl_rank_rule(program.argv),
                .statistic = Statistic::mean,
                .warmup_iterations = job.settings.warmup,
                .iterations = job.settings.iterations,
                .aggregated_iterations = job.settings.aggregated,
                .check = validation < 0    ? "unknown"
                         : validation == 0 ? "off"
                                           : "some_calls",
                .clock = job.device_samples ? std::optional<std::string>(device_clock) : std::nullopt};
  set_gpus(method, job.settings);
  return method;
}

RunRecord nccl_head(const ImportRequest& request, const NcclLog& log, const NcclJob& job, const NcclProgram& program,
                    const NcclLayout& layout) {
  RunRecord head{.origin = Origin::imported,  // name_runs() sets its id
                 .tool = {.name = log.tool, .version = job.tests_version},
                 .argv = program.argv,
                 .labels = request.labels,
                 .ranks = layout.ranks,
                 .nodes = layout.nodes,
                 .method = method_of(job, program),
                 .libraries = log.versions,
                 .environment = log.environment,
                 .source = request.source};
  const std::vector<NcclRank> ranks = ranks_of(job);
  if (copies_of(job) == 1)
    place(head, ranks);
  else if (head.ranks > 1)
    head.nodes.reset();  // unknown which job's hosts the kept rows are from
  head.notes.push_back(fmt::format("collective taken from {}", program.told_by));
  note_stated(head.notes, request);
  return head;
}

Notes nccl_warnings(const NcclLog& log, const NcclJob& job, const NcclCases& all, const NcclProgram& program,
                    const RunRecord& head) {
  Notes warnings = job.warnings;
  if (program.inferred)
    warnings.push_back(
        fmt::format("{} inferred from {}, which fit no other: the log does not name it; "
                    "--collective overrides",
                    program.collective, program.told_by));
  warn_of_jobs(warnings, head.ranks, log, job);
  if (!job.torn_lines.empty()) warnings.push_back(torn_rows(job.torn_lines));
  if (!job.torn_ranks.empty())
    warnings.push_back(
        fmt::format("{} of the list of ranks cannot be read, the first line {}: ranks and hosts may be wrong",
                    plural(job.torn_ranks.size(), "line"), job.torn_ranks.front()));
  if (!job.concluded.empty() && job.concluded != program.collective)
    warnings.push_back(fmt::format("{} was taken from {}, but the run ends with \"Collective test concluded\" of {}",
                                   program.collective, program.told_by, job.concluded));
  if (const std::string against = contradiction_of_rows(job, program.collective); !against.empty())
    warnings.push_back(fmt::format("{} was taken from {}, but {}: nccl-tests prints other rows for it",
                                   program.collective, program.told_by, against));
  warn_of_ratio(warnings, job, all, program);
  warn_of_bandwidths(warnings, all);
  warn_of_average(warnings, job);
  return warnings;
}

}  // namespace

ImportedRun nccl_run(const ImportRequest& request, const NcclLog& log, const NcclJob& job) {
  const NcclProgram program = nccl_program(request, log, job);
  const RankCount count = count_ranks(request, rank_evidence(log, job, program));
  Notes doubts = program.doubts;
  doubts.insert(doubts.end(), count.doubts.begin(), count.doubts.end());
  const NcclLayout layout = job_layout(request, job, count, doubts);
  RunRecord head = nccl_head(request, log, job, program, layout);
  NcclCases all = nccl_cases(log, job, head, layout, program);
  std::vector<CaseRecord> cases = all.list.sorted_cases();
  EndRecord end = nccl_end(log, job, cases);
  Notes warnings = nccl_warnings(log, job, all, program, head);
  warnings.insert(warnings.begin(), doubts.begin(), doubts.end());
  head.notes.insert(head.notes.end(), warnings.begin(), warnings.end());
  head.notes.insert(head.notes.end(), job.notes.begin(), job.notes.end());
  note_rows(head.notes, job, all);
  note_bandwidths(head.notes, log, all);
  note_surroundings(head.notes, log, job);
  return {.head = std::move(head),
          .cases = std::move(cases),
          .end = std::move(end),
          .warnings = std::move(warnings),
          .collective = program.collective,
          .rows = static_cast<int>(job.rows.size())};
}

}  // namespace busbar
