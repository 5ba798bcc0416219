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
#include "core/record/status.hpp"
#include "reports/import/bandwidths.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/nccl/nccl_places.hpp"
#include "reports/import/nccl/nccl_program.hpp"
#include "reports/import/nccl/nccl_ranks.hpp"
#include "reports/import/told_places.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

using Notes = std::vector<std::string>;

// Cases

/// Cases of an nccl-tests job, and observations made while converting its rows.
struct NcclCases {
  CaseKey key;  ///< common key parts: without type, op, root, bytes, in place
  CaseList list;
  bool old_errors = false;  ///< the log has the largest difference instead of a count of wrong elements
  bool all_passed = false;  ///< the log reports no out-of-bounds values
  std::optional<int> calls_per_sample;
  PrintedBandwidths bandwidths = {};
  std::uint64_t contradicted_bytes = 0;  ///< size of the first whose bandwidths are not size/time
};

void set_bandwidths(NcclCases& all, CaseRecord& c, const NcclHalf& half) {
  c.time_s = half.time_us.value / 1e6;
  if (c.key.bytes == 0) {
    if (half.algbw_GBps && half.algbw_GBps->low() > 0) ++all.bandwidths.contradicted;
    return;
  }
  const Computed algbw = bandwidth_GBps(static_cast<double>(c.key.bytes), half.time_us);
  const double factor = bus_factor_of(c.key.collective, c.key.ranks);
  settle(c.algbw_GBps, half.algbw_GBps, algbw, all.bandwidths);
  if (settle(c.busbw_GBps, half.busbw_GBps, algbw.times(factor), all.bandwidths)) c.bus_factor = factor;
  if (all.bandwidths.contradicted > 0 && all.contradicted_bytes == 0) all.contradicted_bytes = c.key.bytes;
}

void set_nccl_check(const NcclCases& all, CaseRecord& c, const std::optional<double>& wrong) {
  if (!wrong) {
    c.check.state = CheckState::off;
  } else if (all.old_errors) {
    c.check.state = *wrong == 0 || all.all_passed ? CheckState::passed : CheckState::unknown;
  } else {
    c.check.state = *wrong == 0 ? CheckState::passed : CheckState::failed;
    c.check.wrong_elements = wrong;
    if (*wrong == 0) return;
    c.status = Status::failed;
    c.reason = fmt::format("wrong data: nccl-tests counted {:g} wrong elements", *wrong);
  }
}

void set_nccl_samples(const NcclCases& all, CaseRecord& c, const NcclHalf& half) {
  if (!half.samples) return;
  c.samples_s = half.samples->samples_s;
  c.samples_taken = c.samples_s.size();
  c.statistics = summarise(c.samples_s);
  c.ranks = half.samples->ranks;
  c.calls_per_sample = all.calls_per_sample;
}

void add_case(NcclCases& all, const NcclRow& row, const NcclHalf& half) {
  CaseRecord c{.key = all.key, .count = row.count};
  if (is_name(row.type)) c.key.type = type_named(row.type);
  if (row.op && is_name(*row.op)) c.key.op = row.op;
  c.key.root = row.root;
  c.key.bytes = row.bytes;
  c.key.in_place = half.in_place;
  set_bandwidths(all, c, half);
  set_nccl_check(all, c, half.wrong);
  set_nccl_samples(all, c, half);
  all.list.add(std::move(c));
}

CaseKey nccl_key(const NcclLog& log, const NcclJob& job, const RunRecord& head, const NcclLayout& layout,
                 const NcclProgram& program) {
  int groups = 0;
  const NcclLayout of_group = job.layout ? layout : group_layout(ranks_of(job), groups);
  const NcclLayout& ranks = !head.placement.empty() && groups > 1 ? of_group : layout;
  const bool one_host_a_job = copies_of(job) == 1 || head.ranks == 1;
  return {.collective = program.collective,
          .backend = log.backend,
          .memory = "device",
          .ranks = ranks.ranks,
          .nodes = one_host_a_job ? ranks.nodes : std::nullopt,
          .ranks_per_node = one_host_a_job ? ranks.ranks_per_node : std::nullopt,
          .cadence = head.method.cadence == "unknown" ? std::nullopt : std::optional(head.method.cadence),
          .group = groups > 1 ? fmt::format("split:{}", groups) : "world"};
}

