// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/error.hpp"
#include "core/units.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/nccl_log.hpp"

namespace busbar {
namespace {

// Collective and command line

/// What was run, and who says so.
struct Program {
  std::string collective;
  std::string told_by;            ///< "--collective", "the log", "the file's name"
  std::vector<std::string> argv;  ///< from the program on; empty where the log does not hold it
};

/// The line that names the program of this job: the last before its rows, or any where the log has no other job.
const Said* program_line(const NcclLog& log, const NcclJob& job) {
  const int limit = job.rows.empty() ? job.last_line : job.rows.front().line;
  const Said* found = nullptr;
  for (const Said& said : log.programs)
    if (said.line < limit || (found == nullptr && log.jobs.size() == 1)) found = &said;
  return found;
}

void take_program(Program& p, const Said& said) {
  const std::vector<Word> line = words(said.text);
  const auto at = std::ranges::find_if(line, [](const Word& w) { return collective_of_program(w.text).has_value(); });
  if (p.collective.empty()) p = {.collective = *collective_of_program(at->text), .told_by = "the log", .argv = {}};
  const bool command = at + 1 != line.end() && (at + 1)->text.starts_with('-');
  for (auto word = at; command && word != line.end(); ++word) {
    if (word->text.find_first_of("|<>&;") != std::string_view::npos) break;  // the shell's, not the program's
    p.argv.emplace_back(word->text);
  }
}

Program find_program(const ImportRequest& request, const NcclLog& log, const NcclJob& job) {
  Program p;
  if (request.collective) p = {.collective = *request.collective, .told_by = "--collective", .argv = {}};
  if (const Said* said = program_line(log, job)) take_program(p, *said);
  if (!p.collective.empty()) return p;
  const std::string file = std::filesystem::path(request.source).filename().string();
  if (const auto named = collective_in_file_name(file))
    return {.collective = *named, .told_by = "the file's name", .argv = {}};
  throw UsageError(
      fmt::format("{}: neither the log nor the file's name says which collective this is; add "
                  "--collective with one of: {}",
                  request.source, collective_names()));
}

/// Value of a short or long option on the command line: "-a 1", "-a1", "--average 1", "--average=1".
std::optional<std::string> option(const std::vector<std::string>& argv, std::string_view brief, std::string_view full) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string_view word = argv[i];
    if (word == brief || word == full) return i + 1 < argv.size() ? std::optional(argv[i + 1]) : std::nullopt;
    if (word.starts_with(full) && word.substr(full.size()).starts_with('='))
      return std::string(word.substr(full.size() + 1));
    if (word.starts_with(brief) && !word.starts_with("--")) return std::string(word.substr(brief.size()));
  }
  return std::nullopt;
}

/// nccl-tests' -a: which rank's time stands for all.
std::string rank_rule(const std::vector<std::string>& argv) {
  const std::string value = option(argv, "-a", "--average").value_or("1");
  if (value == "0") return "rank 0";
  if (value == "2") return "fastest";
  return value == "3" ? "slowest" : "mean";
}

// Places

/// Ranks that know of each other. Where several jobs write into one log without marks, those of one of them.
std::vector<NcclRank> ranks_of(const NcclJob& job) {
  std::vector<NcclRank> once;
  for (const NcclRank& r : job.ranks)
    if (std::ranges::find(once, r.rank, &NcclRank::rank) == once.end()) once.push_back(r);
  std::ranges::sort(once, {}, &NcclRank::rank);
  return once;
}

/// How many processes printed a table of their own.
std::size_t copies_of(const NcclJob& job) {
  const auto first_ranks = std::ranges::count(job.ranks, 0, &NcclRank::rank);
  return std::max({std::size_t{1}, static_cast<std::size_t>(first_ranks), static_cast<std::size_t>(job.starts)});
}

/// How many ranks on how many hosts, of the job or of one group of it; empty where that differs or is unknown.
struct Layout {
  int ranks = 0;
  std::optional<int> nodes;
  std::optional<int> ranks_per_node;
};

Layout layout_of(const std::vector<NcclRank>& ranks) {
  std::map<std::string, int> on_host;
  for (const NcclRank& r : ranks) ++on_host[r.host];
  Layout l{.ranks = static_cast<int>(ranks.size()), .nodes = std::nullopt, .ranks_per_node = std::nullopt};
  if (ranks.empty()) return l;
  l.nodes = static_cast<int>(on_host.size());
  const int first = on_host.begin()->second;
  if (std::ranges::all_of(on_host, [first](const auto& h) { return h.second == first; })) l.ranks_per_node = first;
  return l;
}

