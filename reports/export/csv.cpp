// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/export/exporter.hpp"

/// One row a case, a line of column names on top, units in the names. Quoting as in RFC 4180, lines end in "\n"; a cell
/// is empty where something is unknown or does not apply.
namespace busbar {
namespace {

/// What a row is made from.
struct Row {
  const Run& run;
  const CaseRecord& c;
};

struct Column {
  std::string_view name;
  std::string (*cell)(const Row&);
};

/// A spreadsheet runs a text that begins like a formula: an apostrophe makes it text (OWASP, CSV injection).
std::string text(std::string s) {
  if (!s.empty() && std::string_view("=+-@\t\r").find(s[0]) != std::string_view::npos) s.insert(0, "'");
  if (s.find_first_of(",\"\r\n") == std::string::npos) return s;
  std::string quoted = "\"";
  for (const char c : s) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}
std::string text(const std::optional<std::string>& s) { return s ? text(*s) : ""; }

template <class Number>
std::string number(Number n) {
  return fmt::format("{}", n);
}
template <class Number>
std::string number(const std::optional<Number>& n) {
  return n ? number(*n) : "";
}

std::string yes_no(std::optional<bool> b) { return !b ? "" : *b ? "true" : "false"; }

std::string labels(const RunRecord& head) {
  std::string all;
  for (const auto& [key, value] : head.labels) all += (all.empty() ? "" : " ") + key + "=" + value;
  return text(all);
}

std::string statistic(const CaseRecord& c, double Summary::* member) {
  return c.statistics ? number((*c.statistics).*member) : "";
}

/// A cell of what only trainings have; empty for all others.
template <class Member>
std::string trained(const Row& r, Member member) {
  return r.c.training ? number((*r.c.training).*member) : "";
}
template <class Member>
std::string split(const Row& r, Member member) {
  return r.c.training && r.c.training->split ? number((*r.c.training->split).*member) : "";
}
template <class Member>
std::string scaling(const Row& r, Member member) {
  return r.c.training && r.c.training->scaling ? number((*r.c.training->scaling).*member) : "";
}
template <class Member>
std::string memory(const Row& r, Member member) {
  return r.c.training && r.c.training->memory ? number((*r.c.training->memory).*member) : "";
}
template <class Member>
std::string pipeline(const Row& r, Member member) {
  return r.c.training && r.c.training->pipeline ? number((*r.c.training->pipeline).*member) : "";
}
std::string end_of(const std::optional<Interval>& i, double Interval::* member) {
  return i ? number((*i).*member) : "";
}

std::string rate_end(const Row& r, double Interval::* member) {
  return r.c.training ? end_of(r.c.training->samples_per_s_interval, member) : "";
}
std::string efficiency_end(const Row& r, double Interval::* member) {
  return r.c.training && r.c.training->scaling ? end_of(r.c.training->scaling->efficiency_interval, member) : "";
}

constexpr Column columns[] = {
    {"run_id", [](const Row& r) { return text(r.run.head.id); }},
    {"origin", [](const Row& r) { return text(r.run.head.origin); }},
    {"tool", [](const Row& r) { return text(r.run.head.tool.name); }},
    {"labels", [](const Row& r) { return labels(r.run.head); }},
    {"kind", [](const Row& r) { return text(r.c.key.kind); }},
    {"collective", [](const Row& r) { return text(r.c.key.collective); }},
    {"backend", [](const Row& r) { return text(r.c.key.backend); }},
    {"memory", [](const Row& r) { return text(r.c.key.memory); }},
    {"type", [](const Row& r) { return text(r.c.key.type); }},
    {"op", [](const Row& r) { return text(r.c.key.op); }},
    {"root", [](const Row& r) { return number(r.c.key.root); }},
    {"size_bytes", [](const Row& r) { return number(r.c.key.bytes); }},
    {"count_elements", [](const Row& r) { return number(r.c.count); }},
    {"in_place", [](const Row& r) { return yes_no(r.c.key.in_place); }},
    {"ranks", [](const Row& r) { return number(r.c.key.ranks); }},
    {"nodes", [](const Row& r) { return number(r.c.key.nodes); }},
    {"ranks_per_node", [](const Row& r) { return number(r.c.key.ranks_per_node); }},
    {"cadence", [](const Row& r) { return text(r.c.key.cadence); }},
    {"algorithm", [](const Row& r) { return text(r.c.key.algorithm); }},
    {"group", [](const Row& r) { return text(r.c.key.group); }},
    {"rank_rule", [](const Row& r) { return text(r.run.head.method.rank_rule); }},
    {"statistic", [](const Row& r) { return text(r.run.head.method.statistic); }},
    {"status", [](const Row& r) { return std::string(name(r.c.status)); }},
    {"reason", [](const Row& r) { return text(r.c.reason); }},
    {"time_s", [](const Row& r) { return number(r.c.time_s); }},
    {"algbw_GBps", [](const Row& r) { return number(r.c.algbw_GBps); }},
    {"busbw_GBps", [](const Row& r) { return number(r.c.busbw_GBps); }},
    {"bus_factor", [](const Row& r) { return number(r.c.bus_factor); }},
    {"min_s", [](const Row& r) { return statistic(r.c, &Summary::min_s); }},
    {"mean_s", [](const Row& r) { return statistic(r.c, &Summary::mean_s); }},
    {"median_s", [](const Row& r) { return statistic(r.c, &Summary::median_s); }},
    {"p95_s", [](const Row& r) { return statistic(r.c, &Summary::p95_s); }},
    {"p99_s", [](const Row& r) { return statistic(r.c, &Summary::p99_s); }},
    {"max_s", [](const Row& r) { return statistic(r.c, &Summary::max_s); }},
    {"samples_taken", [](const Row& r) { return number(r.c.samples_taken); }},
    {"check", [](const Row& r) { return text(r.c.check.state); }},
    {"wrong_elements", [](const Row& r) { return number(r.c.check.wrong_elements); }},
    {"interval_low_s", [](const Row& r) { return r.c.interval_s ? number(r.c.interval_s->low) : ""; }},
    {"interval_high_s", [](const Row& r) { return r.c.interval_s ? number(r.c.interval_s->high) : ""; }},
    {"confidence", [](const Row& r) { return r.c.interval_s ? number(r.c.interval_s->confidence) : ""; }},
    {"rounds", [](const Row& r) { return r.c.rounds.empty() ? "" : number(r.c.rounds.size()); }},
    {"calls_per_sample", [](const Row& r) { return number(r.c.calls_per_sample); }},
    {"contended", [](const Row& r) { return r.c.contention ? yes_no(r.c.contention->contended()) : ""; }},
    {"parallel", [](const Row& r) { return r.c.key.training ? text(r.c.key.training->parallel) : ""; }},
    {"compute", [](const Row& r) { return r.c.key.training ? text(r.c.key.training->compute) : ""; }},
    {"computed_on", [](const Row& r) { return r.c.key.training ? text(r.c.key.training->computed_on) : ""; }},
    {"batch", [](const Row& r) { return r.c.key.training ? number(r.c.key.training->batch) : ""; }},
    {"micro_batches", [](const Row& r) { return r.c.key.training ? number(r.c.key.training->micro_batches) : ""; }},
    {"threads", [](const Row& r) { return r.c.key.training ? number(r.c.key.training->threads) : ""; }},
    {"scaling", [](const Row& r) { return r.c.key.training ? text(r.c.key.training->scaling) : ""; }},
    {"layout", [](const Row& r) { return r.c.key.training ? text(r.c.key.training->layout) : ""; }},
    {"overlap", [](const Row& r) { return r.c.key.training ? text(r.c.key.training->overlap) : ""; }},
    {"bucket_bytes", [](const Row& r) { return r.c.key.training ? number(r.c.key.training->bucket_bytes) : ""; }},
    {"jobs", [](const Row& r) { return r.c.key.training ? number(r.c.key.training->jobs) : ""; }},
    {"schedule", [](const Row& r) { return r.c.key.training ? text(r.c.key.training->schedule) : ""; }},
    {"sample", [](const Row& r) { return r.c.training ? text(r.c.training->sample) : ""; }},
    {"samples_per_s", [](const Row& r) { return trained(r, &Training::samples_per_s); }},
    {"samples_per_s_low", [](const Row& r) { return rate_end(r, &Interval::low); }},
    {"samples_per_s_high", [](const Row& r) { return rate_end(r, &Interval::high); }},
    {"baseline_ranks", [](const Row& r) { return scaling(r, &Scaling::baseline_ranks); }},
    {"baseline_samples_per_s", [](const Row& r) { return scaling(r, &Scaling::baseline_samples_per_s); }},
    {"speed_up", [](const Row& r) { return scaling(r, &Scaling::speed_up); }},
    {"efficiency", [](const Row& r) { return scaling(r, &Scaling::efficiency); }},
    {"efficiency_low", [](const Row& r) { return efficiency_end(r, &Interval::low); }},
    {"efficiency_high", [](const Row& r) { return efficiency_end(r, &Interval::high); }},
    {"step_s", [](const Row& r) { return split(r, &StepSplit::step_s); }},
    {"forward_s", [](const Row& r) { return split(r, &StepSplit::forward_s); }},
    {"backward_s", [](const Row& r) { return split(r, &StepSplit::backward_s); }},
    {"exposed_s", [](const Row& r) { return split(r, &StepSplit::exposed_s); }},
    {"optimiser_s", [](const Row& r) { return split(r, &StepSplit::optimiser_s); }},
    {"other_s", [](const Row& r) { return split(r, &StepSplit::other_s); }},
    {"hidden_s", [](const Row& r) { return split(r, &StepSplit::hidden_s); }},
    {"wire_bytes", [](const Row& r) { return trained(r, &Training::wire_bytes); }},
    {"loss_first", [](const Row& r) { return trained(r, &Training::loss_first); }},
    {"loss_last", [](const Row& r) { return trained(r, &Training::loss_last); }},
    {"peak_bytes", [](const Row& r) { return memory(r, &Memory::peak_bytes); }},
    {"needed_bytes", [](const Row& r) { return memory(r, &Memory::needed_bytes); }},
    {"bubble", [](const Row& r) { return pipeline(r, &Pipeline::bubble); }},
    {"ideal_bubble", [](const Row& r) { return pipeline(r, &Pipeline::ideal_bubble); }},
};

std::string write_csv(const Run& run, const ExportOptions&) {
  std::string all;
  const auto line = [&all](const auto& cell) {
    std::string_view between;
    for (const Column& column : columns) {
      all += between;
      all += cell(column);
      between = ",";
    }
    all += "\n";
  };
  line([](const Column& column) { return column.name; });
  for (const CaseRecord& c : run.cases) line([&](const Column& column) { return column.cell({run, c}); });
  return all;
}

}  // namespace

extern const Exporter csv{
    .name = "csv",
    .about = "one row a case, for spreadsheets and data frames",
    .write = write_csv,
};

}  // namespace busbar
