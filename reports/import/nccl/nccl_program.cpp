// SPDX-License-Identifier: Apache-2.0
#include "reports/import/nccl/nccl_program.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/ranges.h>

#include "reports/import/collective_names.hpp"
#include "reports/import/nccl/nccl_places.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

/// The line that names this job's program: the last one before its rows, or any if the log has only one job.
const Said* program_line(const NcclLog& log, const NcclJob& job) {
  const int limit = job.rows.empty() ? job.last_line : job.rows.front().line;
  const Said* found = nullptr;
  for (const Said& said : log.programs)
    if (said.line < limit || (found == nullptr && log.jobs.size() == 1)) found = &said;
  return found;
}

/// Sets the collective, unless it is known already.
void set_collective(NcclProgram& p, const std::optional<std::string>& name, std::string_view told_by) {
  if (!p.collective.empty() || !name || name->empty()) return;
  p.collective = *name;
  p.told_by = told_by;
}

void read_program_line(NcclProgram& p, const Said& said) {
  const std::vector<Word> line = words(said.text);
  const auto at = std::ranges::find_if(line, [](const Word& w) { return collective_of_program(w.text).has_value(); });
  set_collective(p, collective_of_program(at->text), "the log");
  for (const Word& word : line) p.command.emplace_back(word.text);
  p.line = said.line;
  const bool command = at + 1 != line.end() && (at + 1)->text.starts_with('-');
  for (auto word = at; command && word != line.end(); ++word) {
    if (word->text.find_first_of("|<>&;") != std::string_view::npos) break;  // shell syntax, not an argument
    p.argv.emplace_back(word->text);
  }
}

void read_program_words(NcclProgram& p, const std::vector<std::string>& argv) {
  p.argv = argv;
  set_collective(p, collective_of_program(argv.front()), "the log");
}

/// How the rows of a collective look (src/*.cu of nccl-tests, of whose programs only hypercube_perf is no collective of
/// a record: it has neither reduction nor root, and factor 1).
struct RowShape {
  std::string_view collective;
  bool reduces, rooted;
};

constexpr std::array shapes{
    RowShape{"allreduce", true, false}, RowShape{"reduce_scatter", true, false}, RowShape{"sendrecv", true, false},
    RowShape{"reduce", true, true},     RowShape{"broadcast", false, true},      RowShape{"gather", false, true},
    RowShape{"scatter", false, true},   RowShape{"allgather", false, false},     RowShape{"alltoall", false, false},
};

bool reduces_in(const NcclRow& row) { return row.op.has_value(); }
bool has_root(const NcclRow& row) { return row.root.has_value(); }

bool has_column(const NcclJob& job, std::string_view name) { return job.columns && job.columns->has(name); }

/// Whether all rows satisfy the condition, or none; empty if some do.
template <class Condition>
std::optional<bool> of_all_rows(const NcclJob& job, Condition condition) {
  const auto number = std::ranges::count_if(job.rows, condition);
  if (number == 0) return false;
  return number == static_cast<std::ptrdiff_t>(job.rows.size()) ? std::optional(true) : std::nullopt;
}

/// True if three quarters of the bandwidths that are not too small have this factor.
bool fits_factor(const NcclJob& job, double factor) {
  int fit = 0, all = 0;
  for (const auto& [algbw, busbw] : bandwidth_pairs(job)) {
    if (algbw.low() <= 0) continue;
    ++all;
    if (agrees(busbw, algbw.low() * factor, algbw.high() * factor)) ++fit;
  }
  return fit > 0 && 4 * fit >= 3 * all;
}

/// The collectives of nccl-tests that a job on `ranks` ranks can be of: by whether its rows have a reduction and a
/// root, and by busbw/algbw.
std::vector<std::string> collectives_of_rows(const NcclJob& job, int ranks) {
  std::vector<std::string> all;
  if (ranks < 2 || job.rows.empty() || !has_column(job, "redop") || !has_column(job, "root")) return all;
  const auto reduces = of_all_rows(job, reduces_in);
  const auto rooted = of_all_rows(job, has_root);
  for (const RowShape& shape : shapes)
    if (shape.reduces == reduces && shape.rooted == rooted && fits_factor(job, bus_factor_of(shape.collective, ranks)))
      all.emplace_back(shape.collective);
  return all;
}