/// The layout that a collective runs on: NCCL_TESTS_SPLIT makes groups, and bandwidth is per group.
Layout group_layout(const std::vector<NcclRank>& ranks, int& groups) {
  std::map<int, std::vector<NcclRank>> by_group;
  for (const NcclRank& r : ranks) by_group[r.group].push_back(r);
  groups = static_cast<int>(by_group.size());
  if (groups <= 1) return layout_of(ranks);
  Layout all = layout_of(by_group.begin()->second);
  for (const auto& [group, members] : by_group) {
    const Layout one = layout_of(members);
    if (one.ranks != all.ranks) all.ranks = 0;
    if (one.nodes != all.nodes) all.nodes.reset();
    if (one.ranks_per_node != all.ranks_per_node) all.ranks_per_node.reset();
  }
  return all;
}

void place(RunRecord& head, const std::vector<NcclRank>& ranks) {
  for (const NcclRank& r : ranks) {
    head.placement.push_back({.rank = r.rank, .host = r.host, .device = r.device, .device_bus = r.bus});
    auto host = std::ranges::find(head.hosts, r.host, &Host::name);
    if (host == head.hosts.end()) host = head.hosts.insert(host, Host{.name = r.host});
    const auto same = [&r](const Gpu& g) { return g.bus == r.bus; };
    if (std::ranges::none_of(host->gpus, same)) host->gpus.push_back({.name = r.device, .bus = r.bus});
  }
}

// Cases

/// What all cases of a job share, and what was noticed on the way.
struct Cases {
  CaseKey key;  ///< without type, op, root, bytes, in place
  bool old_errors = false;
  bool all_passed = false;  ///< the log says that no value was out of bounds
  std::vector<CaseRecord> list;
  std::set<CaseKey> seen = {};
  std::size_t empty_repeats = 0, other_repeats = 0;
  std::size_t bandwidths = 0, contradicted = 0;  ///< printed, and not what size and time give
};

/// True if `printed` can be the rounded form of a value between low and high.
bool agrees(const Rounded& printed, double low, double high) {
  constexpr double slack = 1e-9;
  return printed.low() <= high * (1 + slack) && printed.high() >= low * (1 - slack);
}

/// Takes the computed value where the printed one is that value rounded, else the printed one: its last digit may know
/// better where the time has few. False where the printed one cannot come from this size and time at all.
bool settle(Cases& all, std::optional<double>& out, const std::optional<Rounded>& printed, double computed, double low,
            double high) {
  if (!printed) {
    if (std::isfinite(computed)) out = computed;
    return out.has_value();
  }
  ++all.bandwidths;
  const bool good = std::isfinite(computed) && agrees(*printed, low, high);
  out = good && agrees(*printed, computed, computed) ? computed : printed->value;
  if (!good) ++all.contradicted;
  return good;
}

void set_bandwidths(Cases& all, CaseRecord& c, const NcclHalf& half) {
  c.time_s = half.time_us.value / 1e6;
  if (c.key.bytes == 0) return;
  const auto at = [&c](double us) { return us > 0 ? static_cast<double>(c.key.bytes) / us * 1e-3 : INFINITY; };
  const double low = at(half.time_us.high());
  const double high = at(half.time_us.low());
  const double factor = bus_factor(c.key.collective, c.key.ranks);
  settle(all, c.algbw_GBps, half.algbw_GBps, at(half.time_us.value), low, high);
  if (settle(all, c.busbw_GBps, half.busbw_GBps, at(half.time_us.value) * factor, low * factor, high * factor))
    c.bus_factor = factor;
}

void set_check(const Cases& all, CaseRecord& c, const std::optional<double>& wrong) {
  if (!wrong) {
    c.check.state = "off";
  } else if (all.old_errors) {
    c.check.state = *wrong == 0 || all.all_passed ? "passed" : "unknown";
  } else {
    c.check.state = *wrong == 0 ? "passed" : "failed";
    c.check.wrong_elements = wrong;
    if (*wrong == 0) return;
    c.status = Status::failed;
    c.reason = fmt::format("wrong data: nccl-tests counted {:g} wrong elements", *wrong);
  }
}

