// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

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
#include "reports/import/mpi/imb_benchmarks.hpp"
#include "reports/import/mpi/imb_log.hpp"
#include "reports/import/told_places.hpp"

/// Output of the Intel MPI Benchmarks (src_c/IMB_output.c of 2021.11): one table per benchmark and number of processes.
/// All tables become cases of one record; each key has its own number of ranks.
namespace busbar {
namespace {

constexpr std::size_t imb_most_programs = 1000;
constexpr int imb_most_ranks = 1 << 24;
constexpr double tolerance = 0.01;  // of "defects": TOL in src_c/IMB_declare.h

/// State of converting one program of the log to a record.
struct ImbWork {
  ImportRequest request;  ///< `ranks` and `nodes` are those of the whole job
  const ImbProgram& program;
  bool told_processes = false;  ///< at least one table states the number of processes
  bool sync = true;             ///< -sync
  bool totals = false;          ///< argument of imb_benchmark()
  CaseList list = {};
  PrintedBandwidths bandwidths = {};
  std::set<long long> iterations = {};
  std::set<std::string> unknown = {};  ///< benchmarks that are not imported
  std::set<std::string> empty = {};    ///< benchmarks with a table without rows
  std::vector<int> torn_lines = {};
  int rows = 0;
};

// The whole program

/// Value of a command-line option; empty if absent.
std::string_view option(const ImbProgram& p, std::string_view name) {
  for (std::size_t i = 0; i + 1 < p.argv.size(); ++i)
    if (p.argv[i] == name) return p.argv[i + 1];
  return {};
}

/// Processes of the job as its tables tell them: those of a table and those waiting; 0 if none does.
int processes_of_tables(const ImportRequest& request, const ImbProgram& p) {
  long long most = 0;
  for (const ImbTable& t : p.tables)
    if (t.processes) most = std::max(most, 1LL * *t.processes * t.groups.value_or(1) + t.waiting);
  if (most > imb_most_ranks)
    refuse(request, "it names {} processes; {} are the most that can be read", most, imb_most_ranks);
  return static_cast<int>(most);
}

/// Processes of the largest table: a job cannot have fewer.
int processes_at_work(const ImbProgram& p) {
  int most = 0;
  for (const ImbTable& t : p.tables) most = std::max(most, t.processes.value_or(0) * t.groups.value_or(1));
  return most;
}

/// The request with ranks and nodes of the program.
ImportRequest imb_places(const ImportRequest& request, const ImbProgram& program, const LaunchLines& launch,
                         const LaunchScope& scope, std::vector<std::string>& warnings) {
  std::vector<SizeClaim> claims = rank_claims(launch, scope);
  if (const int ranks = processes_of_tables(request, program); ranks > 0)
    claims.push_back({.number = ranks, .source = "\"# #processes\" with those waiting"});
  ImportRequest settled = request;
  settled.ranks = settle_ranks(request, claims, warnings);
  if (!settled.ranks)
    refuse(request, "no line \"# #processes = N\", so the number of ranks is not known; add --ranks N");
  if (const int at_work = processes_at_work(program); at_work > *settled.ranks)
    throw Contradiction(fmt::format("{}: {} are fewer than the {} processes of a table", request.source,
                                    plural(*settled.ranks, "rank"), at_work));
  settled.nodes = settle_nodes(request, node_claims(launch, scope, *settled.ranks), *settled.ranks, warnings);
  return settled;
}

/// True for IMB up to 2018, including the old numbering (3.2, 4.1): sizes of Reduce_scatter are totals.
bool has_totals(const ImbProgram& p) {
  const auto year = small_integer(p.version.substr(0, p.version.find('.')));
  return year && *year <= 2018;
}

/// Buffer location: the host, or for GPU builds what the command line says.
std::optional<std::string> imb_memory(const ImbProgram& p) {
  if (!p.gpu) return "host";
  const std::string_view said = option(p, "-mem_alloc_type");
  return said == "device" || said == "host" ? std::optional<std::string>(said) : std::nullopt;
}

// Cases

/// Name of the group of ranks that took part.
std::string imb_group(const ImbWork& w, const ImbTable& t, std::string_view group) {
  const int groups = t.groups.value_or(1), all = w.request.ranks.value_or(0), ranks = t.processes.value_or(all);
  if (!group.empty()) return fmt::format("multi:{}/{}", groups, group);
  if (groups > 1) return fmt::format("multi:{}", groups);
  return ranks == all ? "world" : fmt::format("{}-of-{}", ranks, all);
}

CaseKey imb_key(const ImbWork& w, const ImbTable& t, const ImbBenchmark& b) {
  CaseKey key{.kind = b.kind,
              .collective = b.operation.name,
              .backend = "mpi",
              .counts = b.operation.counts(),
              .form = b.operation.form};
  key.ranks = t.processes.value_or(w.request.ranks.value_or(0));
  key.cadence = b.synced && w.sync ? "barrier" : "streaming";
  if (b.operation.size != MpiSize::none) key.memory = imb_memory(w.program);
  if (b.operation.reduces) key.op = "sum";
  tell_nodes(key, w.request);
  return key;
}

/// False if the row's time or bandwidth is missing or not a number.
bool set_imb_values(ImbWork& w, const ImbTable& t, const ImbRow& row, const ImbBenchmark& b, CaseRecord& c) {
  const auto GBps = printed_MBps(t.cell(row, "Mbytes/sec"));
  if (t.has("Mbytes/sec") && !GBps) return false;
  if (t.has("Msg/sec")) {
    const auto rate = rounded(t.cell(row, "Msg/sec"));
    if (rate) set_stream(c, *GBps, rate, w.bandwidths);
    return rate.has_value();
  }
  for (const std::string_view name : {"t_max[usec]", "t[usec]", "t_pure[usec]"}) {
    if (!t.has(name)) continue;
    const auto time_us = rounded(t.cell(row, name));
    if (!time_us || time_us->value < 0) return false;
    const bool comparable = b.counted == 1;
    set_time(c, *time_us, b.operation.bus_like, comparable ? GBps : std::nullopt, w.bandwidths);
    std::optional<double> other;  // bandwidth that counts both directions: checked against size and time, but not kept
    if (!comparable && GBps && c.key.bytes > 0)
      settle(other, GBps, bandwidth_GBps(static_cast<double>(c.key.bytes), *time_us).times(b.counted), w.bandwidths);
    return true;
  }
  return false;
}

/// False if the difference is not a number.
bool set_imb_check(const ImbTable& t, const ImbRow& row, CaseRecord& c) {
  c.check.state = CheckState::off;
  if (!t.has("defects")) return true;
  const auto defects = rounded(t.cell(row, "defects"));
  if (!defects) return false;
  c.check.state = defects->value <= tolerance ? CheckState::passed : CheckState::failed;
  if (c.check.state == CheckState::passed) return true;
  c.status = Status::failed;
  c.reason = fmt::format("wrong data: IMB's largest difference is {:g}", defects->value);
  return true;
}

std::optional<CaseRecord> imb_case(ImbWork& w, const ImbTable& t, const ImbRow& row, const ImbBenchmark& b) {
  CaseRecord c{.key = imb_key(w, t, b)};
  const std::string_view group = t.cell(row, "Group");
  if (t.has("Group") && !small_integer(group)) return std::nullopt;
  c.key.group = imb_group(w, t, group);
  const auto size = integer(t.has("#bytes") ? t.cell(row, "#bytes") : "0");
  if (!size || *size < 0) return std::nullopt;
  const auto bytes = buffer_bytes(b.operation.size, static_cast<std::uint64_t>(*size), c.key.ranks);
  if (!bytes) return std::nullopt;
  c.key.bytes = *bytes;
  if (!row.failure.empty()) {
    c.status = Status::skipped;
    c.reason = "IMB says: " + quotable(row.failure);
    c.check.state = CheckState::off;
    return c;
  }
  if (!set_imb_check(t, row, c) || !set_imb_values(w, t, row, b, c)) return std::nullopt;
  remark_overlap(c, rounded(t.cell(row, "overlap[%]")), rounded(t.cell(row, "t_ovrl[usec]")),
                 rounded(t.cell(row, "t_CPU[usec]")));
  if (const auto n = integer(t.cell(row, "#repetitions")); n && w.iterations.size() < 64) w.iterations.insert(*n);
  return c;
}

void add_imb_cases(ImbWork& w, const ImbTable& t) {
  const auto b = imb_benchmark(t.benchmark, t.processes.value_or(0), w.totals);
  const bool known_ranks = t.processes ? *t.processes > 0 : !w.told_processes;
  if (!b || !t.mode.empty() || !known_ranks) {
    if (!t.rows.empty() && w.unknown.size() < 64) w.unknown.insert(quotable(t.benchmark));
    return;
  }
  if (t.rows.empty()) w.empty.insert(quotable(t.benchmark));
  for (const ImbRow& row : t.rows) {
    ++w.rows;
    if (auto c = imb_case(w, t, row, *b))
      w.list.add(*std::move(c));
    else
      w.torn_lines.push_back(row.line);
  }
}

// Notes

bool any_is(const ImbProgram& p, std::string_view benchmark) {
  return std::ranges::any_of(p.tables, [benchmark](const ImbTable& t) { return t.benchmark.starts_with(benchmark); });
}

void note_imb_times(std::vector<std::string>& notes, const ImbWork& w, bool mixed) {
  const ImbProgram& p = w.program;
  notes.emplace_back(
      "times are the slowest rank's mean over iterations (t_max, or t where there is one), which IMB's own bandwidths "
      "are made from; t_min and t_avg are not imported");
  if (any_is(p, "PingPong")) notes.emplace_back("times of PingPong are half a round trip");
  if (any_table_has(p, "t_pure[usec]"))
    notes.emplace_back("times of calls that do not block are those of the communication alone (t_pure)");
  if (any_is(p, "Sendrecv") || any_is(p, "Exchange"))
    notes.emplace_back("IMB's Mbytes/sec of Sendrecv and Exchange count both directions: twice algbw");
  if (any_table_has(p, "Msg/sec"))
    notes.emplace_back("times of streams of messages are what one message takes up, of all pairs together");
  if (w.iterations.size() > 1)
    add_note(notes, "repetitions: {} to {}, by size", *w.iterations.begin(), *w.iterations.rbegin());
  if (mixed) notes.emplace_back("transfers and Barrier are called back to back, all others behind a barrier");
  if (any_table_has(p, "defects"))
    notes.emplace_back("IMB was built with -DCHECK; by its documentation, times are then useless");
}

void note_imb_unknown(std::vector<std::string>& notes, const ImbWork& w) {
  const ImbProgram& p = w.program;
  notes.emplace_back(
      "IMB prints no hosts, no MPI library and no warm-up, and its lines about MPI_Datatype are not always true: "
      "hosts, "
      "library, warm-up, types of elements, roots and whether buffers were in place are not known");
  if (p.gpu && !imb_memory(p))
    notes.emplace_back("built for GPUs; whether buffers were on the device is not in the log");
  std::string said;
  for (const std::string_view line : p.told) {
    std::string one;
    for (const Word& word : words(line)) one += fmt::format("{}{}", one.empty() ? "" : " ", word.text);
    said += (said.empty() ? "" : "; ") + one;
  }
  if (!said.empty()) notes.push_back("the log says: " + quotable(said));
  w.list.note_repeats(notes, "case");
}

/// Line of the first row of a table with a size that is not larger than the one before; 0 if there is none.
int first_smaller_size(const ImbProgram& p) {
  for (const ImbTable& t : p.tables) {
    long long last = -1;
    for (const ImbRow& row : t.rows) {
      const auto size = t.has("Group") ? std::nullopt : integer(t.cell(row, "#bytes"));
      if (size && *size <= last) return row.line;
      if (size) last = *size;
    }
  }
  return 0;
}

std::vector<std::string> imb_warnings(const ImbWork& w, std::vector<std::string> warnings) {
  std::vector<int> torn = w.torn_lines;
  torn.insert(torn.end(), w.program.torn_lines.begin(), w.program.torn_lines.end());
  warn_of_torn_rows(warnings, std::move(torn));
  if (w.bandwidths.contradicted > 0)
    add_note(warnings, "{} of {} printed bandwidths are not what size and time give: torn or mixed rows?",
             w.bandwidths.contradicted, w.bandwidths.all);
  if (const int line = first_smaller_size(w.program); line > 0)
    add_note(warnings, "line {}: sizes do not grow: lines may be lost, or of another table", line);
  const auto least = small_integer(option(w.program, "-npmin"));
  const auto is_few = [&least](const ImbTable& t) {
    return !t.groups && t.waiting == 0 && t.processes.value_or(0) > 0 && *t.processes < least.value_or(0);
  };
  if (const auto few = std::ranges::find_if(w.program.tables, is_few); few != w.program.tables.end())
    add_note(warnings, "{} of {} processes, but the command asks for at least {}: is the line torn?",
             quotable(few->benchmark), *few->processes, *least);
  if (!w.empty.empty())
    add_note(warnings, "{} without a row that can be read, the first: {}", plural(w.empty.size(), "table"),
             *w.empty.begin());
  if (!w.unknown.empty())
    add_note(warnings, "tables left out, of benchmarks that are not read or of an unknown number of processes: {}",
             quotable(join_filled({w.unknown.begin(), w.unknown.end()})));
  const bool scatters = any_is(w.program, "Reduce_scatter") || any_is(w.program, "Ireduce_scatter");
  if (scatters && w.program.version.empty())
    warnings.emplace_back(
        "the log does not say which version of IMB it is of: sizes of Reduce_scatter are taken as one rank's block, as "
        "they are since 2019");
  return warnings;
}

// The records

EndRecord imb_end(const ImbProgram& p, const std::vector<CaseRecord>& cases) {
  EndRecord end{.status = EndStatus::unknown,
                .reason = "the log ends without IMB's closing line: it is cut off, or the program was stopped"};
  count_cases(end, cases);
  if (p.finished || end.cases.failed > 0) {
    end.status = end.cases.failed > 0 ? EndStatus::failed : EndStatus::ok;
    end.reason = end.cases.failed > 0 ? std::optional<std::string>("IMB counted defects") : std::nullopt;
  } else if (p.abort) {
    end.status = EndStatus::aborted;
    end.reason = p.abort;
    end.exit_code = p.exit_code;
  }
  return end;
}

bool any_has_cadence(const std::vector<CaseRecord>& cases, std::string_view cadence) {
  return std::ranges::any_of(cases, [cadence](const CaseRecord& c) { return c.key.cadence == cadence; });
}

RunRecord imb_head(const ImbWork& w, const std::string& cadence) {
  RunRecord head = imported_head(w.request, "Intel MPI Benchmarks");
  if (!w.program.version.empty()) head.tool.version = quotable(w.program.version);
  head.argv = w.program.argv;
  head.ranks = w.request.ranks.value_or(0);
  head.nodes = w.request.nodes;
  head.method = {.cadence = cadence, .rank_rule = RankRule::slowest, .statistic = Statistic::mean};
  if (w.iterations.size() == 1 && *w.iterations.begin() >= 0 && *w.iterations.begin() <= imb_most_ranks)
    head.method.iterations = static_cast<int>(*w.iterations.begin());
  head.method.check = any_table_has(w.program, "defects") ? "every_call" : "off";
  return head;
}

ImportedRun imb_run(const ImportRequest& request, const ImbProgram& program, const LaunchLines& launch,
                    const LaunchScope& scope) {
  std::vector<std::string> doubts;
  ImbWork w{.request = imb_places(request, program, launch, scope, doubts), .program = program};
  w.told_processes = std::ranges::any_of(program.tables, [](const ImbTable& t) { return t.processes.has_value(); });
  w.sync = option(program, "-sync") != "off";
  w.totals = has_totals(program);
  for (const ImbTable& table : program.tables) add_imb_cases(w, table);
  ImportedRun run{.head = {}, .cases = w.list.sorted_cases()};
  check_collective(run.cases, request);
  const bool barriers = any_has_cadence(run.cases, "barrier");
  run.head = imb_head(w, barriers ? "barrier" : "streaming");
  run.end = imb_end(program, run.cases);
  run.collective = subjects(run.cases);
  run.rows = w.rows;
  run.warnings = imb_warnings(w, std::move(doubts));
  run.head.notes = run.warnings;
  note_stated(run.head.notes, request);
  note_imb_times(run.head.notes, w, barriers && any_has_cadence(run.cases, "streaming"));
  note_imb_unknown(run.head.notes, w);
  return run;
}

bool is_imb_program(std::string_view word) { return base_name(word).starts_with("IMB-"); }

bool recognises_imb(std::string_view text) {
  return any_line(text, [](const LogLine& line) { return is_imb_title(line.text) || !imb_columns(line.text).empty(); });
}

std::vector<ImportedRun> read_imb(const ImportRequest& request) {
  std::vector<ImbProgram> programs = read_imb_log(request.text);
  std::erase_if(programs, [](const ImbProgram& p) { return p.tables.empty(); });
  if (programs.empty()) refuse(request, "the Intel MPI Benchmarks printed no table in it");
  if (programs.size() > imb_most_programs)
    refuse(request, "output of {} programs; {} are the most", programs.size(), imb_most_programs);
  const LaunchLines launch = read_launch_lines(request.text, is_imb_program);
  const auto read = [&](std::size_t i) { return imb_run(request, programs[i], launch, scope_of_part(programs, i)); };
  return read_parts(request, programs.size(), read, [](std::size_t i) { return fmt::format("program {}", i + 1); });
}

}  // namespace

extern const Importer imb_text{
    .name = "IMB text",
    .about = "what the Intel MPI Benchmarks print",
    .recognises = recognises_imb,
    .read = read_imb,
    .columns_of_numbers = true,
};

}  // namespace busbar