/// Ranks as stated or as a complete list has them; 0 if neither tells.
int listed_ranks(const ImportRequest& request, const NcclJob& job) {
  if (request.ranks) return *request.ranks;
  const std::vector<NcclRank> ranks = ranks_of(job);
  const auto listed = static_cast<int>(ranks.size());
  return listed > 0 && ranks.back().rank + 1 == listed ? listed : 0;
}

}  // namespace

NcclProgram nccl_program(const ImportRequest& request, const NcclLog& log, const NcclJob& job) {
  NcclProgram p;
  set_collective(p, request.collective, "--collective");
  set_collective(p, job.collective, "the log");
  if (!log.argv.empty()) read_program_words(p, log.argv);
  const Said* said = program_line(log, job);
  if (said != nullptr) read_program_line(p, *said);
  const std::string file = std::filesystem::path(request.source).filename().string();
  if (!p.collective.empty()) {
    const bool late = said != nullptr && !job.rows.empty() && said->line > job.rows.front().line;
    const auto by_file = late && p.told_by == "the log" ? collective_in_file_name(file) : std::nullopt;
    if (by_file && *by_file != p.collective)
      add_note(p.doubts, "{} was taken from line {}, which follows the table, but the file's name says {}",
               p.collective, said->line, *by_file);
    return p;
  }
  set_collective(p, collective_in_file_name(file), "the file's name");
  if (!p.collective.empty()) return p;
  const std::vector<std::string> fitting = collectives_of_rows(job, listed_ranks(request, job));
  if (fitting.size() != 1)
    refuse(request,
           "neither the log nor the file's name says which collective this is; add --collective with one of: {}",
           fitting.empty() ? collective_names() : fmt::format("{}", fmt::join(fitting, ", ")));
  set_collective(p, fitting.front(), "redop, root and busbw/algbw");
  p.inferred = true;
  return p;
}

std::string contradiction_of_rows(const NcclJob& job, std::string_view collective) {
  const auto shape = std::ranges::find(shapes, collective, &RowShape::collective);
  if (shape == shapes.end() || job.rows.empty()) return "";
  const auto reduces = of_all_rows(job, reduces_in), rooted = of_all_rows(job, has_root);
  if (has_column(job, "root") && rooted == !shape->rooted)
    return shape->rooted ? "no row has a root" : "its rows have a root";
  if (has_column(job, "redop") && reduces == !shape->reduces)
    return shape->reduces ? "no row has a reduction" : "its rows have a reduction";
  return "";
}

std::vector<BandwidthPair> bandwidth_pairs(const NcclJob& job) {
  std::vector<BandwidthPair> pairs;
  for (const NcclRow& row : job.rows)
    for (const NcclHalf& half : row.halves)
      if (half.algbw_GBps && half.busbw_GBps) pairs.push_back({.algbw = *half.algbw_GBps, .busbw = *half.busbw_GBps});
  return pairs;
}

std::optional<std::string> nccl_option(const std::vector<std::string>& argv, std::string_view brief,
                                       std::string_view full) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string_view word = argv[i];
    if (word == brief || word == full) return i + 1 < argv.size() ? std::optional(argv[i + 1]) : std::nullopt;
    if (word.starts_with(full) && word.substr(full.size()).starts_with('='))
      return std::string(word.substr(full.size() + 1));
    if (word.starts_with(brief) && !word.starts_with("--")) return std::string(word.substr(brief.size()));
  }
  return std::nullopt;
}

RankRule nccl_rank_rule(const std::vector<std::string>& argv) {
  const std::string value = nccl_option(argv, "-a", "--average").value_or("1");
  if (value == "0") return RankRule::rank_0;
  if (value == "2") return RankRule::fastest;
  return value == "3" ? RankRule::slowest : RankRule::mean;
}

}  // namespace busbar