void add_case(Cases& all, const NcclRow& row, const NcclHalf& half) {
  CaseRecord c{.index = static_cast<int>(all.list.size()), .key = all.key, .count = row.count};
  if (!row.type.empty()) c.key.type = type_named(row.type);
  c.key.op = row.op;
  c.key.root = row.root;
  c.key.bytes = row.bytes;
  c.key.in_place = half.in_place;
  if (!all.seen.insert(c.key).second) {
    ++(row.bytes == 0 ? all.empty_repeats : all.other_repeats);
    return;
  }
  set_bandwidths(all, c, half);
  set_check(all, c, half.wrong);
  all.list.push_back(std::move(c));
}

/// Cases that differ in size only one after another, as tables and charts want them; series in the log's order.
void group_series(std::vector<CaseRecord>& list) {
  std::map<std::string, std::size_t> order;
  for (const CaseRecord& c : list) order.emplace(series_name(c.key), order.size());
  std::ranges::sort(list, {},
                    [&order](const CaseRecord& c) { return std::pair(order.at(series_name(c.key)), c.index); });
  for (std::size_t i = 0; i < list.size(); ++i) list[i].index = static_cast<int>(i);
}

// Notes

using Notes = std::vector<std::string>;

void warn_of_jobs(Notes& notes, int ranks_of_job, const NcclLog& log, const NcclJob& job) {
  std::set<std::string> streams;
  for (const NcclJob& j : log.jobs) streams.insert(j.stream);
  const std::size_t copies = copies_of(job);
  const std::size_t parallel = std::max(copies, streams.size());
  const std::string ranks = plural(ranks_of_job, "rank");
  if (parallel > 1)
    notes.push_back(
        fmt::format("the log holds {} jobs of {} each that did not know of each other, not one of {} (is nccl-tests "
                    "built without MPI?); {}",
                    parallel, ranks, plural(parallel * static_cast<std::size_t>(ranks_of_job), "rank"),
                    copies > 1 ? "their lines are not marked, so the first row of each case was kept"
                               : fmt::format("the rows of the first, marked {}, were kept", job.stream)));
  const auto of_stream = std::ranges::count(log.jobs, job.stream, &NcclJob::stream);
  if (of_stream > 1)
    notes.push_back(
        fmt::format("the log holds {} runs of nccl-tests one after another; only the first, up to "
                    "line {}, was imported: split the file to import the others",
                    of_stream, job.last_line));
}

void note_rows(Notes& notes, const NcclJob& job, const Cases& all) {
  if (all.empty_repeats > 0)
    notes.push_back(
        fmt::format("{} more of size 0 left out (sizes too small to give every rank a share: nothing "
                    "was moved); the first of each kind was kept",
                    plural(all.empty_repeats, "case")));
  if (all.other_repeats > 0)
    notes.push_back(fmt::format("{} left out that repeat an earlier one; the first of each was kept",
                                plural(all.other_repeats, "case")));
  if (job.columns && job.columns->cpu_time)
    notes.emplace_back("times are CPU times of the calls (cputime), not elapsed times");
  if (job.columns && job.columns->per_iteration)
    notes.emplace_back("the log also has minimum, maximum, p99 and variation over iterations; they are not taken");
  if (all.old_errors)
    notes.emplace_back("of an old release: the log gives the largest difference, not a number of wrong elements");
  if (job.settings.graph.value_or(0) > 0)
    notes.push_back(fmt::format("calls were launched as CUDA graphs ({} launches)", *job.settings.graph));
}

/// Holds the ratio of the row with the best resolution against what the collective must have.
void warn_of_ratio(Notes& notes, const NcclJob& job, const Cases& all, const Program& program) {
  const NcclHalf* best = nullptr;
  for (const NcclRow& row : job.rows)
    for (const NcclHalf& half : row.halves)
      if (half.algbw_GBps && half.busbw_GBps && (!best || half.algbw_GBps->value > best->algbw_GBps->value))
        best = &half;
  if (best == nullptr || best->algbw_GBps->low() <= 0) return;
  const double factor = bus_factor(all.key.collective, all.key.ranks);
  const double low = best->algbw_GBps->low() * factor;
  if (agrees(*best->busbw_GBps, low, best->algbw_GBps->high() * factor)) return;
  notes.push_back(
      fmt::format("busbw/algbw is {:.3g} in the log, but {} on {} has {:.3g}: the collective (from {}) "
                  "may be wrong; printed bandwidths were kept",
                  best->busbw_GBps->value / best->algbw_GBps->value, all.key.collective, plural(all.key.ranks, "rank"),
                  factor, program.told_by));
}

