// SPDX-License-Identifier: Apache-2.0
#include "core/record.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "core/json.hpp"

namespace busbar {

NLOHMANN_JSON_SERIALIZE_ENUM(Status, {{Status::ok, "ok"}, {Status::skipped, "skipped"}, {Status::failed, "failed"}})

std::string_view name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
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

void set_bandwidth(CaseRecord& r, double time_s, double bus_factor) {
  r.time_s = time_s;
  if (r.key.bytes == 0 || !(time_s > 0)) return;
  r.bus_factor = bus_factor;
  r.algbw_GBps = static_cast<double>(r.key.bytes) / time_s * 1e-9;
  r.busbw_GBps = *r.algbw_GBps * bus_factor;
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
       {"bound", p.bound}, {"device", p.device}, {"device_bus", p.device_bus}};
}
static void from_json(const nlohmann::json& j, RankPlace& p) {
  j.at("rank").get_to(p.rank);
  j.at("host").get_to(p.host);
  read(j, "local_rank", p.local_rank);
  read(j, "cpus", p.cpus);
  read(j, "bound", p.bound);
  read(j, "device", p.device);
  read(j, "device_bus", p.device_bus);
}

// Mpi

static void to_json(nlohmann::json& j, const Mpi& m) {
  j = {{"library", m.library}, {"standard", m.standard}, {"thread_level", m.thread_level}};
}
static void from_json(const nlohmann::json& j, Mpi& m) {
  j.at("library").get_to(m.library);
  read(j, "standard", m.standard);
  read(j, "thread_level", m.thread_level);
}

// Method

static void to_json(nlohmann::json& j, const Method& m) {
  j = {{"cadence", m.cadence},
       {"rank_rule", m.rank_rule},
       {"statistic", m.statistic},
       {"warmup_iterations", m.warmup_iterations},
       {"iterations", m.iterations},
       {"aggregated_iterations", m.aggregated_iterations},
       {"check", m.check}};
}
static void from_json(const nlohmann::json& j, Method& m) {
  read(j, "cadence", m.cadence);
  read(j, "rank_rule", m.rank_rule);
  read(j, "statistic", m.statistic);
  read(j, "warmup_iterations", m.warmup_iterations);
  read(j, "iterations", m.iterations);
  read(j, "aggregated_iterations", m.aggregated_iterations);
  read(j, "check", m.check);
}

// RunRecord

void to_json(nlohmann::json& j, const RunRecord& r) {
  j = {{"record", "run"},          {"schema", r.schema},       {"id", r.id},
       {"origin", r.origin},       {"tool", r.tool},           {"argv", r.argv},
       {"start_utc", r.start_utc}, {"labels", r.labels},       {"ranks", r.ranks},
       {"nodes", r.nodes},         {"method", r.method},       {"mpi", r.mpi},
       {"hosts", r.hosts},         {"placement", r.placement}, {"environment", r.environment},
       {"source", r.source},       {"notes", r.notes}};
}
void from_json(const nlohmann::json& j, RunRecord& r) {
  j.at("schema").get_to(r.schema);
  j.at("id").get_to(r.id);
  read(j, "origin", r.origin);
  j.at("tool").get_to(r.tool);
  read(j, "argv", r.argv);
  read(j, "start_utc", r.start_utc);
  read(j, "labels", r.labels);
  j.at("ranks").get_to(r.ranks);
  read(j, "nodes", r.nodes);
  j.at("method").get_to(r.method);
  read(j, "mpi", r.mpi);
  read(j, "hosts", r.hosts);
  read(j, "placement", r.placement);
  read(j, "environment", r.environment);
  read(j, "source", r.source);
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
       {"calls_checked", c.calls_checked},
       {"wrong_elements", c.wrong_elements},
       {"wrong_ranks", c.wrong_ranks},
       {"first", c.first}};
}
static void from_json(const nlohmann::json& j, Check& c) {
  j.at("state").get_to(c.state);
  read(j, "calls_checked", c.calls_checked);
  read(j, "wrong_elements", c.wrong_elements);
  read(j, "wrong_ranks", c.wrong_ranks);
  read(j, "first", c.first);
}

// CaseRecord

void to_json(nlohmann::json& j, const CaseRecord& c) {
  j = {{"record", "case"},           {"index", c.index},
       {"id", to_string(c.key)},     {"key", c.key},
       {"status", c.status},         {"reason", c.reason},
       {"count", c.count},           {"reduction", c.reduction},
       {"time_s", c.time_s},         {"algbw_GBps", c.algbw_GBps},
       {"busbw_GBps", c.busbw_GBps}, {"bus_factor", c.bus_factor},
       {"statistics", c.statistics}, {"samples_taken", c.samples_taken},
       {"samples_s", c.samples_s},   {"ranks", c.ranks},
       {"check", c.check},           {"warmup_iterations", c.warmup_iterations},
       {"ended_by", c.ended_by},     {"started_s", c.started_s},
       {"wall_s", c.wall_s}};
}
void from_json(const nlohmann::json& j, CaseRecord& c) {
  read(j, "index", c.index);
  j.at("key").get_to(c.key);
  const auto& status = j.at("status").get_ref<const std::string&>();
  if (status != "ok" && status != "skipped" && status != "failed")
    throw Error("status '" + status + "' is none of ok, skipped, failed");
  j.at("status").get_to(c.status);
  read(j, "reason", c.reason);
  read(j, "count", c.count);
  read(j, "reduction", c.reduction);
  read(j, "time_s", c.time_s);
  read(j, "algbw_GBps", c.algbw_GBps);
  read(j, "busbw_GBps", c.busbw_GBps);
  read(j, "bus_factor", c.bus_factor);
  read(j, "statistics", c.statistics);
  read(j, "samples_taken", c.samples_taken);
  read(j, "samples_s", c.samples_s);
  read(j, "ranks", c.ranks);
  read(j, "check", c.check);
  read(j, "warmup_iterations", c.warmup_iterations);
  read(j, "ended_by", c.ended_by);
  read(j, "started_s", c.started_s);
  read(j, "wall_s", c.wall_s);
}

// EndRecord

void to_json(nlohmann::json& j, const EndRecord& e) {
  j = {{"record", "end"},
       {"status", e.status},
       {"reason", e.reason},
       {"exit_code", e.exit_code},
       {"cases", {{"ok", e.ok}, {"skipped", e.skipped}, {"failed", e.failed}}},
       {"end_utc", e.end_utc},
       {"wall_s", e.wall_s}};
}
void from_json(const nlohmann::json& j, EndRecord& e) {
  j.at("status").get_to(e.status);
  read(j, "reason", e.reason);
  read(j, "exit_code", e.exit_code);
  if (const auto cases = j.find("cases"); cases != j.end()) {
    read(*cases, "ok", e.ok);
    read(*cases, "skipped", e.skipped);
    read(*cases, "failed", e.failed);
  }
  read(j, "end_utc", e.end_utc);
  read(j, "wall_s", e.wall_s);
}

}  // namespace busbar
