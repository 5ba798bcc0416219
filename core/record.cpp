// SPDX-License-Identifier: Apache-2.0
#include "core/record.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/record/run.hpp"
#include "core/units.hpp"

namespace busbar {

NLOHMANN_JSON_SERIALIZE_ENUM(Status, {{Status::ok, "ok"},
                                      {Status::partial, "partial"},
                                      {Status::skipped, "skipped"},
                                      {Status::failed, "failed"}})

std::string_view name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::partial:
      return "partial";
    case Status::skipped:
      return "skipped";
    case Status::failed:
      break;
  }
  return "failed";
}

std::string display_name(const Run& run) {
  std::string all;
  for (const auto& [key, value] : run.head.labels) all += (all.empty() ? "" : " ") + key + "=" + value;
  return all.empty() ? std::filesystem::path(run.path).stem().string() : all;
}

std::string scale_text(const RunRecord& r) {
  return (r.ranks > 0 ? plural(r.ranks, "rank") : "unknown ranks") + (r.nodes ? " on " + plural(*r.nodes, "node") : "");
}

void set_bandwidth(CaseRecord& r, double time_s, double bus_factor) {
  r.time_s = time_s;
  if (r.key.bytes == 0 || !(time_s > 0)) return;
  r.bus_factor = bus_factor;
  r.algbw_GBps = static_cast<double>(r.key.bytes) / time_s * 1e-9;
  r.busbw_GBps = *r.algbw_GBps * bus_factor;
}

static void check_figure(std::string_view what, std::optional<double> value, double least, double most) {
  if (!value || *value == 0 || (*value >= least && *value <= most)) return;
  throw Error(fmt::format("{} is {:g}, not plausible: accepted are 0 and {:g} to {:g}", what, *value, least, most));
}

void check_figures(const CaseRecord& c) {
  constexpr double least_s = 1e-12;
  constexpr double most_s = 1e9;
  constexpr double most_GBps = 1e9;
  check_figure("time_s", c.time_s, least_s, most_s);
  check_figure("algbw_GBps", c.algbw_GBps, 1e-15, most_GBps);
  check_figure("busbw_GBps", c.busbw_GBps, 1e-15, most_GBps);
  if (c.interval_s) {
    check_figure("interval_s.low", c.interval_s->low, least_s, most_s);
    check_figure("interval_s.high", c.interval_s->high, least_s, most_s);
  }
  if (c.training) check_figure("samples_per_s", c.training->samples_per_s, 1e-9, 1e15);
}

// Tool

static void to_json(nlohmann::json& j, const Tool& t) {
  j = {{"name", t.name},
       {"version", t.version},
       {"revision", t.revision},
       {"compiler", t.compiler},
       {"build_type", t.build_type}};
}
static void from_json(const nlohmann::json& j, Tool& t) {
  j.at("name").get_to(t.name);
  read(j, "version", t.version);
  read(j, "revision", t.revision);
  read(j, "compiler", t.compiler);
  read(j, "build_type", t.build_type);
}

// RankPlace

static void to_json(nlohmann::json& j, const RankPlace& p) {
  j = {{"rank", p.rank},   {"host", p.host},     {"local_rank", p.local_rank}, {"cpus", p.cpus},
       {"bound", p.bound}, {"device", p.device}, {"device_bus", p.device_bus}, {"device_uuid", p.device_uuid}};
}
static void from_json(const nlohmann::json& j, RankPlace& p) {
  j.at("rank").get_to(p.rank);
  j.at("host").get_to(p.host);
  read(j, "local_rank", p.local_rank);
  read(j, "cpus", p.cpus);
  read(j, "bound", p.bound);
  read(j, "device", p.device);
  read(j, "device_bus", p.device_bus);
  read(j, "device_uuid", p.device_uuid);
}

// Mpi

static void to_json(nlohmann::json& j, const Mpi& m) {
  j = {{"library", m.library},
       {"standard", m.standard},
       {"thread_level", m.thread_level},
       {"yields", m.yields},
       {"yield_asked_by", m.yield_asked_by}};
}
static void from_json(const nlohmann::json& j, Mpi& m) {
  j.at("library").get_to(m.library);
  read(j, "standard", m.standard);
  read(j, "thread_level", m.thread_level);
  read(j, "yields", m.yields);
  read(j, "yield_asked_by", m.yield_asked_by);
}