void note_bandwidths(Notes& notes, const Cases& all) {
  if (all.bandwidths == 0) return;
  if (all.contradicted == 0)
    notes.emplace_back(
        "bandwidths are computed from the log's size and time, because it prints them with two decimals; where that "
        "rounds to another last digit, the printed one was kept");
  else
    notes.push_back(
        fmt::format("{} of {} printed bandwidths are not size/time: for these the printed value was "
                    "kept; the others are size/time",
                    all.contradicted, all.bandwidths));
}

/// The mean of busbw that nccl-tests prints at the end covers every row and so tells whether all were read.
void warn_of_average(Notes& notes, const NcclJob& job) {
  const auto printed = job.average ? rounded(job.average->substr(0, job.average->find(' '))) : std::nullopt;
  double sum = 0, slack = 0;
  std::size_t n = 0;
  for (const NcclRow& row : job.rows)
    for (const NcclHalf& half : row.halves)
      if (half.busbw_GBps) sum += half.busbw_GBps->value, slack += half.busbw_GBps->half_unit, ++n;
  if (!printed || n == 0 || copies_of(job) > 1) return;
  const double count = static_cast<double>(n);
  if (std::abs(printed->value - sum / count) <= slack / count + printed->half_unit) return;
  notes.push_back(
      fmt::format("the log's own average bus bandwidth is {} GB/s, but the rows read give {:.4g}: rows "
                  "are missing or changed",
                  job.average->substr(0, job.average->find(' ')), sum / count));
}

void warn_of_torn_rows(Notes& notes, const NcclJob& job) {
  if (job.torn_lines.empty()) return;
  notes.push_back(fmt::format("{} cannot be read: torn or mixed with other output (the first is line {})",
                              plural(job.torn_lines.size(), "row"), job.torn_lines.front()));
}

void note_surroundings(Notes& notes, const NcclLog& log, const NcclJob& job) {
  for (const std::string& library : log.libraries) notes.push_back("the log says: " + library);
  constexpr std::size_t most = 3;
  std::size_t n = 0;
  for (const Said& said : log.after)
    if (said.line >= job.first_line && said.line <= job.last_line && n++ < most)
      notes.push_back("after its table the log says: " + said.text);
  if (n > most) notes.push_back(fmt::format("... and {} more", plural(n - most, "line")));
}

// The records

EndRecord end_of(const NcclLog& log, const NcclJob& job, const Cases& all) {
  EndRecord end;
  for (const CaseRecord& c : all.list) ++(c.status == Status::ok ? end.ok : end.failed);
  const auto of_job = [&job](const Said& s) { return s.line >= job.first_line && s.line <= job.last_line; };
  const auto error = std::ranges::find_if(log.errors, of_job);
  const auto abort = std::ranges::find_if(log.aborts, of_job);
  if (job.average) {
    const bool bad_values = job.out_of_bounds && job.out_of_bounds->ends_with("FAILED");
    end.status = end.failed > 0 || bad_values || job.average->ends_with("FAILED") ? "failed" : "ok";
    if (end.failed > 0 || bad_values) end.reason = "out of bounds values: " + job.out_of_bounds.value_or("unknown");
    if (!end.reason && end.status == "failed") end.reason = "average bus bandwidth: " + *job.average;
  } else if (error != log.errors.end() || abort != log.aborts.end()) {
    end.status = "aborted";
    end.reason = error != log.errors.end() ? error->text : abort->text;
    end.exit_code = log.exit_code;
  } else {
    end.status = "unknown";
    end.reason = "the log ends without nccl-tests' closing lines: it is cut off, or the program was stopped";
  }
  return end;
}

Method method_of(const NcclJob& job, const Program& program) {
  const int validation = job.settings.validation.value_or(-1);
  const bool blocking = job.blocking || option(program.argv, "-z", "--blocking").value_or("0") != "0";
  return {.cadence = blocking ? "blocking" : "streaming",
          .rank_rule = rank_rule(program.argv),
          .statistic = "mean",
          .warmup_iterations = job.settings.warmup,
          .iterations = job.settings.iterations,
          .aggregated_iterations = job.settings.aggregated,
          .check = validation < 0    ? "unknown"
                   : validation == 0 ? "off"
                                     : "some_calls"};
}

