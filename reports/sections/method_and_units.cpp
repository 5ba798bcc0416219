// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/glossary.hpp"
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
  Table t{.columns = make_columns({{ColumnKind::text,
                                    {"runs", "origin", "time is", "cadence", "iterations", "stop rule", "warm-up",
                                     "data check", "buffers at"}}})};
  for (const auto& [cells, who] : of) {
    t.rows.push_back({owners_text(who, runs.size(), "all runs")});
    t.rows.back().insert(t.rows.back().end(), cells.begin(), cells.end());
  }
  return t;
}

bool has_training(const std::vector<Run>& runs) {
  return std::ranges::any_of(runs, [](const Run& run) { return std::ranges::any_of(run.cases, is_training); });
}

std::vector<Block> method_and_units_blocks(const Material& material) {
  std::vector<Block> all{methods_table(material),
                         KeyValues{.rows = terms_on_page(terms_of_measuring()), .glossary = true}};
  if (has_training(material.runs()))
    all.emplace_back(KeyValues{.title = "Training", .rows = terms_on_page(terms_of_training()), .glossary = true});
  all.emplace_back(
      Paragraph{.text = "Nothing is averaged over sizes. Cases without bytes, time or bandwidth do not fit on a "
                        "logarithmic axis and are only in the tables."});
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section method_and_units{
    .name = "method", .title = "Method and units", .blocks = report::method_and_units_blocks, .folded = true};

}  // namespace busbar