// Method

static void to_json(nlohmann::json& j, const StopAt& s) {
  j = {{"confidence", s.confidence},       {"relative_half_width", s.relative_half_width},
       {"least_rounds", s.least_rounds},   {"least_span_s", s.least_span_s},
       {"case_budget_s", s.case_budget_s}, {"run_budget_s", s.run_budget_s},
       {"most_samples", s.most_samples}};
}
static void from_json(const nlohmann::json& j, StopAt& s) {
  read(j, "confidence", s.confidence);
  read(j, "relative_half_width", s.relative_half_width);
  read(j, "least_rounds", s.least_rounds);
  read(j, "least_span_s", s.least_span_s);
  read(j, "case_budget_s", s.case_budget_s);
  read(j, "run_budget_s", s.run_budget_s);
  read(j, "most_samples", s.most_samples);
}
static void to_json(nlohmann::json& j, const BufferPlace& b) {
  j = {{"alignment_bytes", b.alignment_bytes},
       {"send_offset_bytes", b.send_offset_bytes},
       {"recv_offset_bytes", b.recv_offset_bytes}};
}
static void from_json(const nlohmann::json& j, BufferPlace& b) {
  read(j, "alignment_bytes", b.alignment_bytes);
  read(j, "send_offset_bytes", b.send_offset_bytes);
  read(j, "recv_offset_bytes", b.recv_offset_bytes);
}
static void to_json(nlohmann::json& j, const Method& m) {
  j = {{"cadence", m.cadence},
       {"rank_rule", m.rank_rule},
       {"size_rule", m.size_rule},
       {"statistic", m.statistic},
       {"warmup_iterations", m.warmup_iterations},
       {"iterations", m.iterations},
       {"aggregated_iterations", m.aggregated_iterations},
       {"check", m.check},
       {"stop", m.stop},
       {"buffers", m.buffers},
       {"clock", m.clock},
       {"graph_calls", m.graph_calls},
       {"registered_buffers", m.registered_buffers},
       {"nonblocking_calls", m.nonblocking_calls},
       {"split_communicators", m.split_communicators},
       {"shared_gpu", m.shared_gpu},
       {"settled", m.settled},
       {"launch_spread", m.launch_spread}};
}
static void from_json(const nlohmann::json& j, Method& m) {
  read(j, "cadence", m.cadence);
  read(j, "rank_rule", m.rank_rule);
  read(j, "size_rule", m.size_rule);
  read(j, "statistic", m.statistic);
  read(j, "warmup_iterations", m.warmup_iterations);
  read(j, "iterations", m.iterations);
  read(j, "aggregated_iterations", m.aggregated_iterations);
  read(j, "check", m.check);
  read(j, "stop", m.stop);
  read(j, "buffers", m.buffers);
  read(j, "clock", m.clock);
  read(j, "graph_calls", m.graph_calls);
  read(j, "registered_buffers", m.registered_buffers);
  read(j, "nonblocking_calls", m.nonblocking_calls);
  read(j, "split_communicators", m.split_communicators);
  read(j, "shared_gpu", m.shared_gpu);
  read(j, "settled", m.settled);
  read(j, "launch_spread", m.launch_spread);
}

// RunRecord

void to_json(nlohmann::json& j, const RunRecord& r) {
  j = {{"record", "run"},
       {"schema", r.schema},
       {"id", r.id},
       {"resumes", r.resumes},
       {"origin", r.origin},
       {"tool", r.tool},
       {"argv", r.argv},
       {"start_utc", r.start_utc},
       {"labels", r.labels},
       {"ranks", r.ranks},
       {"nodes", r.nodes},
       {"method", r.method},
       {"mpi", r.mpi},
       {"libraries", r.libraries},
       {"hosts", r.hosts},
       {"placement", r.placement},
       {"environment", r.environment},
       {"timer", r.timer},
       {"clock", r.clock},
       {"noise", r.noise},
       {"source", r.source},
       {"simulated", r.origin == "simulated"},
       {"simulation", r.simulation},
       {"anonymised", r.anonymised},
       {"notes", r.notes}};
}
void from_json(const nlohmann::json& j, RunRecord& r) {
  j.at("schema").get_to(r.schema);
  j.at("id").get_to(r.id);
  read(j, "resumes", r.resumes);
  read(j, "origin", r.origin);
  j.at("tool").get_to(r.tool);
  read(j, "argv", r.argv);
  read(j, "start_utc", r.start_utc);
  read(j, "labels", r.labels);
  j.at("ranks").get_to(r.ranks);
  read(j, "nodes", r.nodes);
  j.at("method").get_to(r.method);
  read(j, "mpi", r.mpi);
  read(j, "libraries", r.libraries);
  read(j, "hosts", r.hosts);
  read(j, "placement", r.placement);
  read(j, "environment", r.environment);
  read(j, "timer", r.timer);
  read(j, "clock", r.clock);
  read(j, "noise", r.noise);
  read(j, "source", r.source);
  read(j, "simulation", r.simulation);
  if (r.simulation) r.origin = "simulated";  // whatever else it says: nothing simulated is ever taken for measured
  read(j, "anonymised", r.anonymised);
  read(j, "notes", r.notes);
}