/// Converts each row to two cases, or one if it has only one half. `head` must have ranks, nodes and method.
NcclCases nccl_cases(const NcclLog& log, const NcclJob& job, const RunRecord& head, const NcclLayout& layout,
                     const NcclProgram& program) {
  NcclCases all{.key = nccl_key(log, job, head, layout, program),
                .old_errors = job.columns && job.columns->old_errors,
                .all_passed = job.out_of_bounds && job.out_of_bounds->ends_with("OK"),
                .calls_per_sample = head.method.aggregated_iterations};
  for (const NcclRow& row : job.rows)
    for (const NcclHalf& half : row.halves) add_case(all, row, half);
  return all;
}

// Notes

void warn_of_jobs(Notes& notes, int ranks_of_job, const NcclLog& log, const NcclJob& job) {
  std::set<std::string> streams;
  for (const NcclJob& j : log.jobs) streams.insert(j.stream);
  const std::size_t copies = copies_of(job);
  const std::size_t parallel = std::max(copies, streams.size());
  const std::string ranks = plural(ranks_of_job, "rank");
  if (parallel > 1)
    add_note(notes,
             "the log is of {} separate jobs of {} each, not of one of {} (is nccl-tests built without MPI?); {}",
             parallel, ranks, plural(parallel * static_cast<std::size_t>(ranks_of_job), "rank"),
             copies > 1 ? "their lines are not marked, so the first row of each case was kept"
                        : fmt::format("the rows of the first, marked {}, were kept", job.stream));
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
  if (!parts.empty()) add_note(notes, "{} of {}", fmt::join(parts, ", "), job.rows.size());
}

void note_rows(Notes& notes, const NcclJob& job, const NcclCases& all) {
  note_halves(notes, job);
  if (all.list.empty_repeats() > 0)
    add_note(notes,
             "{} more of size 0 left out (sizes too small to give every rank a share: nothing was moved); the first of "
             "each kind was kept",
             plural(all.list.empty_repeats(), "case"));
  if (all.list.other_repeats() > 0)
    add_note(notes, "{} left out that repeat an earlier one; the first of each was kept",
             plural(all.list.other_repeats(), "case"));
  if (job.columns && job.columns->cpu_time)
    notes.emplace_back("times are CPU times of the calls (cputime), not elapsed times");
  if (job.columns && job.columns->per_iteration)
    notes.emplace_back("the log also has minimum, maximum, p99 and variation over iterations; not imported");
  if (all.old_errors)
    notes.emplace_back("of an old release: the log gives the largest difference, not a number of wrong elements");
  if (job.settings.graph.value_or(0) > 0)
    add_note(notes, "calls were launched as CUDA graphs ({} launches)", *job.settings.graph);
}

/// Compares busbw / algbw of the row with the best resolution with the collective's bus factor.
void warn_of_ratio(Notes& notes, const NcclJob& job, const NcclCases& all, const NcclProgram& program) {
  const std::vector<BandwidthPair> pairs = bandwidth_pairs(job);
  const auto best = std::ranges::max_element(pairs, {}, [](const BandwidthPair& pair) { return pair.algbw.value; });
  if (best == pairs.end() || best->algbw.low() <= 0) return;
  const double factor = bus_factor_of(all.key.collective, all.key.ranks);
  if (agrees(best->busbw, best->algbw.low() * factor, best->algbw.high() * factor)) return;
  add_note(notes,
           "busbw/algbw is {:.3g} in the log, but {} on {} has {:.3g}: the collective (from {}) may be wrong; printed "
           "bandwidths were kept",
           best->busbw.value / best->algbw.value, all.key.collective, plural(all.key.ranks, "rank"), factor,
           program.told_by);
}

