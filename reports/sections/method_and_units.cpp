// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::report {
namespace {

std::string format_number(std::optional<int> n, std::string_view otherwise) {
  return n ? std::to_string(*n) : std::string(otherwise);
}

std::string stop(const Method& m, bool ours) {
  if (!m.stop) return ours && m.iterations ? "fixed number" : std::string(unknown);
  const StopAt& s = *m.stop;
  std::string rule = fmt::format("{:g} % interval within +-{:g} %", 100 * s.confidence, 100 * s.relative_half_width);
  if (s.least_rounds > 0 || s.least_span_s > 0)
    rule += fmt::format(", after at least {} rounds and {:g} s", s.least_rounds, s.least_span_s);
  rule += fmt::format("; at most {:g} s and {} samples per case", s.case_budget_s, s.most_samples);
  return s.run_budget_s ? rule + fmt::format(", {:g} s in total", *s.run_budget_s) : rule;
}

std::string buffers(const Method& m) {
  if (!m.buffers) return std::string(unknown);
  const auto& [alignment, send, recv] = *m.buffers;
  std::string s = "multiples of " + format_size(alignment);
  if (send == recv) return send == 0 ? s : fmt::format("{} + {}", s, format_size(send));
  return fmt::format("{}; send + {}, receive + {}", s, format_size(send), format_size(recv));
}

std::vector<std::string> method_row(const Run& run) {
  const Method& m = run.head.method;
  const auto otherwise = [](const std::string& text) { return text.empty() ? std::string(unknown) : text; };
  const bool ours = run.head.origin == Origin::measured;
  std::string iterations = format_number(m.iterations, ours ? "by the stop rule" : unknown);
  if (m.aggregated_iterations.value_or(1) > 1)
    iterations += fmt::format(", of {} calls each", *m.aggregated_iterations);
  return {text_of(run.head.origin),
          time_rule(m),
          otherwise(m.cadence),
          iterations,
          stop(m, ours),
          format_number(m.warmup_iterations, ours ? "by the samples" : unknown),
          otherwise(m.check),
          buffers(m)};
}

/// One row per method of measurement, with its runs.
Table methods_table(const Material& material) {
  const auto& runs = material.runs();
  const auto& names = material.names();
  std::map<std::vector<std::string>, std::vector<std::string>> of;
  for (std::size_t i = 0; i < runs.size(); ++i) of[method_row(runs[i])].push_back(names[i]);
  Table t{.title = "",
          .columns = {{"runs"},
                      {"origin"},
                      {"time is"},
                      {"cadence"},
                      {"iterations"},
                      {"stop rule"},
                      {"warm-up"},
                      {"data check"},
                      {"buffers at"}},
          .rows = {}};
  for (const auto& [cells, who] : of) {
    t.rows.push_back({who.size() == runs.size() && runs.size() > 1 ? "all runs" : list(who)});
    t.rows.back().insert(t.rows.back().end(), cells.begin(), cells.end());
  }
  return t;
}

std::vector<Block> words_of_all(const Material& material) {
  return {
      methods_table(material),
      KeyValues{
          .title = "",
          .rows =
              {{"size",
                "the larger of a rank's send and receive buffer, as nccl-tests prints it; binary: 1 KiB = 1024 B"},
               {"time", "of one call; the table above shows the statistic over iterations and ranks"},
               {"round",
                "one visit of a case: consecutive samples. All cases are visited in turn, so the rounds of a case "
                "cover different states of the machine"},
               {"interval, +-%",
                "confidence interval of the median over rounds, at the confidence of the stop rule and from the rounds "
                "of this launch; other launches can differ by more. +-% is its half-width in per cent. Charts show it "
                "as a band along the line. \"-\": too few rounds"},
               {"bimodal",
                "the rounds of a case are either fast or slow: the median depends on how many there are of each"},
               {"contended", "other processes used the CPUs while the case was measured; the case is kept"},
               {"late", "a rank that starts last more often than chance allows"},
               {"p99", "99th percentile of the samples by nearest rank; unknown without samples"},
               {"algbw", "size / time; decimal: 1 GB/s = 1e9 B/s"},
               {"busbw",
                "algbw times the factor of nccl-tests for the collective and the number of ranks: the data rate per "
                "link of a flat ring. Other algorithms send other amounts, so busbw can exceed the rate of the links"},
               {"cadence",
                "barrier: ranks wait for each other before each iteration; synchronised: each iteration starts on all "
                "ranks at the same time by their synchronised clocks; streaming: iterations back to back; cold: caches "
                "are emptied before each iteration, ranks start up to 100 us apart, and time counts from the start of "
                "the last rank; replay: the calls of a trace one after another, and time counts from the start of the "
                "last rank; replay_gaps: the same with the time between calls that the trace has"},
               {"rank clocks",
                "residual: largest remaining error of a rank's clock after correction; uncertainty: half of the "
                "shortest round trip, which messages cannot resolve. Start times of ranks are accurate to their sum"},
               {"OS noise", "CPU time lost to the rest of the machine while each rank kept its CPU fully busy"},
               {"rank settling",
                "on virtual machines, ranks of a host wake one another so that the hypervisor puts their CPUs near "
                "each other: before the first round, and between rounds when barriers take 1.8 times as long as usual"},
               {"data check",
                "every_call: each whole result; every_call_sampled: one element in 4 KiB of each result, and the whole "
                "first and last result of a round; some_calls: only after some calls"}},
          .glossary = true},
      Paragraph{.text = "Nothing is averaged over sizes. Cases without bytes, time or bandwidth do not fit on a "
                        "logarithmic axis and are only in the tables."}};
}

bool has_training(const std::vector<Run>& runs) {
  return std::ranges::any_of(runs, [](const Run& run) { return std::ranges::any_of(run.cases, is_training); });
}

KeyValues words_of_training() {
  return {
      .title = "Training",
      .rows = {{"images/s",
                "samples of all ranks per step time, from one weight update to the next; sequences/s for language "
                "models. +-% is the half-width of its interval over rounds"},
               {"replayed",
                "nothing was computed: a rank waits for the times in a profile of the device in brackets, but really "
                "communicates. All other cases were computed on the machine that was measured"},
               {"speedup", "rate over the rate of the baseline: the smallest group of the same launch"},
               {"efficiency",
                "speedup over the ratio of ranks; 100 % is ideal. Its interval is over rounds in which both groups "
                "were measured, so a slowdown of both does not widen it"},
               {"weak scaling", "the batch size per rank is fixed, so more ranks train on more samples per step"},
               {"strong scaling", "the batch size of all ranks together is fixed, so the share of each rank shrinks"},
               {"step",
                "forward and backward are computing; optimiser updates the weights; other is the rest. These and "
                "exposed communication add up to the step"},
               {"exposed communication",
                "time in which the training thread communicates, or waits for communication or other ranks"},
               {"hidden communication", "time in which communication overlaps with computing"},
               {"bubble",
                "share of the ranks' time, without the update, in which pipeline stages have nothing to compute"},
               {"GFLOP/s", "decimal: 1e9 floating-point operations per second; a multiply-add counts as two"}},
      .glossary = true};
}

std::vector<Block> method_and_units_blocks(const Material& material) {
  const auto& runs = material.runs();
  std::vector<Block> all = words_of_all(material);
  if (has_training(runs)) all.insert(all.end() - 1, words_of_training());
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section method_and_units{
    .name = "method", .title = "Method and units", .blocks = report::method_and_units_blocks, .folded = true};

}  // namespace busbar
