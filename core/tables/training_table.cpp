// SPDX-License-Identifier: Apache-2.0
#include "core/tables/training_table.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/status.hpp"
#include "core/record/training.hpp"
#include "core/statistics/interval.hpp"

namespace busbar {
namespace {

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }
std::string milliseconds(double seconds) {
  const double ms = 1e3 * seconds;
  return fmt::format("{:.{}f}", ms, ms < 9.995 ? 2 : ms < 99.95 ? 1 : 0);
}
std::string rate(double per_s) { return fmt::format("{:.{}f}", per_s, per_s < 100 ? 2 : 1); }
std::string format_gigabytes(std::uint64_t bytes) {
  return fmt::format("{:.2f} GB", static_cast<double>(bytes) * 1e-9);
}
std::string percent_of(const Interval& i) { return fmt::format("{:.1f}", 100 * relative_half_width(i)); }

std::string layer_row(const LayerCost& l, double step_s) {
  const double both_s = l.forward_s + l.backward_s;
  return fmt::format("# {:>14} {:>6} {:>9} {:>9} {:>7} {:>9}\n", l.kind, l.layers, milliseconds(l.forward_s),
                     milliseconds(l.backward_s), percent(both_s / step_s),
                     l.flop > 0 ? fmt::format("{:.1f}", l.flop / both_s * 1e-9) : "-");
}

std::string explain(const std::vector<TypePeak>& peaks) {
  std::vector<std::string> rates;
  for (const TypePeak& p : peaks)
    rates.push_back(fmt::format("{} {:.1f} GFLOP/s ({})", p.type, p.flop_per_s * 1e-9, p.instructions));
  return fmt::format("# peaks by type: {}\n", fmt::join(rates, ", "));
}

std::string explain(const Arithmetic& a, double step_s) {
  std::string s =
      fmt::format("# {:>14} {:>6} {:>9} {:>9} {:>7} {:>9}\n# {:>14} {:>6} {:>9} {:>9} {:>7} {:>9}\n", "layers",
                  "number", "forward", "backward", "% of", "GFLOP/s", "", "", "(ms)", "(ms)", "step", "");
  double convolutions = 0;
  for (const LayerCost& l : a.layers) {
    s += layer_row(l, step_s);
    if (l.kind == "convolution") convolutions = l.flop / (l.forward_s + l.backward_s);
  }
  s += fmt::format("# reorders of layouts: {} ms, {} % of the step; in the rows above\n", milliseconds(a.reorder_s),
                   percent(a.reorder_s / step_s));
  s += fmt::format("# operations: {:.2f} GFLOP a step, {:.1f} GFLOP/s", a.flop_per_step * 1e-9,
                   a.flop_per_step / step_s * 1e-9);
  if (!a.peak_flop_per_s) return s + "\n";
  s += fmt::format("; peak {:.1f} GFLOP/s ({}), convolutions {} % of it\n", *a.peak_flop_per_s * 1e-9,
                   a.peak_instructions.value_or("?"), percent(convolutions / *a.peak_flop_per_s));
  return a.peaks.size() > 1 ? s + explain(a.peaks) : s;
}

std::string explain(const Memory& m) {
  return fmt::format(
      "# memory: peak {} a rank at most, {:.2f} x what is needed: weights {}, gradients {}, momenta {}, activations "
      "{}\n",
      format_gigabytes(m.peak_bytes), static_cast<double>(m.peak_bytes) / static_cast<double>(m.needed_bytes),
      format_gigabytes(m.weights_bytes), format_gigabytes(m.gradients_bytes), format_gigabytes(m.momenta_bytes),
      format_gigabytes(m.activations_bytes));
}

}  // namespace

std::string training_head() {
  return "# rate: of all ranks, from the slowest rank's time of a round\n"
         "# speedup, efficiency: over the smallest group, round by round; 100 % is ideal\n"
         "# step and its parts, which add up to it: means over ranks and steps.\n"
         "#   exposed: waiting for communication; hidden: communication during compute\n";
}

std::string imported_training_head() {
  return "# rate: of all ranks, as the source defines it\n"
         "# speedup, efficiency: of these rates, over the smallest group; 100 %: ideal\n"
         "# \"-\": the source does not say\n";
}

std::string training_series(const CaseRecord& c) {
  const TrainingKey& t = *c.key.training;
  return fmt::format("{}/{}/{}/{}", c.key.collective, c.key.backend, c.key.type.value_or("?"), to_string(t));
}

static int width_of_rate(bool narrow) { return narrow ? 8 : 10; }

