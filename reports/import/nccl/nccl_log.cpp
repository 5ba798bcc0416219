// SPDX-License-Identifier: Apache-2.0
#include "reports/import/nccl/nccl_log.hpp"

#include <algorithm>
#include <array>

#include "core/base/words.hpp"
#include "core/environment/environment.hpp"
#include "reports/import/abort_lines.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/collective_names.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

constexpr std::array own_errors{"Test NCCL failure"sv, "Test CUDA failure"sv, "Test failure"sv,
                                "Invalid number of GPUs"sv};

/// The word after `key`; empty if there is none.
std::string_view word_after(const std::vector<Word>& line, std::string_view key) {
  const auto at = std::ranges::find(line, key, &Word::text);
  return at == line.end() || at + 1 == line.end() ? std::string_view{} : (at + 1)->text;
}

std::optional<NcclRank> rank_line(std::string_view text) {
  const std::vector<Word> line = words(text);
  if (line.size() < 6 || line[0].text != "#" || line[1].text != "Rank") return std::nullopt;
  const auto rank = small_integer(line[2].text);
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', std::min(open, text.size()));
  const std::string_view host = word_after(line, "on"), process = word_after(line, "Pid");
  const auto index = small_integer(word_after(line, "device"));
  const bool one_line =
      std::ranges::count(line, "Rank", &Word::text) == 1 && text.find('#', text.find('#') + 1) == text.npos;
  if (!rank || *rank >= most_stated_ranks || host.empty() || close == std::string_view::npos || !one_line ||
      !integer(process) || !index)
    return std::nullopt;
  return NcclRank{.rank = *rank,
                  .group = small_integer(word_after(line, "Group")).value_or(0),
                  .process = std::string(process),
                  .index = index,
                  .host = std::string(host),
                  .bus = std::string(text.substr(open + 1, close - open - 1)),
                  .device = std::string(trimmed(text.substr(close + 1)))};
}

/// True for a line of the list of ranks, or part of one.
bool is_of_rank_list(std::string_view text) {
  constexpr std::array parts{"Rank "sv, " Pid "sv, " device "sv, "Group "sv};
  const auto held = std::ranges::count_if(parts, [text](std::string_view part) { return holds(text, part); });
  return held >= 2 || trimmed(text).starts_with("#  Rank") || trimmed(text).starts_with("#   Rank");
}

NcclSettings settings_line(std::string_view text) {
  NcclSettings s;
  const std::vector<Word> line = words(text);
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    const auto value = small_integer(line[i + 1].text);
    if (line[i].text == "nThread") s.threads = value;
    if (line[i].text == "nGpus") s.gpus = value;
    if (line[i].text == "validation:") s.validation = value;
    if (line[i].text == "graph:") s.graph = value;
    if (line[i].text != "iters:") continue;
    const std::string_view kind = line[i - 1].text;
    (kind == "warmup" ? s.warmup : kind == "agg" ? s.aggregated : s.iterations) = value;
  }
  return s;
}

/// Records a variable if records may contain it.
void keep_variable(NcclLog& log, std::string_view name, std::string_view value) {
  if (name.starts_with("NCCL_") && environment_allowed(std::string(name))) log.environment.emplace(name, value);
}

/// Parses the word "NCCL_X=value".
void keep_assignment(NcclLog& log, std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals != std::string_view::npos) keep_variable(log, word.substr(0, equals), unquoted(word.substr(equals + 1)));
}

/// Collects NCCL_* variables: at the start of a line (env, export, a command's prefix), after mpirun's -x, or in NCCL's
/// "NCCL_X set by environment to value.". Other mentions do not count.
void read_environment_of_line(NcclLog& log, std::string_view text, const std::vector<Word>& line) {
  if (!holds(text, "NCCL_")) return;
  bool start = true;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view word = line[i].text;
    const std::string_view before = i == 0 ? std::string_view{} : line[i - 1].text;
    if (start || before == "-x" || before == "--env") keep_assignment(log, word);
    start = start &&
            (word == "+" || word == "export" || word == "env" || word == "-x" || word == "declare" || holds(word, "="));
    const bool set = i + 5 < line.size() && word.starts_with("NCCL_") && line[i + 1].text == "set" &&
                     line[i + 2].text == "by" && line[i + 3].text == "environment" && line[i + 4].text == "to";
    if (!set) continue;
    std::string_view value = line[i + 5].text;
    if (value.ends_with('.')) value.remove_suffix(1);
    keep_variable(log, word, value);
  }
}

