// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string_view>

#include "core/base/error.hpp"
#include "core/environment/environment.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/tables/case_table.hpp"
#include "reports/import/beside/beside.hpp"
#include "reports/import/importer.hpp"
#include "tests/fuzz/checked_lines.hpp"
#include "tests/fuzz/require.hpp"

/// Any bytes as a log: they are refused with one line, or become records that can be written, read back and shown. Any
/// bytes as a file beside a log: they give facts that a record may contain, or none.
namespace busbar::fuzz {
namespace {

void check(std::optional<double> value, const char* what) {
  require(!value || (std::isfinite(*value) && *value >= 0), std::string(what) + " is no amount");
}

void check(const CaseRecord& c) {
  require(c.key.ranks >= 1, "a case without ranks");
  require(c.status == Status::ok || c.reason.has_value(), "a case that is not ok, without a reason");
  check(c.time_s, "time_s");
  check(c.algbw_GBps, "algbw_GBps");
  check(c.busbw_GBps, "busbw_GBps");
  if (c.training) check(c.training->samples_per_s, "samples_per_s");
  (void)checked_line(c);
}

void check(const ImportedRun& run) {
  require(run.name.find('/') == std::string::npos, "a name that is a path");
  require(run.head.ranks >= 1 || run.cases.empty(), "cases of unknown ranks");
  require(!run.cases.empty() || run.end.reason, "a record without cases that says no failure");
  const int all = run.end.cases.ok + run.end.cases.skipped + run.end.cases.failed;
  require(all == static_cast<int>(run.cases.size()), "cases are not counted");
  (void)checked_line(run.head);
  for (const CaseRecord& c : run.cases) check(c);
  (void)checked_line(run.end);
  (void)table({.path = "log", .head = run.head, .cases = run.cases, .end = run.end});
}

void import_bytes(std::string_view text, std::optional<int> ranks) {
  try {
    for (const ImportedRun& run : import_log({.text = text, .source = "all_reduce.log", .ranks = ranks})) check(run);
  } catch (const UsageError& e) {
    require(std::string_view(e.what()).find('\n') == std::string_view::npos, "a refusal of several lines");
    require_message(e.what());
  }
}

/// As a file beside a log, of each kind, and its facts in the record of a log.
void beside_a_log(std::string_view text) {
  constexpr std::string_view log =
      "# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n4   1.80\n";
  Beside beside;
  for (const Companion* kind : table<Companion>()) {
    auto facts = kind->read(text);
    if (!facts) continue;
    require(facts->nodes.value_or(1) > 0 && facts->ranks.value_or(1) > 0 && facts->gpus.value_or(1) > 0, "no amount");
    for (const auto& [name, value] : facts->environment) require(environment_allowed(name), "a variable: " + name);
    for (const std::string& host : facts->hosts)
      require(!host.empty() && host.find_first_of("/ \t\n$;'\"") == std::string::npos, "no host: " + host);
    beside.facts.push_back({.kind = kind, .from = "file", .facts = *std::move(facts)});
  }
  for (const ImportedRun& run : import_with({.text = log, .source = "osu.txt", .ranks = 4}, beside)) check(run);
}

}  // namespace

void check_input(std::string_view text) {
  beside_a_log(text);
  import_bytes(text, {});
  import_bytes(text, 4);
}

}  // namespace busbar::fuzz