// Summary, RankSummary

static void to_json(nlohmann::json& j, const Summary& s) {
  j = {{"over", "iterations, slowest rank of each"},
       {"min_s", s.min_s},
       {"mean_s", s.mean_s},
       {"median_s", s.median_s},
       {"p95_s", s.p95_s},
       {"p99_s", s.p99_s},
       {"max_s", s.max_s}};
}
static void from_json(const nlohmann::json& j, Summary& s) {
  j.at("min_s").get_to(s.min_s);
  j.at("mean_s").get_to(s.mean_s);
  j.at("median_s").get_to(s.median_s);
  j.at("p95_s").get_to(s.p95_s);
  j.at("p99_s").get_to(s.p99_s);
  j.at("max_s").get_to(s.max_s);
}
static void to_json(nlohmann::json& j, const RankSummary& s) {
  j = {{"rank", s.rank}, {"min_s", s.min_s}, {"median_s", s.median_s}, {"max_s", s.max_s}};
}
static void from_json(const nlohmann::json& j, RankSummary& s) {
  j.at("rank").get_to(s.rank);
  j.at("min_s").get_to(s.min_s);
  j.at("median_s").get_to(s.median_s);
  j.at("max_s").get_to(s.max_s);
}

// LibraryChoice

static void to_json(nlohmann::json& j, const LibraryChoice& c) {
  j = {{"algorithm", c.algorithm}, {"protocol", c.protocol}, {"channels", c.channels}};
}
static void from_json(const nlohmann::json& j, LibraryChoice& c) {
  j.at("algorithm").get_to(c.algorithm);
  j.at("protocol").get_to(c.protocol);
  read(j, "channels", c.channels);
}

// Modes

static void to_json(nlohmann::json& j, const Mode& m) { j = {{"median_s", m.median_s}, {"rounds", m.rounds}}; }
static void from_json(const nlohmann::json& j, Mode& m) {
  j.at("median_s").get_to(m.median_s);
  j.at("rounds").get_to(m.rounds);
}
static void to_json(nlohmann::json& j, const Modes& m) { j = {{"low", m.low}, {"high", m.high}}; }
static void from_json(const nlohmann::json& j, Modes& m) {
  j.at("low").get_to(m.low);
  j.at("high").get_to(m.high);
}

// Arrival, Overhead

static void to_json(nlohmann::json& j, const LateRank& l) {
  j = {{"rank", l.rank},        {"host", l.host}, {"cpus", l.cpus}, {"device", l.device}, {"last_share", l.last_share},
       {"behind_s", l.behind_s}};
}
static void from_json(const nlohmann::json& j, LateRank& l) {
  j.at("rank").get_to(l.rank);
  j.at("host").get_to(l.host);
  read(j, "cpus", l.cpus);
  read(j, "device", l.device);
  read(j, "last_share", l.last_share);
  read(j, "behind_s", l.behind_s);
}
static void to_json(nlohmann::json& j, const Arrival& a) {
  j = {{"skew_s", a.skew_s}, {"transfer_s", a.transfer_s}, {"late", a.late}};
}
static void from_json(const nlohmann::json& j, Arrival& a) {
  j.at("skew_s").get_to(a.skew_s);
  j.at("transfer_s").get_to(a.transfer_s);
  read(j, "late", a.late);
}
static void to_json(nlohmann::json& j, const GatedTimes& g) {
  j = {{"launch_s", g.launch_s}, {"device_s", g.device_s}, {"notice_s", g.notice_s}};
}
static void from_json(const nlohmann::json& j, GatedTimes& g) {
  j.at("launch_s").get_to(g.launch_s);
  j.at("device_s").get_to(g.device_s);
  j.at("notice_s").get_to(g.notice_s);
}
static void to_json(nlohmann::json& j, const Overhead& o) {
  j = {{"inside_s", o.inside_s}, {"start_s", o.start_s}, {"data_s", o.data_s}, {"other_s", o.other_s}};
}
static void from_json(const nlohmann::json& j, Overhead& o) {
  j.at("inside_s").get_to(o.inside_s);
  j.at("start_s").get_to(o.start_s);
  j.at("data_s").get_to(o.data_s);
  j.at("other_s").get_to(o.other_s);
}

