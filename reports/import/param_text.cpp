// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/bandwidths.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/launch_lines.hpp"
#include "reports/import/text_lines.hpp"
#include "reports/import/told_places.hpp"
#include "reports/runs/collective_facts.hpp"

/// Tables of PARAM's comms benchmark (facebookresearch/param, train/comms/pt/comms.py): lines that begin with
/// COMMS-RES; the first names the columns. Each rank's time is its mean over iterations; a row holds percentiles of
/// these means over ranks.
namespace busbar {
namespace {

using Notes = std::vector<std::string>;

constexpr std::string_view mark = "COMMS-RES";

/// Indices of the imported columns, from 0 after the row's name.
struct Columns {
  std::size_t size = 0, count = 1, time = 2;
  std::optional<std::size_t> algbw, busbw;
};

struct ParamRow {
  int line = 0;
  std::string collective, type;  ///< as printed; empty if the row does not name them
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> count;
  Rounded time_us;
  std::optional<Rounded> algbw, busbw;
};

struct Log {
  std::vector<ParamRow> rows;
  std::vector<int> torn;
  int others = 0;  ///< rows of unsupported tables: pt2pt, quantised
  std::optional<int> world_size, local_size;
  LaunchLines launch = {};
  std::optional<std::string> backend;
  std::optional<bool> blocking;
};

// Lines

/// The column names after the mark; "(B)" is the unit of the name before it.
std::vector<std::string> param_names(std::string_view line) {
  std::vector<std::string> names;
  for (const Word& word : words(behind(line, mark)))
    if (word.text != "(B)") names.push_back(lower_case(word.text));
  return names;
}

bool is_header(std::string_view line) {
  const std::string_view names = behind(line, mark);
  return holds(names, "size") && holds(names, "(B)");
}

/// Empty for unsupported tables.
std::optional<Columns> columns_of(std::string_view line) {
  const std::vector<std::string> names = param_names(line);
  const auto find = [&names](std::string_view name) -> std::optional<std::size_t> {
    const auto at = std::ranges::find(names, name);
    return at == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - names.begin()));
  };
  const auto size = find("total-size") ? find("total-size") : find("size");
  const auto time = find("time(us):p50") ? find("time(us):p50") : find("latency(us):p50");
  const auto count = find("nelementsperrank") ? find("nelementsperrank") : find("num-elements");
  if (!size || !time || !count || holds(line, "-QUANT")) return std::nullopt;
  return Columns{
      .size = *size, .count = *count, .time = *time, .algbw = find("algbw(gb/s)"), .busbw = find("busbw(gb/s)")};
}

/// Parses "COMMS-RES-all_reduce-float32" into collective and type; a tag may follow.
void read_param_name(ParamRow& row, std::string_view name) {
  name.remove_prefix(std::min(mark.size() + 1, name.size()));
  const std::size_t dash = std::min(name.find('-'), name.size());
  row.collective = quotable(name.substr(0, dash));
  const std::string_view rest = name.substr(std::min(dash + 1, name.size()));
  row.type = quotable(rest.substr(0, rest.find('-')));
}

std::optional<ParamRow> param_row(const Columns& columns, int line, std::string_view text) {
  const std::vector<Word> all = words(text);
  const auto cell = [&all](std::size_t i) { return i + 1 < all.size() ? all[i + 1].text : std::string_view{}; };
  const auto size = natural_number(cell(columns.size));
  const auto time = rounded(cell(columns.time));
  if (!size || !time || !(time->value > 0)) return std::nullopt;
  ParamRow row{.line = line, .bytes = *size, .count = natural_number(cell(columns.count)), .time_us = *time};
  read_param_name(row, all.front().text);
  if (columns.algbw) row.algbw = rounded(cell(*columns.algbw));
  if (columns.busbw) row.busbw = rounded(cell(*columns.busbw));
  const auto has = [](const std::optional<Rounded>& gbps) { return gbps && gbps->half_unit < 0.001; };  // else cut off
  const bool whole = (!columns.algbw || has(row.algbw)) && (!columns.busbw || has(row.busbw));
  return whole ? std::optional(std::move(row)) : std::nullopt;
}