void read_library(NcclLog& log, std::string_view text) {
  const std::size_t at = text.find("NCCL version ");
  if (at == std::string_view::npos) return;
  std::string said(text.substr(at, text.find_first_of(" \t", at + "NCCL version "sv.size()) - at));
  constexpr std::size_t most = 8;
  const bool known = std::ranges::find(log.libraries, said) != log.libraries.end();
  if (!known && log.libraries.size() < most) log.libraries.push_back(std::move(said));
}

/// Assigns each line to its job.
class NcclLogReader {
 public:
  NcclLog read(std::string_view text) {
    LogLines lines(text);
    while (const auto line = lines.next()) {
      read_line(*line);
      last_line_ = line->number;
    }
    for (const auto& [stream, job] : newest_) log_.jobs[job].last_line = last_line_;
    log_.launch =
        read_launch_lines(text, [](std::string_view word) { return collective_of_program(word).has_value(); });
    return std::move(log_);
  }

 private:
  /// The current job of a stream; nullptr before the first.
  NcclJob* current(std::string_view stream) {
    const auto job = newest_.find(stream);
    return job == newest_.end() ? nullptr : &log_.jobs[job->second];
  }

  /// Starts a job; the stream's previous job ends at the line before.
  NcclJob& begin(const LogLine& line) {
    if (NcclJob* before = current(line.stream)) before->last_line = line.number - 1;
    newest_[line.stream] = log_.jobs.size();
    return log_.jobs.emplace_back(NcclJob{.stream = std::string(line.stream), .first_line = line.number});
  }

  /// True if a line that opens a job cannot be of another process of this one: the job came to its end, or the line has
  /// other settings, or a command stands before it.
  [[nodiscard]] bool is_over(const NcclJob& job, std::string_view opening) const {
    if (job.starts == 0) return false;
    if (job.closings >= job.starts || job.crashed || job.opening != opening) return true;
    if (log_.programs.empty()) return false;
    const Said& program = log_.programs.back();
    const bool closings_lost = !job.rows.empty() && program.line > job.rows.back().line;
    return closings_lost || (program.line > job.opened && holds(program.text, "_perf -"));
  }

  /// Starts a job whose opening line is lost.
  NcclJob& begin_unopened(const LogLine& line) {
    NcclJob& job = begin(line);
    add_note(job.warnings,
             "line {}: another run begins without its opening line: what is known of it may be of the run before",
             line.number);
    return job;
  }

  /// "# nThread ...": starts a job, or counts another independent process of the current one.
  void begin_job(const LogLine& line) {
    const std::string_view opening = trimmed(line.text);
    NcclJob* job = current(line.stream);
    if (job == nullptr || is_over(*job, opening)) job = &begin(line);
    job->opened = line.number;
    if (++job->starts > 1) return;
    job->settings = settings_line(line.text);
    job->opening = opening;
  }

  /// Handles nccl-tests' lines that start with "#". False for all other lines.
  bool read_comment(const LogLine& line) {
    const std::string_view text = trimmed(line.text);
    if (!text.starts_with('#')) return false;
    if (holds(text, "out-of-place")) above_ = text;
    if (text.starts_with("# nThread ")) {
      begin_job(line);
    } else if (auto rank = rank_line(line.text)) {
      NcclJob* job = current(line.stream);
      if (job == nullptr)
        job = &begin(line);
      else if (job->headers > 0 && job->starts <= 1)  // of another one, whose opening line is lost
        job = &begin_unopened(line);
      job->ranks.push_back(*std::move(rank));
    } else if (auto columns = nccl_columns(line.text, above_)) {
      begin_table(line, *std::move(columns));
    } else if (text.starts_with("# nccl-tests version ")) {
      version_ = words(text)[3].text;
    } else if (NcclJob* job = current(line.stream)) {
      read_about_job(*job, text);
      read_torn_rank(line);
    }
    return true;
  }