// Check

static void to_json(nlohmann::json& j, const WrongElement& w) {
  j = {{"rank", w.rank},   {"index", w.index}, {"expected", w.expected},
       {"found", w.found}, {"call", w.call},   {"phase", w.phase}};
}
static void from_json(const nlohmann::json& j, WrongElement& w) {
  j.at("rank").get_to(w.rank);
  j.at("index").get_to(w.index);
  j.at("expected").get_to(w.expected);
  j.at("found").get_to(w.found);
  read(j, "call", w.call);
  read(j, "phase", w.phase);
}
static void to_json(nlohmann::json& j, const Check& c) {
  j = {{"state", c.state},
       {"calls_made", c.calls_made},
       {"calls_checked", c.calls_checked},
       {"calls_whole", c.calls_whole},
       {"element_share", c.element_share},
       {"wrong_elements", c.wrong_elements},
       {"wrong_ranks", c.wrong_ranks},
       {"first", c.first}};
}
static void from_json(const nlohmann::json& j, Check& c) {
  j.at("state").get_to(c.state);
  read(j, "calls_made", c.calls_made);
  read(j, "calls_checked", c.calls_checked);
  read(j, "calls_whole", c.calls_whole);
  read(j, "element_share", c.element_share);
  read(j, "wrong_elements", c.wrong_elements);
  read(j, "wrong_ranks", c.wrong_ranks);
  read(j, "first", c.first);
}

// CaseRecord

void to_json(nlohmann::json& j, const CaseRecord& c) {
  j = {{"record", "case"},
       {"index", c.index},
       {"id", to_string(c.key)},
       {"key", c.key},
       {"status", c.status},
       {"reason", c.reason},
       {"count", c.count},
       {"reduction", c.reduction},
       {"time_s", c.time_s},
       {"algbw_GBps", c.algbw_GBps},
       {"busbw_GBps", c.busbw_GBps},
       {"bus_factor", c.bus_factor},
       {"time_by_clock_s", c.time_by_clock_s},
       {"statistics", c.statistics},
       {"samples_taken", c.samples_taken},
       {"samples_s", c.samples_s},
       {"ranks", c.ranks},
       {"check", c.check},
       {"warmup_iterations", c.warmup_iterations},
       {"ended_by", c.ended_by},
       {"started_s", c.started_s},
       {"wall_s", c.wall_s},
       {"interval_s", c.interval_s},
       {"interval_of_launches_s", c.interval_of_launches_s},
       {"paced", c.paced},
       {"rounds", c.rounds},
       {"modes", c.modes},
       {"calls_per_sample", c.calls_per_sample},
       {"invalid_samples", c.invalid_samples},
       {"arrival", c.arrival},
       {"usage", c.usage},
       {"contention", c.contention},
       {"telemetry", c.telemetry},
       {"throttled", c.throttled},
       {"gated", c.gated},
       {"overhead", c.overhead},
       {"library_choice", c.choice},
       {"training", c.training},
       {"remarks", c.remarks}};
}
void from_json(const nlohmann::json& j, CaseRecord& c) {
  read(j, "index", c.index);
  j.at("key").get_to(c.key);
  const auto& status = j.at("status").get_ref<const std::string&>();
  if (status != "ok" && status != "partial" && status != "skipped" && status != "failed")
    throw Error("unknown status '" + status + "'; known: ok, partial, skipped, failed");
  j.at("status").get_to(c.status);
  read(j, "reason", c.reason);
  read(j, "count", c.count);
  read(j, "reduction", c.reduction);
  read(j, "time_s", c.time_s);
  read(j, "algbw_GBps", c.algbw_GBps);
  read(j, "busbw_GBps", c.busbw_GBps);
  read(j, "bus_factor", c.bus_factor);
  read(j, "time_by_clock_s", c.time_by_clock_s);
  read(j, "statistics", c.statistics);
  read(j, "samples_taken", c.samples_taken);
  read(j, "samples_s", c.samples_s);
  read(j, "ranks", c.ranks);
  read(j, "check", c.check);
  read(j, "warmup_iterations", c.warmup_iterations);
  read(j, "ended_by", c.ended_by);
  read(j, "started_s", c.started_s);
  read(j, "wall_s", c.wall_s);
  read(j, "interval_s", c.interval_s);
  read(j, "interval_of_launches_s", c.interval_of_launches_s);
  read(j, "paced", c.paced);
  read(j, "rounds", c.rounds);
  read(j, "modes", c.modes);
  read(j, "calls_per_sample", c.calls_per_sample);
  read(j, "invalid_samples", c.invalid_samples);
  read(j, "arrival", c.arrival);
  read(j, "usage", c.usage);
  read(j, "contention", c.contention);
  read(j, "telemetry", c.telemetry);
  read(j, "throttled", c.throttled);
  read(j, "gated", c.gated);
  read(j, "overhead", c.overhead);
  read(j, "library_choice", c.choice);
  read(j, "training", c.training);
  read(j, "remarks", c.remarks);
  check_figures(c);
}