std::string training_columns(const CaseRecord& c, bool narrow) {
  const bool replayed = c.key.training->compute == replayed_compute;
  const std::string unit = c.training ? c.training->sample + "s/s" : "per s";
  std::string s = fmt::format("#\n# {}\n", training_series(c));
  if (replayed) s += fmt::format("# replayed: no compute; the times of {}\n", c.key.training->computed_on);
  s += fmt::format("# {:>5} {:>{}} {:>5}{} {:>6}{} {:>7} {:>7} {:>7} {:>7} {:>6} {:>6}{}\n", "ranks", "rate",
                   width_of_rate(narrow), "+-%", narrow ? "" : "  speedup", "effic.", narrow ? "" : "   +-%", "step",
                   "forward", "backw.", "exposed", "update", "other", narrow ? "" : "  hidden  check   grade");
  return s + fmt::format("# {:>5} {:>{}} {:>5}{} {:>6}{} {:>7} {:>7} {:>7} {:>7} {:>6} {:>6}{}\n", "", unit,
                         width_of_rate(narrow), "", narrow ? "" : "         ", "(%)", narrow ? "" : "      ", "(ms)",
                         "(ms)", "(ms)", "(ms)", "(ms)", "(ms)", narrow ? "" : "    (ms)");
}

std::string training_row(const CaseRecord& c, bool narrow) {
  const std::string ranks = c.key.training->jobs > 1
                                ? fmt::format("{}x{}", c.key.training->jobs, c.key.ranks / c.key.training->jobs)
                                : std::to_string(c.key.ranks);
  if (!c.training || (!c.time_s && !is_measured(c.status)))
    return fmt::format("{:>7} {}: {}\n", ranks, name(c.status), c.reason.value_or("no reason given"));
  const Training& t = *c.training;
  const auto part = [&t](double StepSplit::* seconds) { return t.split ? milliseconds((*t.split).*seconds) : "-"; };
  const auto& efficiency = t.scaling ? t.scaling->efficiency_interval : std::nullopt;
  const std::string step = t.split ? part(&StepSplit::step_s) : c.time_s ? milliseconds(*c.time_s) : "-";
  const std::string speedup = t.scaling ? fmt::format("{:.2f}", t.scaling->speed_up) : t.split ? "1" : "-";
  std::string row =
      fmt::format("{:>7} {:>{}} {:>5}{} {:>6}{} {:>7} {:>7} {:>7} {:>7} {:>6} {:>6}", ranks, rate(t.samples_per_s),
                  width_of_rate(narrow), t.samples_per_s_interval ? percent_of(*t.samples_per_s_interval) : "-",
                  narrow ? "" : fmt::format(" {:>8}", speedup), t.scaling ? percent(t.scaling->efficiency) : "-",
                  narrow ? "" : fmt::format(" {:>5}", efficiency ? percent_of(*efficiency) : "-"), step,
                  part(&StepSplit::forward_s), part(&StepSplit::backward_s), part(&StepSplit::exposed_s),
                  part(&StepSplit::optimiser_s), part(&StepSplit::other_s));
  row += narrow ? "\n" : fmt::format(" {:>7}  {:<6}\n", part(&StepSplit::hidden_s), name(c.check.state));
  if (c.status == Status::failed) row += fmt::format("{:>7} failed: {}\n", ranks, c.reason.value_or("no reason given"));
  return row;
}

std::vector<std::string> training_details(const CaseRecord& c) {
  std::vector<std::string> all;
  if (!c.training) return all;
  for (const TrainingJob& job : c.training->jobs)
    all.push_back(
        fmt::format("job on rank{} {}: {} {}s/s{}", job.ranks.size() == 1 ? "" : "s", fmt::join(job.ranks, ","),
                    rate(job.samples_per_s), c.training->sample,
                    job.slow_down ? fmt::format(", a step takes {:.3f} x as long as alone", *job.slow_down) : ""));
  if (const auto& p = c.training->pipeline; p && p->stages > 1)
    all.push_back(fmt::format(
        "bubble: {} %{} of the ranks' time over all timed steps (ideal {} %); at most {} micro-batches in flight",
        percent(p->bubble),
        p->bubble_interval
            ? fmt::format(" ({} to {})", percent(p->bubble_interval->low), percent(p->bubble_interval->high))
            : "",
        percent(p->ideal_bubble), p->most_in_flight));
  return all;
}

std::string explain(const CaseRecord& c) {
  if (!c.training || !c.time_s) return "";
  const Training& t = *c.training;
  std::string s = fmt::format("#\n# a step of {}: {} {}s/s a rank", plural(c.key.ranks, "rank"),
                              rate(t.samples_per_s / c.key.ranks), t.sample);
  if (c.statistics)
    s += fmt::format("; median {} ms, 95 % within {}, 99 % within {}", milliseconds(c.statistics->median_s),
                     milliseconds(c.statistics->p95_s), milliseconds(c.statistics->p99_s));
  s += "\n";
  if (t.buckets && t.wire_bytes)
    s += fmt::format("# reductions: {} a step; a rank sends {:.1f} MB at least\n", *t.buckets,
                     static_cast<double>(*t.wire_bytes) * 1e-6);
  if (t.arithmetic && t.split) s += explain(*t.arithmetic, t.split->step_s);
  return t.memory ? s + explain(*t.memory) : s;
}

}  // namespace busbar