/// The number after a name such as "'world_size': ".
std::optional<int> number_behind(std::string_view line, std::string_view name) {
  const std::string_view rest = behind(line, name);
  const auto value = small_integer(trimmed(rest.substr(0, rest.find_first_of(",}"))));
  return value && *value > 0 ? value : std::nullopt;
}

void read_param_fact(Log& log, std::string_view line) {
  if (const auto n = number_behind(line, "'world_size':")) log.world_size = n;
  if (const auto n = number_behind(line, "'local_size':")) log.local_size = n;
  if (!holds(line, "backend: ") || !holds(line, "nw-stack: ")) return;
  log.backend = quotable(first_word(behind(line, "backend: ")));
  if (const auto z = quotable(first_word(behind(line, "args.z: "))); z == "0" || z == "1") log.blocking = z == "1";
}

Log read_param_log(std::string_view text) {
  Log log;
  std::optional<Columns> columns;
  LogLines lines(text);
  while (const auto line = lines.next()) {
    const std::string_view said = trimmed(line->text);
    if (!said.starts_with(mark)) {
      read_param_fact(log, line->text);
    } else if (is_header(said)) {
      columns = columns_of(said);
    } else if (!columns) {
      ++log.others;
    } else if (auto row = param_row(*columns, line->number, said)) {
      log.rows.push_back(std::move(*row));
    } else {
      log.torn.push_back(line->number);
    }
  }
  log.launch = read_launch_lines(text, [](std::string_view word) { return word.ends_with("comms.py"); });
  return log;
}

// Cases

/// Canonical name, or PARAM's own if there is none. "_base" and "_single" are variants of the same collective.
std::string param_collective(const ImportRequest& request, const ParamRow& row) {
  if (request.collective) return *request.collective;
  std::string name = row.collective;
  for (const std::string_view end : {"_base", "_single", "_into_tensor"})
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  if (const auto canonical = collective_named(name)) return *canonical;
  if (!name.empty()) return name;
  refuse(request, "line {}: the rows of this release do not name the collective; add --collective with one of: {}",
         row.line, collective_names());
}

bool reduces(std::string_view collective) {
  return collective == "allreduce" || collective == "reduce" || collective == "reduce_scatter";
}

struct Cases {
  CaseList list;
  PrintedBandwidths bandwidths;
};

void set_param_figures(Cases& all, CaseRecord& c, const ParamRow& row) {
  c.time_s = row.time_us.value / 1e6;
  if (c.key.bytes == 0) return;
  const Computed computed = bandwidth_GBps(static_cast<double>(c.key.bytes), row.time_us);
  settle(c.algbw_GBps, row.algbw, computed, all.bandwidths);
  if (!collective_named(c.key.collective)) {
    if (row.busbw) c.busbw_GBps = row.busbw->value;  // computed with PARAM's own factor
    return;
  }
  const double factor = bus_factor_of(c.key.collective, c.key.ranks);
  if (settle(c.busbw_GBps, row.busbw, computed.times(factor), all.bandwidths)) c.bus_factor = factor;
}

CaseRecord param_case(const ImportRequest& request, const Log& log, const ParamRow& row, int ranks) {
  CaseRecord c{.key = {.collective = param_collective(request, row),
                       .backend = log.backend.value_or("unknown"),
                       .bytes = row.bytes,
                       .ranks = ranks,
                       .group = "world"},
               .count = row.count};
  if (!row.type.empty()) c.key.type = type_named(row.type);
  if (reduces(c.key.collective)) c.key.op = "sum";
  tell_nodes(c.key, request);
  if (log.local_size && c.key.nodes && ranks == *c.key.nodes * *log.local_size) c.key.ranks_per_node = *log.local_size;
  if (log.blocking) c.key.cadence = *log.blocking ? "barrier" : "streaming";
  if (log.backend == "nccl") c.key.memory = "device";
  c.check.state = CheckState::unknown;
  return c;
}

Cases param_cases(const ImportRequest& request, const Log& log, int ranks) {
  Cases all;
  for (const ParamRow& row : log.rows) {
    CaseRecord c = param_case(request, log, row, ranks);
    set_param_figures(all, c, row);
    all.list.add(std::move(c));
  }
  return all;
}

// Records