  /// A second table in a run is that of another one, whose opening lines are lost.
  void begin_table(const LogLine& line, NcclColumns columns) {
    NcclJob* job = current(line.stream);
    if (job == nullptr || job->headers >= std::max(1, job->starts))
      job = job == nullptr ? &begin(line) : &begin_unopened(line);
    job->columns = std::move(columns);
    ++job->headers;
  }

  /// Notices lines of the list of ranks that nccl-tests did not print so.
  void read_torn_rank(const LogLine& line) {
    NcclJob* job = current(line.stream);
    if (job != nullptr && job->headers == 0 && is_of_rank_list(line.text)) job->torn_ranks.push_back(line.number);
  }

  void read_about_job(NcclJob& job, std::string_view text) {
    if (text.starts_with("# Blocking Enabled")) job.blocking = true;
    const std::string value(trimmed(behind(text, ":")));
    if (text.starts_with("# Out of bounds values") && !job.out_of_bounds) job.out_of_bounds = value;
    if (text.starts_with("# Collective test concluded: "))
      job.concluded = collective_of_program(last_word(text)).value_or("");
    if (!text.starts_with("# Avg bus bandwidth")) return;
    ++job.closings;
    if (!job.average) job.average = value;
  }

  void add_row(const LogLine& line) {
    NcclJob* job = current(line.stream);
    if (job == nullptr || !job->columns) return;
    const bool alone = job->starts <= 1;
    const bool over = alone ? job->out_of_bounds || job->closings > 0 : job->closings >= job->starts;  // of another run
    if (auto row = nccl_row(*job->columns, line); row && !over)
      job->rows.push_back(*std::move(row));
    else
      job->torn_lines.push_back(line.number);
  }

  void read_other_line(const LogLine& line, const std::vector<Word>& all, bool names_program) {
    NcclJob* job = current(line.stream);
    read_torn_rank(line);
    const bool error = holds_any(line.text, own_errors);
    const bool abort = !error && is_abort_line(line.text);
    if (error) log_.errors.push_back({line.number, quotable(line.text)});
    if (abort) log_.aborts.push_back({line.number, quotable(line.text)});
    if ((error || abort) && !log_.jobs.empty()) log_.jobs.back().crashed = true;
    if (!log_.exit_code) log_.exit_code = exit_code_of(line.text);
    const bool noise = error || abort || names_program || all.empty() || holds(line.text, " NCCL INFO ");
    if (job != nullptr && job->closings > 0 && !noise) log_.after.push_back({line.number, quotable(line.text)});
  }

  void read_line(const LogLine& line) {
    const std::vector<Word> all = words(line.text);
    const bool names_program = holds(line.text, "_perf") && std::ranges::any_of(all, [](const Word& w) {
                                 return collective_of_program(w.text).has_value();
                               });
    if (names_program) log_.programs.push_back({line.number, std::string(line.text)});
    read_library(log_, line.text);
    read_environment_of_line(log_, line.text, all);
    if (!read_comment(line)) {
      if (looks_like_nccl_row(line.text))
        add_row(line);
      else
        read_other_line(line, all, names_program);
    }
    if (NcclJob* job = current(line.stream); job != nullptr && version_ && job->starts > 0 && !job->tests_version)
      job->tests_version = std::string(*version_);
  }

  NcclLog log_;
  std::map<std::string_view, std::size_t> newest_;  ///< current job of each stream; keys are views into the log
  int last_line_ = 0;
  std::string_view above_;
  std::optional<std::string_view> version_;
};

}  // namespace

NcclLog read_nccl_log(std::string_view text) { return NcclLogReader{}.read(text); }

}  // namespace busbar