/// Ranks and hosts of the job; `ranks` of the request where the log has no lines about them.
RunRecord head_of(const ImportRequest& request, const NcclLog& log, const NcclJob& job, const Program& program) {
  RunRecord head{.id = import_id(request.text, program.collective),
                 .origin = "imported",
                 .tool = {.name = "nccl-tests", .version = job.tests_version},
                 .argv = program.argv,
                 .labels = request.labels,
                 .method = method_of(job, program),
                 .environment = log.environment,
                 .source = request.source};
  const std::vector<NcclRank> ranks = ranks_of(job);
  if (ranks.empty() && !request.ranks)
    throw UsageError(fmt::format("{}: no lines \"#  Rank ...\", so the number of ranks is not known; add --ranks N",
                                 request.source));
  const Layout layout = layout_of(ranks);
  head.ranks = ranks.empty() ? *request.ranks : layout.ranks;
  head.nodes = layout.nodes;
  if (copies_of(job) == 1)
    place(head, ranks);
  else if (head.ranks > 1)
    head.nodes.reset();  // which of the jobs' hosts the kept rows are from is not known
  if (!ranks.empty() && request.ranks && *request.ranks != head.ranks)
    throw UsageError(fmt::format("{}: --ranks {} contradicts the log, which lists {}", request.source, *request.ranks,
                                 plural(ranks.size(), "rank")));
  head.notes.push_back(fmt::format("collective taken from {}", program.told_by));
  if (ranks.empty()) head.notes.push_back("number of ranks taken from --ranks");
  return head;
}

Cases cases_of(const NcclJob& job, const RunRecord& head, const Program& program) {
  int groups = 0;
  const Layout layout = group_layout(ranks_of(job), groups);
  const bool one_host_a_job = copies_of(job) == 1 || head.ranks == 1;
  Cases all{.key = {.collective = program.collective,
                    .backend = "nccl",
                    .memory = "device",
                    .ranks = head.placement.empty() ? head.ranks : layout.ranks,
                    .nodes = one_host_a_job ? layout.nodes : std::nullopt,
                    .ranks_per_node = one_host_a_job ? layout.ranks_per_node : std::nullopt,
                    .cadence = head.method.cadence,
                    .group = groups > 1 ? fmt::format("split:{}", groups) : "world"},
            .old_errors = job.columns && job.columns->old_errors,
            .all_passed = job.out_of_bounds && job.out_of_bounds->ends_with("OK")};
  for (const NcclRow& row : job.rows)
    for (const NcclHalf& half : row.halves) add_case(all, row, half);
  group_series(all.list);
  return all;
}

bool recognises(std::string_view text) {
  LogLines lines(text);
  while (const auto line = lines.next())
    if (trimmed(line->text).starts_with("# nThread ") || nccl_columns(line->text, {})) return true;
  return false;
}

std::vector<ImportedRun> read(const ImportRequest& request) {
  const NcclLog log = read_nccl_log(request.text);
  const NcclJob& job = log.jobs.front();  // there is one: recognises() saw its first lines
  const Program program = find_program(request, log, job);
  RunRecord head = head_of(request, log, job, program);
  Cases all = cases_of(job, head, program);
  Notes warnings;
  warn_of_jobs(warnings, head.ranks, log, job);
  warn_of_torn_rows(warnings, job);
  warn_of_ratio(warnings, job, all, program);
  warn_of_average(warnings, job);
  EndRecord end = end_of(log, job, all);
  if (!job.columns && end.status == "unknown")
    warnings.emplace_back("the log ends before its table: there may have been more ranks than it lists");
  head.notes.insert(head.notes.end(), warnings.begin(), warnings.end());
  note_rows(head.notes, job, all);
  note_bandwidths(head.notes, all);
  note_surroundings(head.notes, log, job);
  return {{.head = std::move(head),
           .cases = std::move(all.list),
           .end = std::move(end),
           .warnings = std::move(warnings),
           .collective = program.collective,
           .rows = static_cast<int>(job.rows.size())}};
}

}  // namespace

extern const Importer nccl_tests_text{
    .name = "nccl-tests text",
    .about = "what NVIDIA's nccl-tests (and AMD's rccl-tests) print",
    .recognises = recognises,
    .read = read,
};

}  // namespace busbar
