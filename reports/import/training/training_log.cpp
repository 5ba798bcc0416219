// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/abort_lines.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/launch_lines.hpp"
#include "reports/import/told_places.hpp"
#include "reports/import/training/training_lines.hpp"

/// Output of tf_cnn_benchmarks, and of Horovod's and BytePS's synthetic benchmarks. The figures are defined in
/// tensorflow/benchmarks, scripts/tf_cnn_benchmarks/benchmark_cnn.py (get_perf_timing, the end of
/// benchmark_with_session), and in horovod/horovod, examples/pytorch/pytorch_synthetic_benchmark.py and its siblings.
namespace busbar {
namespace {

using Notes = std::vector<std::string>;
using Program = TrainingProgram;

/// A benchmark as a case, with its notes and warnings.
struct Reading {
  CaseRecord c;
  RankRule rank_rule = RankRule::unknown;
  bool whole = false;  ///< the benchmark completed
  Notes notes, warnings;
};

/// Warns of something in a training, whose line it names.
template <class... Values>
void warn_of(Reading& r, const LoggedTraining& t, fmt::format_string<Values...> text, Values&&... values) {
  add_note(r.warnings, "line {}: {}", t.line, fmt::format(text, std::forward<Values>(values)...));
}

/// True for Horovod's benchmarks and BytePS's, which are copies of them.
bool is_synthetic(const LoggedTraining& t) { return t.program != Program::tf_cnn_benchmarks; }

/// True if each process is a rank with one device.
bool by_horovod(const LoggedTraining& t) { return is_synthetic(t) || t.variables == "horovod"; }

/// A benchmark with the lines that can have started it.
struct Logged {
  const LoggedTraining& training;
  const LaunchLines& launch;
  LaunchScope scope;
  int most_ranks = 0;  ///< of all trainings of the log, as far as they print them
};

/// True if there is a rate this program prints; interleaved logs may contain lines of another.
bool has_rate(const LoggedTraining& t) {
  return !t.totals.empty() || (is_synthetic(t) ? !t.iterations.empty() || t.per_rank : !t.steps.empty());
}

bool trains(const LoggedTraining& t) { return !t.mode || t.mode->starts_with("training") || t.mode == "train"; }

// Set-up

/// What the benchmark itself prints of its ranks.
std::vector<SizeClaim> printed_ranks(const LoggedTraining& t) {
  std::vector<SizeClaim> claims;
  if (t.processors) claims.push_back({.number = *t.processors, .source = "\"Number of GPUs\""});
  if (t.global_batch && t.batch && *t.global_batch % *t.batch == 0)
    claims.push_back({.number = *t.global_batch / *t.batch,
                      .source = fmt::format("a batch of {} with {} per device", *t.global_batch, *t.batch)});
  if (t.devices && (!t.of_workers || claims.empty()))
    claims.push_back({.number = *t.devices, .source = "\"Devices:\""});
  return claims;
}

int training_ranks(const Logged& logged, const ImportRequest& request, Notes& doubts) {
  std::vector<SizeClaim> claims = printed_ranks(logged.training);
  if (by_horovod(logged.training))  // else a process may have several devices
    for (SizeClaim& claim : rank_claims(logged.launch, logged.scope)) claims.push_back(std::move(claim));
  if (const auto ranks = settle_ranks(request, claims, doubts)) return *ranks;
  refuse(request, "line {}: the log does not say on how many devices this ran; add --ranks N", logged.training.line);
}

/// The numbers of ranks that the trainings of a log print.
std::set<int> printed_scales(const std::vector<LoggedTraining>& all) {
  std::set<int> scales;
  for (const LoggedTraining& t : all)
    if (const auto claims = printed_ranks(t); !claims.empty()) scales.insert(claims.front().number);
  return scales;
}

/// --ranks is one number: it cannot be that of trainings on several.
void check_scales(const ImportRequest& request, const std::set<int>& scales) {
  if (!request.ranks || scales.size() < 2) return;
  throw Contradiction(fmt::format("{}: --ranks {} contradicts the log, which has trainings on {} ranks", request.source,
                                  *request.ranks, fmt::join(scales, ", ")));
}

bool told_to(const LoggedTraining& t, std::string_view option) {
  return std::ranges::any_of(t.argv, [option](std::string_view word) {
    return word == option || (word.starts_with(option) && word.substr(option.size()) == "=True");
  });
}

/// Lower case, like busbar's model names.
std::string model_of(const LoggedTraining& t, const ImportRequest& request) {
  if (!t.model) refuse(request, "line {}: no line \"Model: ...\" before it: the log begins too late", t.line);
  return lower_case(*t.model);
}

CaseKey training_key_of(const Logged& logged, const ImportRequest& request, Notes& doubts) {
  const LoggedTraining& t = logged.training;
  CaseKey k{.kind = CaseKind::training, .collective = model_of(t, request)};
  k.ranks = training_ranks(logged, request, doubts);
  k.backend = is_synthetic(t) ? text_of(t.program) : t.variables.value_or("unknown");
  if (t.all_reduce && *t.all_reduce != "None" && is_name(*t.all_reduce)) k.algorithm = t.all_reduce;
  TrainingKey& own = k.training.emplace();
  own.compute = text_of(t.program);
  own.computed_on = t.device.value_or("unknown");
  own.batch = t.batch;
  if (!t.batch && t.global_batch && *t.global_batch % k.ranks == 0) own.batch = *t.global_batch / k.ranks;
  own.scaling = own.batch ? "weak" : "unknown";
  own.layout = "unknown";
  if (told_to(t, "--use_fp16")) own.precision = "fp16";
  return k;
}

/// Sets the hosts. --nodes is of the trainings on the most ranks of the log; of others only if it is 1.
void set_training_nodes(CaseKey& k, const Logged& logged, const ImportRequest& request, Notes& doubts) {
  const bool one_process = !by_horovod(logged.training) && !logged.training.of_workers;
  std::vector<SizeClaim> claims;
  if (one_process)
    claims.push_back({.number = 1, .source = "a single process"});
  else
    claims = node_claims(logged.launch, logged.scope, k.ranks);
  ImportRequest settled = request;
  settled.ranks = k.ranks;
  if (k.ranks < logged.most_ranks && request.nodes.value_or(1) > 1) settled.nodes.reset();
  settled.nodes = settle_nodes(settled, claims, k.ranks, doubts);
  tell_nodes(k, settled);
}

// Rates of tf_cnn_benchmarks

/// Step of the last running means, of which there must be some.
int last_step(const LoggedTraining& t) { return std::ranges::max(t.steps, {}, &StepLine::step).step; }

/// Number of processes that print steps.
int step_processes(const LoggedTraining& t, int ranks) {
  const int of_process = by_horovod(t) ? 1 : std::max(1, t.devices.value_or(ranks));
  return std::max(1, ranks / of_process);
}

/// Mean over processes of their last running means, times the number of processes.
double last_mean(const LoggedTraining& t, int ranks) {
  double sum = 0;
  int n = 0;
  for (const StepLine& s : t.steps)
    if (s.step == last_step(t)) sum += s.samples_per_s, ++n;
  return sum / n * step_processes(t, ranks);
}

double rate_of_totals(Reading& r, const LoggedTraining& t) {
  const auto n = static_cast<int>(t.totals.size());
  const bool one_job = by_horovod(t) || t.of_workers || n == 1;
  const auto [smallest, largest] = std::ranges::minmax(t.totals, {}, &Rounded::value);
  const double least = smallest.value, most = largest.value;
  r.whole = true;
  if (!one_job) {
    warn_of(
        r, t,
        "{} processes print a total each and do not share variables ({}): they are jobs of their own; the first was "
        "imported",
        n, t.variables.value_or("how is not known"));
    return t.totals.front().value;
  }
  if (n > 1)
    add_note(r.notes,
             "each of {} processes prints the total of the whole job by its own clock, {:g} to {:g} images/s; the "
             "smallest, of the slowest rank, was taken",
             n, least, most);
  if (least < 0.9 * most)
    warn_of(r, t, "the totals of one job differ, {:g} to {:g} images/s; are they of several jobs?", least, most);
  const double mean = t.steps.empty() ? most : last_mean(t, r.c.key.ranks);
  if (mean > 1.25 * most || most > 1.25 * mean)
    warn_of(r, t, "the total is {:g} images/s, but the last running means give {:g}: is it that of another training?",
            most, mean);
  const bool of_all = n >= r.c.key.ranks || (!by_horovod(t) && !t.of_workers);
  r.rank_rule = of_all ? RankRule::slowest : RankRule::unknown;
  return least;  // a job's progress is that of its slowest rank
}

/// For a log without a total: mean over processes of their last running means, times the number of processes.
double rate_of_steps(Reading& r, const LoggedTraining& t) {
  const int processes = step_processes(t, r.c.key.ranks);
  r.rank_rule = RankRule::mean;
  warn_of(r, t, "the log ends before the total of this training; its rate is the running mean at step {}{}",
          last_step(t), processes > 1 ? fmt::format(", times {} processes", processes) : "");
  return last_mean(t, r.c.key.ranks);
}

/// Mean over processes at a step; empty if any loss is missing.
std::optional<double> loss_at(const LoggedTraining& t, int step) {
  double sum = 0;
  int n = 0;
  for (const StepLine& s : t.steps) {
    if (s.step != step) continue;
    if (!s.loss) return std::nullopt;
    sum += *s.loss;
    ++n;
  }
  return n > 0 ? std::optional(sum / n) : std::nullopt;
}

// Rates of Horovod's benchmarks

double mean_of(const std::vector<Rounded>& values, std::size_t from) {
  double sum = 0;
  for (std::size_t i = from; i < values.size(); ++i) sum += values[i].value;
  return sum / static_cast<double>(values.size() - from);
}

/// The first iteration included in the printed mean: the Keras benchmark prints a warm-up iteration but excludes it.
/// Empty if the iterations do not reproduce the printed mean.
std::optional<std::size_t> first_counted(const LoggedTraining& t) {
  if (t.iterations.empty() || !t.per_rank) return std::nullopt;
  for (std::size_t from = 0; from < std::min<std::size_t>(2, t.iterations.size()); ++from) {
    const double slack = t.per_rank->half_unit + t.iterations.front().half_unit;
    if (std::abs(mean_of(t.iterations, from) - t.per_rank->value) <= slack * (1 + 1e-9)) return from;
  }
  return std::nullopt;
}

/// Each iteration is a number of batches on rank 0; a sample is the iteration's mean step time.
void set_training_samples(Reading& r, const LoggedTraining& t) {
  const auto from = first_counted(t);
  if (!from || !r.c.key.training->batch) {
    if (!t.iterations.empty())
      r.notes.emplace_back("the iterations do not give the mean of the log: not imported as samples");
    return;
  }
  for (std::size_t i = *from; i < t.iterations.size(); ++i)
    r.c.samples_s.push_back(*r.c.key.training->batch / t.iterations[i].value);
  r.c.samples_taken = r.c.samples_s.size();
  if (*from > 0) r.notes.emplace_back("the first iteration is a warm-up that the log's own mean leaves out");
  const auto batches = option_value(t.argv, std::array{std::string_view("--num-batches-per-iter")});
  add_note(r.notes,
           "a sample is the time of a step of rank 0, the mean over the {} batches of an iteration, from a rate with "
           "one decimal",
           batches ? quotable(*batches) : "10 or --num-batches-per-iter");
}

double rate_of_horovod(Reading& r, const LoggedTraining& t) {
  r.rank_rule = RankRule::rank_0;
  add_note(r.notes, "the total is the rate of rank 0 times the number of ranks, as {}'s benchmarks print it",
           t.program == Program::byteps ? "BytePS" : "Horovod");
  r.notes.emplace_back(
      "the value after +- is 1.96 standard deviations over iterations, not an interval of the mean: left out");
  set_training_samples(r, t);
  r.whole = !t.totals.empty();
  if (r.whole) {
    const double ranks = r.c.key.ranks;
    const Rounded& total = t.totals.front();
    if (t.per_rank && (total.high() < ranks * t.per_rank->low() || total.low() > ranks * t.per_rank->high()))
      warn_of(r, t, "the total is {:g} images/s, but {:g} on each of {} ranks: one of them is torn", total.value,
              t.per_rank->value, r.c.key.ranks);
    return total.value;
  }
  warn_of(r, t, "the log ends before the total of this training; its rate is the mean of {}",
          plural(t.iterations.size(), "iteration"));
  return (t.per_rank ? t.per_rank->value : mean_of(t.iterations, 0)) * r.c.key.ranks;
}

// Records

/// Notes what the key and the hosts cannot hold.
void note_set_up(Reading& r, const LoggedTraining& t) {
  std::set<std::string> names;
  for (const Gpu& gpu : t.gpus) names.insert(gpu.name);
  if (!names.empty()) add_note(r.notes, "GPUs, as TensorFlow names them: {}", fmt::join(names, ", "));
  if (t.all_reduce && *t.all_reduce != "None")
    add_note(r.notes, "all-reduce (--all_reduce_spec): {}; the case's key has it as algorithm", *t.all_reduce);
}

Reading read_training(const Logged& logged, const ImportRequest& request) {
  const LoggedTraining& t = logged.training;
  Reading r;
  r.c.key = training_key_of(logged, request, r.warnings);
  set_training_nodes(r.c.key, logged, request, r.warnings);
  Training& training = r.c.training.emplace();
  training.sample = "image";
  training.samples_per_s = is_synthetic(t)     ? rate_of_horovod(r, t)
                           : !t.totals.empty() ? rate_of_totals(r, t)
                                               : rate_of_steps(r, t);
  if (const auto batch = r.c.key.training->batch)
    r.c.time_s = static_cast<double>(*batch) * r.c.key.ranks / training.samples_per_s;
  if (!t.steps.empty()) {
    training.loss_first = loss_at(t, std::ranges::min(t.steps, {}, &StepLine::step).step);
    training.loss_last = loss_at(t, last_step(t));
    r.notes.emplace_back("rates at steps are running means of one process and not samples: not imported");
  }
  if (t.torn > 0)
    warn_of(r, t, "of this training, {} with rates cannot be read: torn or mixed with other output",
            plural(t.torn, "line"));
  if (!is_known_model(r.c.key.collective))
    warn_of(r, t, "no model of these benchmarks is called {}: a user's own, or a torn line", r.c.key.collective);
  note_set_up(r, t);
  r.c.check.state = CheckState::unknown;
  return r;
}

/// The log's trainings that can be imported. Throws UsageError if there are none.
std::vector<LoggedTraining> usable(const ImportRequest& request, Notes& warnings) {
  std::vector<LoggedTraining> some;
  std::string other;
  int others = 0;
  std::vector<LoggedTraining> all = read_trainings(request.text);
  if (all.size() == most_trainings) add_note(warnings, "only the first {} trainings were read", all.size());
  for (LoggedTraining& t : all) {
    if (!has_rate(t)) continue;
    if (trains(t)) {
      some.push_back(std::move(t));
    } else {
      other = fmt::format("line {}: Mode: {}", t.line, *t.mode);
      ++others;
    }
  }
  if (some.empty())
    throw UsageError(others > 0 ? fmt::format("{}: {}: only trainings are imported", request.source, other)
                                : fmt::format("{}: no rate that can be read", request.source));
  if (others > 0)
    add_note(warnings, "{} left out that {} no training ({})", plural(others, "benchmark"), others == 1 ? "is" : "are",
             other);
  return some;
}

RunRecord training_head(const ImportRequest& request, const LoggedTraining& first, const std::vector<Reading>& all) {
  RunRecord head = imported_head(request, text_of(first.program));
  head.id = import_id(request, "training");
  head.method = {
      .cadence = "unknown", .rank_rule = all.front().rank_rule, .statistic = Statistic::mean, .check = "unknown"};
  if (all.size() == 1) head.argv = first.argv, head.method.iterations = first.batches;
  for (const Reading& r : all) {
    head.ranks = std::max(head.ranks, r.c.key.ranks);
    if (r.rank_rule != head.method.rank_rule) head.method.rank_rule = RankRule::unknown;
  }
  const auto nodes = all.front().c.key.nodes;
  if (std::ranges::all_of(all, [&nodes](const Reading& r) { return r.c.key.nodes == nodes; })) head.nodes = nodes;
  if (first.tensorflow) head.libraries["tensorflow"] = *first.tensorflow;
  if (head.nodes == 1 && !first.gpus.empty()) head.hosts = {{.name = "unknown", .gpus = first.gpus}};
  head.notes.emplace_back("of a rate, a step's time is batch times ranks over it: the mean over steps");
  return head;
}

/// Appends notes that are not among the others yet.
void add_new_notes(Notes& all, const Notes& more) {
  for (const std::string& note : more) add_new(all, note);
}

/// The cases without repeats.
std::vector<CaseRecord> training_cases(const std::vector<Reading>& all, Notes& warnings) {
  CaseList list;
  for (const Reading& r : all) list.add(r.c);
  if (const std::size_t repeated = list.repeats(); repeated > 0)
    add_note(warnings, "{} left out that {} an earlier one; split the file to import {}", plural(repeated, "training"),
             repeated == 1 ? "repeats" : "repeat", repeated == 1 ? "it" : "them");
  std::vector<CaseRecord> cases = list.sorted_cases();
  set_scaling(cases);
  return cases;
}

EndRecord training_end(std::string_view text, bool whole) {
  if (whole) return {.status = EndStatus::ok};
  EndRecord end{.status = EndStatus::unknown,
                .reason = "the log ends without a total: it is cut off, or the program was stopped"};
  LogLines lines(text);
  while (const auto line = lines.next()) {
    if (!end.exit_code) end.exit_code = exit_code_of(line->text);
    if (end.status == EndStatus::aborted || !is_abort_line(line->text)) continue;
    end.status = EndStatus::aborted;
    end.reason = quotable(line->text);
  }
  return end;
}

bool recognises_training(std::string_view text) { return any_line(text, is_training_line); }

std::vector<ImportedRun> read_training_log(const ImportRequest& request) {
  Notes warnings;
  const std::vector<LoggedTraining> logged = usable(request, warnings);
  const std::set<int> scales = printed_scales(logged);
  check_scales(request, scales);
  std::vector<Reading> all;
  const LaunchLines launch = read_launch_lines(request.text, is_training_script);
  const int most = request.ranks.value_or(scales.empty() ? 0 : *scales.rbegin());
  for (std::size_t i = 0; i < logged.size(); ++i)
    all.push_back(read_training(
        {.training = logged[i], .launch = launch, .scope = scope_of_part(logged, i), .most_ranks = most}, request));
  ImportedRun run{.head = training_head(request, logged.front(), all),
                  .cases = training_cases(all, warnings),
                  .end = training_end(request.text, std::ranges::all_of(all, &Reading::whole)),
                  .rows = static_cast<int>(all.size())};
  for (const Reading& r : all) add_new_notes(warnings, r.warnings);
  add_new_notes(run.head.notes, warnings);
  note_stated(run.head.notes, request);
  for (const Reading& r : all) add_new_notes(run.head.notes, r.notes);
  if (run.cases.size() > 1)
    add_note(run.head.notes,
             "the log has {} one after the other; speedup and efficiency were computed from their rates",
             plural(run.cases.size(), "training"));
  count_cases(run.end, run.cases);
  run.warnings = std::move(warnings);
  run.collective = run.cases.front().key.collective;
  return {std::move(run)};
}

}  // namespace

extern const Importer training_log{
    .name = "tf_cnn_benchmarks or Horovod text",
    .about = "img/sec that tf_cnn_benchmarks and synthetic benchmarks of Horovod and BytePS print",
    .recognises = recognises_training,
    .read = read_training_log,
};

}  // namespace busbar