/// Where size, time and bandwidths of a row cannot be of one measurement, one of them is not what was printed.
void warn_of_bandwidths(Notes& notes, const NcclCases& all) {
  const auto& [printed, contradicted] = all.bandwidths;
  if (contradicted > 0)
    add_note(notes,
             "{} of {} printed bandwidths are not size/time (the first at {} bytes): torn or mixed rows? For these the "
             "printed value was kept; the others are size/time",
             contradicted, printed, all.contradicted_bytes);
}

void note_bandwidths(Notes& notes, const NcclLog& log, const NcclCases& all) {
  const auto& [printed, contradicted] = all.bandwidths;
  if (printed > 0 && contradicted == 0 && !log.decimals.empty())
    add_note(notes,
             "bandwidths are computed from the log's size and time, because it prints them with {} decimals; where "
             "that rounds to another last digit, the printed one was kept",
             log.decimals);
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
  add_note(notes,
           "the log's own average bus bandwidth is {} GB/s, but the rows read give {:.4g}: rows are missing or changed",
           job.average->substr(0, job.average->find(' ')), sum / count);
}

void note_surroundings(Notes& notes, const NcclLog& log, const NcclJob& job) {
  for (const std::string& library : log.libraries) notes.push_back("the log says: " + library);
  constexpr std::size_t most = 3;
  std::size_t n = 0;
  for (const Said& said : log.after)
    if (said.line >= job.first_line && said.line <= job.last_line && n++ < most)
      notes.push_back("after its table the log says: " + said.text);
  if (n > most) add_note(notes, "... and {} more", plural(n - most, "line"));
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
  add_note(head.notes, "collective taken from {}", program.told_by);
  note_stated(head.notes, request);
  return head;
}

Notes nccl_warnings(const NcclLog& log, const NcclJob& job, const NcclCases& all, const NcclProgram& program,
                    const RunRecord& head) {
  Notes warnings = job.warnings;
  if (program.inferred)
    add_note(warnings, "{} inferred from {}, which fit no other: the log does not name it; --collective overrides",
             program.collective, program.told_by);
  warn_of_jobs(warnings, head.ranks, log, job);
  warn_of_torn_rows(warnings, job.torn_lines);
  if (!job.torn_ranks.empty())
    add_note(warnings, "{} of the list of ranks cannot be read, the first line {}: ranks and hosts may be wrong",
             plural(job.torn_ranks.size(), "line"), job.torn_ranks.front());
  if (!job.concluded.empty() && job.concluded != program.collective)
    add_note(warnings, "{} was taken from {}, but the run ends with \"Collective test concluded\" of {}",
             program.collective, program.told_by, job.concluded);
  if (const std::string against = contradiction_of_rows(job, program.collective); !against.empty())
    add_note(warnings, "{} was taken from {}, but {}: nccl-tests prints other rows for it", program.collective,
             program.told_by, against);
  warn_of_ratio(warnings, job, all, program);
  warn_of_bandwidths(warnings, all);
  warn_of_average(warnings, job);
  return warnings;
}

}  // namespace

ImportedRun nccl_run(const ImportRequest& request, const NcclLog& log, const NcclJob& job) {
  const NcclProgram program = nccl_program(request, log, job);
  const RankCount count = count_ranks(request, rank_evidence(log, job, program));
  ImportedRun run{
      .warnings = program.doubts, .collective = program.collective, .rows = static_cast<int>(job.rows.size())};
  add_notes(run.warnings, count.doubts);
  const NcclLayout layout = job_layout(request, job, count, run.warnings);
  run.head = nccl_head(request, log, job, program, layout);
  NcclCases all = nccl_cases(log, job, run.head, layout, program);
  run.cases = all.list.sorted_cases();
  run.end = nccl_end(log, job, run.cases);
  add_notes(run.warnings, nccl_warnings(log, job, all, program, run.head));
  add_notes(run.head.notes, run.warnings);
  add_notes(run.head.notes, job.notes);
  note_rows(run.head.notes, job, all);
  note_bandwidths(run.head.notes, log, all);
  note_surroundings(run.head.notes, log, job);
  return run;
}

}  // namespace busbar