// EndRecord

void to_json(nlohmann::json& j, const OverEarlier& o) { j = {{"ratio", o.ratio}, {"launches", o.launches}}; }
void from_json(const nlohmann::json& j, OverEarlier& o) {
  j.at("ratio").get_to(o.ratio);
  j.at("launches").get_to(o.launches);
}

void to_json(nlohmann::json& j, const EndRecord& e) {
  j = {{"record", "end"},
       {"status", e.status},
       {"reason", e.reason},
       {"exit_code", e.exit_code},
       {"cases", {{"ok", e.ok}, {"partial", e.partial}, {"skipped", e.skipped}, {"failed", e.failed}}},
       {"end_utc", e.end_utc},
       {"wall_s", e.wall_s},
       {"half_width", e.half_width},
       {"verdict", e.verdict},
       {"clock", e.clock},
       {"settling", e.settling},
       {"over_earlier", e.over_earlier},
       {"cold_over_hot", e.cold_over_hot},
       {"unguarded", e.unguarded}};
}
void from_json(const nlohmann::json& j, EndRecord& e) {
  j.at("status").get_to(e.status);
  read(j, "reason", e.reason);
  read(j, "exit_code", e.exit_code);
  if (const auto cases = j.find("cases"); cases != j.end()) {
    read(*cases, "ok", e.ok);
    read(*cases, "partial", e.partial);
    read(*cases, "skipped", e.skipped);
    read(*cases, "failed", e.failed);
  }
  read(j, "end_utc", e.end_utc);
  read(j, "wall_s", e.wall_s);
  read(j, "half_width", e.half_width);
  read(j, "verdict", e.verdict);
  read(j, "clock", e.clock);
  read(j, "settling", e.settling);
  read(j, "over_earlier", e.over_earlier);
  read(j, "cold_over_hot", e.cold_over_hot);
  read(j, "unguarded", e.unguarded);
}

// LaunchRecord

void to_json(nlohmann::json& j, const LaunchRecord& l) {
  j = {{"record", "launch"}, {"schema", l.schema}, {"command", l.command},     {"number", l.number},
       {"argv", l.argv},     {"ended", l.ended},   {"exit_code", l.exit_code}, {"wall_s", l.wall_s}};
}
void from_json(const nlohmann::json& j, LaunchRecord& l) {
  j.at("schema").get_to(l.schema);
  j.at("command").get_to(l.command);
  j.at("number").get_to(l.number);
  j.at("argv").get_to(l.argv);
  j.at("ended").get_to(l.ended);
  j.at("exit_code").get_to(l.exit_code);
  j.at("wall_s").get_to(l.wall_s);
}

}  // namespace busbar
