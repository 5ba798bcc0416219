// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "core/units.hpp"
#include "reports/material.hpp"
#include "reports/text.hpp"
#include "reports/training_text.hpp"

namespace busbar::report {
namespace {

std::string format_number(std::optional<int> n, std::string_view otherwise) {
  return n ? std::to_string(*n) : std::string(otherwise);
}

std::string stop(const Method& m, bool ours) {
  if (!m.stop) return ours && m.iterations ? "after that many" : std::string(unknown);
  const StopAt& s = *m.stop;
  std::string rule = fmt::format("{:g} % interval within +-{:g} %", 100 * s.confidence, 100 * s.relative_half_width);
  if (s.least_rounds > 0 || s.least_span_s > 0)
    rule += fmt::format(", after {} rounds and {:g} s at least", s.least_rounds, s.least_span_s);
  rule += fmt::format("; at most {:g} s and {} samples a case", s.case_budget_s, s.most_samples);
  return s.run_budget_s ? rule + fmt::format(", {:g} s in all", *s.run_budget_s) : rule;
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
  const bool ours = run.head.origin == "measured";
  std::string iterations = format_number(m.iterations, ours ? "by the stop rule" : unknown);
  if (m.aggregated_iterations.value_or(1) > 1)
    iterations += fmt::format(", of {} calls each", *m.aggregated_iterations);
  return {run.head.origin,    time_rule(m),  otherwise(m.cadence),
          iterations,         stop(m, ours), format_number(m.warmup_iterations, ours ? "by the samples" : unknown),
          otherwise(m.check), buffers(m)};
}

/// A row for each way of measuring, with the runs that were taken so.
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
               {"time", "of one call; what it is over iterations and ranks stands in the table above"},
               {"round",
                "one visit of a case: samples taken back to back. All cases are visited in turn, so that the rounds of "
                "one see the machine in its different states"},
               {"interval, +-%",
                "holds the true median over rounds at the confidence that the stop rule names, by the rounds of this "
                "launch; other launches can differ by more. +-% is half of its width, in per cent. It is the band "
                "along a line in the charts. \"-\": too few rounds for one"},
               {"two groups",
                "the rounds of a case fall into a fast and a slow group: its median depends on how many of each there "
                "were"},
               {"contended", "something else had the processors while the case was measured; the case is kept"},
               {"late", "a rank that starts last more often than chance allows"},
               {"p99", "99th percentile of the samples by nearest rank; unknown where the samples are not known"},
               {"algbw", "size / time; decimal: 1 GB/s = 1e9 B/s"},
               {"busbw",
                "algbw times the factor of nccl-tests for the collective and the number of ranks: what a flat ring "
                "would carry on each link in that time. Other algorithms move other amounts, so it can be above what "
                "the links carry"},
               {"cadence",
                "barrier: ranks wait for each other before each iteration; synchronised: each iteration starts on all "
                "ranks at one time of their synchronised clocks; streaming: iterations back to back; cold: caches are "
                "emptied before each iteration, ranks start up to 100 us apart, and time counts from the last one's "
                "start"},
               {"clocks of the ranks",
                "residual: what a rank's clock was still off after the correction, the largest; uncertainty: half of "
                "the shortest round trip, which no message can tell. Start times of ranks are as good as their sum"},
               {"OS noise", "what the rest of the machine took while each rank wanted all of its CPU"},
               {"settling of ranks",
                "on virtual machines ranks of a host wake one another before the first round, and between rounds where "
                "barriers take 1.8 times as long as usual, so that the hypervisor puts their CPUs near each other"},
               {"data check",
                "every_call: all of each result; every_call_sampled: of each result one element in 4 KiB, and all of "
                "the first and the last of a round; some_calls: not after each call"}},
          .glossary = true},
      Paragraph{.text = "Nothing is averaged over sizes. A case without bytes, time or bandwidth has no place on a "
                        "logarithmic axis: it is in the tables only."}};
}

bool has_training(const std::vector<Run>& runs) {
  return std::ranges::any_of(runs, [](const Run& run) { return std::ranges::any_of(run.cases, is_training); });
}

KeyValues words_of_training() {
  return {
      .title = "Training",
      .rows =
          {{"images/s",
            "samples of all ranks over the time of a step, from one update of the weights to the next; sequences/s of "
            "models of language. +-% is half the width of its interval over rounds"},
           {"replayed",
            "computing was not done: a rank waits as long as a profile of the device in brackets says, and "
            "communicates in truth. Everything else was computed where it was measured"},
           {"speed-up", "rate over the rate of the baseline: the smallest group of the same launch"},
           {"efficiency",
            "speed-up over the ratio of ranks; 100 % is ideal. Its interval is over rounds in each of which both "
            "groups were measured, so that what slows both does not widen it"},
           {"weak scaling", "the batch of a rank stays the same, so that more ranks train on more samples a step"},
           {"strong scaling", "the batch of all ranks together stays the same, and each rank's share shrinks"},
           {"step",
            "forward and backward are computing; optimiser updates the weights; other is what is left. These and "
            "exposed communication add up to the step"},
           {"exposed communication",
            "time in which the training thread communicates, or waits for that or for other ranks"},
           {"hidden communication", "time in which communication is under way while the rank computes"},
           {"bubble", "share of the ranks' time in which stages of a pipeline have nothing to compute"},
           {"GFLOP/s", "decimal: 1e9 floating-point operations a second, two for a multiply-add"}},
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
    .name = "method", .title = "Method and units", .blocks = report::method_and_units_blocks};

}  // namespace busbar