/// The number of ranks that busbw/algbw of a collective gives away, if it is a single one.
std::optional<SizeClaim> claim_of_factor(const ImportRequest& request, const Log& log) {
  std::map<std::string, std::vector<BandwidthPair>> pairs;
  for (const ParamRow& row : log.rows)
    if (row.algbw && row.busbw)
      pairs[param_collective(request, row)].push_back({.algbw = *row.algbw, .busbw = *row.busbw});
  for (auto& [collective, of_it] : pairs) {
    const auto range = collective_named(collective) ? ranks_by_factor(collective, std::move(of_it)) : std::nullopt;
    if (range && range->low == range->high)
      return SizeClaim{.number = range->low, .source = "busbw/algbw of " + collective};
  }
  return std::nullopt;
}

/// The request with ranks and nodes of the log.
ImportRequest param_places(const ImportRequest& request, const Log& log, Notes& doubts) {
  std::vector<SizeClaim> claims = rank_claims(log.launch, {});
  if (log.world_size) {
    claims.push_back({.number = *log.world_size, .source = "'world_size'"});
    if (auto claim = claim_of_factor(request, log)) claims.push_back(*std::move(claim));
  }
  ImportRequest settled = request;
  settled.ranks = settle_ranks(request, claims, doubts);
  if (!settled.ranks) refuse(request, "no line \"PARAM COMM environment\" with 'world_size'; add --ranks N");
  const int ranks = *settled.ranks;
  claims = node_claims(log.launch, {}, ranks);
  if (log.local_size && ranks % *log.local_size == 0)
    claims.push_back({.number = ranks / *log.local_size, .source = fmt::format("'local_size': {}", *log.local_size)});
  settled.nodes = settle_nodes(request, claims, ranks, doubts);
  return settled;
}

Notes param_warnings(const Log& log, const Cases& cases, Notes all) {
  warn_of_torn_rows(all, log.torn);
  if (log.others > 0)
    add_note(all, "{} left out: point-to-point, quantised, or without a header", plural(log.others, "row"));
  cases.list.note_repeats(all, "row");
  if (cases.bandwidths.contradicted > 0)
    add_note(all, "{} of {} printed bandwidths are not what size, time and collective give: they were kept",
             cases.bandwidths.contradicted, cases.bandwidths.all);
  return all;
}

RunRecord param_head(const ImportRequest& request, const Log& log, const CaseKey& first) {
  RunRecord head = imported_head(request, "param-comms");
  head.id = import_id(request, first.collective);
  head.ranks = first.ranks;
  head.nodes = first.nodes;
  head.method = {.cadence = first.cadence.value_or("unknown"),
                 .rank_rule = RankRule::median,
                 .statistic = Statistic::mean,
                 .check = "unknown"};
  head.notes = {
      "a time is the median over ranks of their means over iterations; p75, p95, minimum and maximum of PARAM "
      "are over ranks as well and not imported",
      log.backend ? "the backend is PyTorch's, as the log says" : "the log does not say which backend",
      "reductions are sums, as PARAM always has them; whether in place the log does not say"};
  return head;
}

bool recognises_param(std::string_view text) {
  return any_line(text, [](const LogLine& line) { return trimmed(line.text).starts_with(mark); });
}

std::vector<ImportedRun> read_param(const ImportRequest& request) {
  const Log log = read_param_log(request.text);
  if (log.rows.empty())
    refuse(request, "no row of a collective that can be read ({} left out)",
           plural(log.torn.size() + static_cast<std::size_t>(log.others), "row"));
  Notes doubts;
  const ImportRequest settled = param_places(request, log, doubts);
  Cases cases = param_cases(settled, log, *settled.ranks);
  ImportedRun run{.cases = cases.list.sorted_cases(),
                  .end = {.status = EndStatus::unknown},
                  .warnings = param_warnings(log, cases, std::move(doubts)),
                  .rows = static_cast<int>(log.rows.size())};
  run.head = param_head(request, log, run.cases.front().key);
  run.head.notes.insert(run.head.notes.begin(), run.warnings.begin(), run.warnings.end());
  note_stated(run.head.notes, request);
  count_cases(run.end, run.cases);
  run.collective = subjects(run.cases);
  return {std::move(run)};
}

}  // namespace

extern const Importer param_text{
    .name = "PARAM text",
    .about = "the tables of PARAM's comms benchmark",
    .recognises = recognises_param,
    .read = read_param,
};

}  // namespace busbar
