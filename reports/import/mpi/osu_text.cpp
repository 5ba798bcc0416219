// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/import/bandwidths.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/launch_lines.hpp"
#include "reports/import/mpi/osu_benchmarks.hpp"
#include "reports/import/mpi/osu_log.hpp"
#include "reports/import/told_places.hpp"

/// Output of the OSU micro-benchmarks (c/ of release 7.4, and back to release 3). It does not state ranks, hosts or
/// libraries.
namespace busbar {
namespace {

constexpr std::size_t osu_most_programs = 1000;

/// State of converting one program of the log to a record.
struct OsuWork {
  const ImportRequest& request;
  const OsuProgram& program;
  const OsuBenchmark& benchmark;
  bool alone = true;  ///< the only program in the log
  CaseKey key = {};   ///< key parts common to all cases
  std::vector<std::string> warnings = {};
  CaseList list = {};
  PrintedBandwidths bandwidths = {};
  std::set<std::string_view> iterations = {};  ///< as printed with -f
  std::vector<int> torn_lines = {};
  std::vector<std::string> notes = {};
};

// The key

/// Latency and bandwidth of one pair run on two ranks and on no others, whatever the rest of the log ran on.
int ranks_of_pair(const ImportRequest& request, int ranks, std::vector<std::string>& warnings) {
  if (request.ranks.value_or(ranks) != ranks)
    add_note(warnings, "--ranks {} was not taken for a program that only runs on {} ranks", *request.ranks, ranks);
  return ranks;
}

int osu_ranks(OsuWork& w, const LaunchLines& launch, const LaunchScope& scope) {
  if (w.benchmark.ranks) return ranks_of_pair(w.request, *w.benchmark.ranks, w.warnings);
  std::vector<SizeClaim> claims = rank_claims(launch, scope);
  if (const auto pairs = w.program.pairs.value_or(0); pairs > 0 && pairs < (1 << 24))
    claims.push_back({.number = 2 * pairs, .source = fmt::format("the line with {}", plural(pairs, "pair"))});
  std::erase_if(claims, [&](const SizeClaim& claim) {
    if (claim.number == 1)
      add_note(w.warnings, "{} says 1 rank, but OSU's programs refuse to run on one", claim.source);
    return claim.number == 1;
  });
  if (const auto ranks = settle_ranks(w.request, claims, w.warnings)) return *ranks;
  refuse(w.request, "OSU's programs do not print how many ranks took part; add --ranks N");
}

/// Sets ranks and nodes.
void set_osu_places(OsuWork& w, const LaunchLines& launch, const LaunchScope& scope) {
  const int ranks = osu_ranks(w, launch, scope);
  w.key.ranks = ranks;
  ImportRequest settled = w.request;
  const auto claims = node_claims(launch, scope, ranks);
  const bool of_all = ranks == w.request.ranks.value_or(ranks);
  if (of_all || !w.request.nodes) settled.nodes = settle_nodes(w.request, claims, ranks, w.warnings);
  if (!w.request.nodes) settled.ranks = ranks;
  tell_nodes(w.key, settled);
}

/// Buffer location. Any pair program built for an accelerator prints its name in the title.
std::optional<std::string> osu_memory(const OsuProgram& p, const OsuBenchmark& b, std::vector<std::string>& notes) {
  if (p.library != "MPI") return "device";
  if (p.accelerator.empty()) return "host";
  const bool from_device = holds(p.buffers, "Send Buffer on DEVICE");
  const bool to_device = holds(p.buffers, "Receive Buffer on DEVICE");
  const bool managed = p.accelerator.ends_with("MANAGED");
  if (!managed && b.kind == CaseKind::collective) return "device";
  if (!managed && !p.buffers.empty() && from_device == to_device) return from_device ? "device" : "host";
  notes.push_back(managed             ? "buffers were in managed memory, which is neither the host's nor the device's"
                  : p.buffers.empty() ? "whether buffers were on the device is not known: the log does not say it"
                                      : "the log says: " + quotable(p.buffers));
  return std::nullopt;
}

CaseKey osu_key(const OsuProgram& p, const OsuBenchmark& b, std::vector<std::string>& notes) {
  CaseKey key{.kind = b.kind,
              .collective = b.operation.name,
              .backend = p.library == "NCCL" || p.library == "RCCL" ? lower_case(p.library) : "mpi",
              .cadence = b.cadence,
              .group = "world",
              .counts = b.operation.counts(),
              .form = b.operation.form};
  if (b.operation.size != MpiSize::none) key.memory = osu_memory(p, b, notes);
  if (b.operation.reduces) key.op = "sum";
  return key;
}

// Cases

/// False if the row lacks these values.
bool set_osu_values(OsuWork& w, const OsuTable& table, const OsuRow& row, CaseRecord& c) {
  for (const std::string_view name : {"bandwidth(mb/s)", "mb/s"}) {
    if (!table.has(name)) continue;
    const auto GBps = printed_MBps(table.cell(row, name));
    const auto rate = rounded(table.cell(row, "messages/s"));
    if (!GBps || (table.has("messages/s") && !rate)) return false;
    set_stream(c, *GBps, rate, w.bandwidths);
    return true;
  }
  for (const std::string_view name : {"avglatency(us)", "latency(us)", "purecomm.(us)"}) {
    if (!table.has(name)) continue;
    const auto time_us = rounded(table.cell(row, name));
    if (!time_us || time_us->value < 0) return false;
    set_time(c, *time_us, w.benchmark.operation.bus_like, std::nullopt, w.bandwidths);
    return true;
  }
  return false;
}

bool set_osu_check(const OsuTable& table, const OsuRow& row, CaseRecord& c) {
  if (!table.has("validation")) {
    c.check.state = CheckState::off;
    return true;
  }
  const std::string_view said = table.cell(row, "validation");
  c.check.state = said == "Pass" ? CheckState::passed : CheckState::failed;
  if (said == "Fail") {
    c.status = Status::failed;
    c.reason = "wrong data: OSU's validation failed";
  }
  return said == "Pass" || said == "Fail";
}

std::optional<CaseRecord> osu_case(OsuWork& w, const OsuTable& table, const OsuRow& row) {
  CaseRecord c{.key = w.key};
  const auto type = mpi_type(table.type);
  if (type && w.benchmark.operation.size != MpiSize::none) c.key.type = type->name;
  const bool derived = table.has("transmitsize");  // with -D, the size includes gaps that are not sent
  const auto sent = integer(table.cell(row, "transmitsize"));
  if (derived && (!sent || *sent < 0)) return std::nullopt;
  const std::uint64_t size = derived ? static_cast<std::uint64_t>(*sent) : row.size.value_or(0);
  const auto bytes = buffer_bytes(w.benchmark.operation.size, size, w.key.ranks);
  if (!bytes || !set_osu_check(table, row, c)) return std::nullopt;
  c.key.bytes = *bytes;
  const bool total = w.benchmark.operation.size == MpiSize::blocks;
  if (type && type->bytes > 0 && !derived && !total && row.size) c.count = *row.size / type->bytes;
  if (!set_osu_values(w, table, row, c)) return std::nullopt;
  remark_overlap(c, rounded(table.cell(row, "overlap(%)")), rounded(table.cell(row, "overall(us)")),
                 rounded(table.cell(row, "compute(us)")));
  return c;
}

/// False if a table is of another program, whose title is lost.
bool fits_title(const OsuProgram& p, const OsuTable& table) {
  const std::string title = lower_case(p.benchmark);
  const bool rate = holds(title, "message rate");
  const bool bandwidth = !rate && holds(title, "bandwidth");
  const bool old = p.version.size() > 1 && p.version[1] == '.' && p.version.front() < '6';
  if (old && title == "latency" && table.has("avglatency(us)")) return false;  // of a collective, whose title is torn
  const bool waits = !holds(title, "non-blocking");
  const bool sized = std::ranges::any_of(table.rows, [](const OsuRow& row) { return row.size.has_value(); });
  if (!table.rows.empty() && sized == holds(title, "barrier")) return false;
  const bool unmarked = waits && title.starts_with("barrier") && !sized;  // old releases call both alike
  return (unmarked || table.has("overall(us)") != waits) && table.has("mb/s") == rate &&
         table.has("bandwidth(mb/s)") == bandwidth && (!p.pairs || !bandwidth);
}

void add_osu_cases(OsuWork& w) {
  for (const OsuTable& table : w.program.tables)
    for (const OsuRow& row : table.rows) {
      if (auto c = fits_title(w.program, table) ? osu_case(w, table, row) : std::nullopt)
        w.list.add(*std::move(c));
      else
        w.torn_lines.push_back(row.line);
      if (w.iterations.size() < 3 && table.has("iterations")) w.iterations.insert(table.cell(row, "iterations"));
    }
}

// Notes

bool any_tail(const OsuProgram& p) {
  const auto tail = [](const std::string& column) { return holds(column, "tail"); };
  return std::ranges::any_of(p.tables, [&](const OsuTable& t) { return std::ranges::any_of(t.columns, tail); });
}

void note_time(OsuWork& w) {
  const OsuProgram& p = w.program;
  const bool streams = any_table_has(p, "bandwidth(mb/s)") || any_table_has(p, "mb/s");
  if (streams)
    add_note(w.notes,
             "times are bytes over the printed bandwidth{}: what a message takes up in the stream (window size {}), "
             "not how long it is on its way",
             p.pairs ? " of all pairs together" : "", p.window.empty() ? "not known" : quotable(p.window));
  if (any_table_has(p, "purecomm.(us)"))
    w.notes.emplace_back("times are those of the communication alone (Pure Comm.), mean over ranks");
  if (any_table_has(p, "minlatency(us)") || any_table_has(p, "mincomm.(us)"))
    w.notes.emplace_back("the log also has the means of the fastest and of the slowest rank; not imported");
  if (any_tail(p))
    w.notes.emplace_back("the log also has percentiles over iterations, of the mean over ranks; not imported");
  if (any_table_has(p, "transmitsize")) w.notes.emplace_back("sizes are the transmit sizes of a derived datatype");
}

void note_osu_unknown(OsuWork& w) {
  const MpiOperation& o = w.benchmark.operation;
  add_note(w.notes, "OSU prints no hosts, no {} library, no warm-up{}: they are not known",
           w.program.library == "MPI" ? "MPI" : quotable(w.program.library),
           w.iterations.empty() ? " and no number of iterations" : "");
  if (w.iterations.size() > 1) w.notes.emplace_back("the number of iterations differs between sizes");
  if (w.benchmark.kind == CaseKind::collective && o.size != MpiSize::none)
    w.notes.emplace_back("the root, if it has one, and whether buffers were in place (-M) are not in the log");
  if (o.size == MpiSize::block)
    add_note(w.notes, "OSU's sizes are one rank's block; here they are those of all {} blocks", w.key.ranks);
  note_stated(w.notes, {.ranks = w.benchmark.ranks ? std::nullopt : w.request.ranks,
                        .nodes = w.key.nodes ? w.request.nodes : std::nullopt});
  w.list.note_repeats(w.notes, "case");
}

// The records

/// `alone`: this is the only program in the log, so launcher messages refer to it.
EndRecord osu_end(const OsuProgram& p, const std::vector<CaseRecord>& cases, bool alone) {
  EndRecord end{.status = EndStatus::unknown,
                .reason = "OSU prints nothing at its end: a truncated table looks complete"};
  count_cases(end, cases);
  if (p.wrong_data || end.cases.failed > 0) {
    end.status = EndStatus::failed;
    end.reason = p.wrong_data.value_or("OSU's validation failed");
  } else if (p.abort && alone) {
    end.status = EndStatus::aborted;
    end.reason = p.abort;
    end.exit_code = p.exit_code;
  } else if (p.abort) {
    end.reason = "after its table the log says (this program or another): " + *p.abort;
  }
  return end;
}

RunRecord osu_head(const OsuWork& w) {
  RunRecord head = imported_head(w.request, "OSU micro-benchmarks");
  if (!w.program.version.empty()) head.tool.version = quotable(w.program.version);
  head.ranks = w.key.ranks;
  head.nodes = w.key.nodes;
  head.method = {.cadence = w.benchmark.cadence, .rank_rule = w.benchmark.rank_rule, .statistic = Statistic::mean};
  if (w.iterations.size() == 1) head.method.iterations = small_integer(*w.iterations.begin());
  head.method.check = any_table_has(w.program, "validation") ? "every_call" : "off";
  return head;
}

ImportedRun osu_run(OsuWork& w) {
  add_osu_cases(w);
  note_time(w);
  note_osu_unknown(w);
  ImportedRun run{.head = osu_head(w), .cases = w.list.sorted_cases(), .warnings = w.warnings};
  run.collective = w.key.collective;
  check_collective(run.cases, w.request);
  run.end = osu_end(w.program, run.cases, w.alone);
  for (const OsuTable& table : w.program.tables) run.rows += static_cast<int>(table.rows.size());
  w.torn_lines.insert(w.torn_lines.end(), w.program.torn_lines.begin(), w.program.torn_lines.end());
  warn_of_torn_rows(run.warnings, w.torn_lines);
  if (w.bandwidths.contradicted > 0)
    add_note(run.warnings,
             "{} of {} printed bandwidths are not what the message rate gives: torn or mixed rows? The printed value "
             "was kept",
             w.bandwidths.contradicted, w.bandwidths.all);
  run.head.notes = run.warnings;
  add_notes(run.head.notes, w.notes);
  return run;
}

/// Reason for not importing a program; empty if it can be imported.
std::string why_not(const OsuProgram& p) {
  const bool library = p.library == "MPI" || p.library == "NCCL" || p.library == "RCCL";
  const std::string name = quotable(fmt::format("{} {}", p.library, p.benchmark));
  if (p.window == "varied")
    return fmt::format("'{}' with varied window sizes (-W), which are not a series over sizes", name);
  return library && osu_benchmark(p.benchmark) ? "" : fmt::format("'{}', which busbar does not read", name);
}

bool recognises_osu(std::string_view text) {
  return any_line(text, [](const LogLine& line) { return is_osu_title(line.text); });
}

/// Reads program `i` of the log.
ImportedRun read_program(const ImportRequest& request, const std::vector<OsuProgram>& all, std::size_t i,
                         const LaunchLines& launch) {
  const OsuBenchmark benchmark = *osu_benchmark(all[i].benchmark);
  LaunchScope scope = scope_of_part(all, i);
  scope.is_program = [&](std::string_view word) { return is_program_of(word, benchmark); };
  OsuWork work{.request = request, .program = all[i], .benchmark = benchmark, .alone = all.size() == 1};
  work.key = osu_key(all[i], benchmark, work.notes);
  set_osu_places(work, launch, scope);
  return osu_run(work);
}

std::vector<ImportedRun> read_osu(const ImportRequest& request) {
  const std::vector<OsuProgram> programs = read_osu_log(request.text);
  if (programs.size() > osu_most_programs)
    refuse(request, "{} titles of OSU's programs; {} are the most", programs.size(), osu_most_programs);
  std::vector<std::size_t> known;
  std::vector<std::string> left_out;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (std::string reason = why_not(programs[i]); !reason.empty())
      left_out.push_back(std::move(reason));
    else
      known.push_back(i);
  }
  if (known.empty()) refuse(request, "holds {}", left_out.front());
  const LaunchLines launch = read_launch_lines(request.text, is_osu_program);
  std::vector<ImportedRun> runs = read_parts(
      request, known.size(), [&](std::size_t i) { return read_program(request, programs, known[i], launch); },
      [&](std::size_t i) { return quotable(programs[known[i]].benchmark); });
  if (!left_out.empty())
    add_note(runs.front().warnings, "{} left out, the first: {}", plural(left_out.size(), "program"), left_out.front());
  return runs;
}

}  // namespace

extern const Importer osu_text{
    .name = "OSU text",
    .about = "what the OSU micro-benchmarks print",
    .recognises = recognises_osu,
    .read = read_osu,
    .columns_of_numbers = true,
};

}  // namespace busbar
