// SPDX-License-Identifier: Apache-2.0
#include "core/job/recorder.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/privacy.hpp"
#include "core/base/units.hpp"
#include "core/journal/earlier_launches.hpp"
#include "core/ranks/launcher.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/statistics/interval.hpp"
#include "core/statistics/summary.hpp"
#include "core/statistics/undisturbed.hpp"
#include "core/tables/named_table.hpp"

namespace busbar {
namespace {

/// A new name under results/: time, subject, number of ranks.
std::string default_out(const std::string& what, const std::string& id, int ranks) {
  return fmt::format("results/{}-{}-np{}.jsonl", id, what, ranks);
}

/// Two runs may start in the same second: the random part of the id then distinguishes them.
JournalWriter new_default(const std::string& what, const std::string& id, int ranks) {
  constexpr std::size_t start = 16;  // characters of an id that encode its time
  try {
    return JournalWriter(default_out(what, id.substr(0, start), ranks));
  } catch (const FileExists&) {
    return JournalWriter(default_out(what, id, ranks));
  }
}

JournalWriter open_record(const JobOptions& options, const std::string& what, const std::string& id, int ranks) {
  if (options.resume) return JournalWriter::resume(*options.resume);
  if (options.out) return JournalWriter(*options.out, options.overwrite);
  return new_default(what, id, ranks);
}

/// Empty if the run was killed before its first line. Throws UsageError.
std::optional<Run> read_to_resume(const std::string& file) {
  std::error_code problem;
  if (std::filesystem::file_size(file, problem) == 0 && !problem) return std::nullopt;
  Run run = read_journal(file, Detail::without_samples);
  if (run.head.origin == Origin::imported)
    throw UsageError(fmt::format("--resume: {} is imported; name a record of a launch of this program", file));
  return run;
}

Console::Progress progress_of(const std::string& word, bool terminal) {
  if (word == "never") return Console::Progress::none;
  if (terminal) return Console::Progress::live;
  return word == "always" ? Console::Progress::line : Console::Progress::lines;
}

}  // namespace

Recorder::Recorder(const JobOptions& options, const std::string& what, const std::string& id, int ranks,
                   VerdictOf verdict)
    : journal_(open_record(options, what, id, ranks)),
      terminal_(stdout_terminal()),
      console_(progress_of(options.progress, terminal_.has_value()), terminal_),
      verdict_(verdict) {
  resuming_ = options.resume.has_value();
  if (resuming_) resumed_ = read_to_resume(*options.resume);
}

KeptCases Recorder::kept(const RunRecord& run, const PlannedCases& planned) const {
  if (!resumed_) return {};
  require_same(*resumed_, run);
  return kept_cases(*resumed_, planned);
}

void Recorder::attempt_to(const std::function<void()>& write) {
  if (problem_) return;
  try {
    write();
  } catch (const Error& e) {
    problem_ = e.what();
  }
}

bool Recorder::is_whole() const { return resumed_ && resumed_->end && ran_to_end(resumed_->end->status); }

void Recorder::begin(RunRecord run, const KeptCases& kept) {
  if (run.origin == Origin::measured && run.method.statistic == Statistic::median_of_rounds) {
    const auto budget_s = run.method.stop ? run.method.stop->run_budget_s : std::nullopt;
    earlier_ = earlier_launches(journal_.path().parent_path(), run, bytes_worth_reading(budget_s));
    run.method.launch_spread = earlier_->spread;
  }
  console_.head(run);
  const std::string path = journal_.path().string();  // a file or log that others may read must not name people
  console_.note(fmt::format("record: {}", terminal_ ? path : without_people(path, this_person())));
  if (resumed_) {
    run.resumes = resumed_->head.id;
    console_.note(fmt::format("resumed: {} of {} are there since {}; these are not measured again", number_of(kept),
                              plural(kept.size(), "case"), resumed_->head.start_utc.value_or("an unknown time")));
  }
  if (resuming_ && !resumed_) console_.note("the record is empty: the run starts over");
  attempt_to([&] { journal_.write(run); });
  measured_.head = std::move(run);
  if (!resumed_) return;
  for (const CaseRecord& c : resumed_->cases)
    if (const auto i = static_cast<std::size_t>(c.index); i < kept.size() && kept[i]) {
      cold_starts_.add_case(c);
      alternations_.add_case(c);
      console_.row(c);
    }
}

/// Adds the interval for later launches.
CaseRecord Recorder::widen(CaseRecord record) const {
  if (earlier_ && record.time_s && *record.time_s > 0)
    record.interval_of_launches_s = interval_of_launches(record, *earlier_);
  return record;
}

void Recorder::compare_with_earlier(const CaseRecord& record) {
  if (!earlier_ || !record.time_s || !(*record.time_s > 0)) return;
  const auto known = earlier_->cases.find(to_string(record.key));
  if (known != earlier_->cases.end()) over_earlier_.push_back(*record.time_s / known->second.median_s);
}

void Recorder::add_case(const CaseRecord& record) {
  cold_starts_.add_case(record);
  alternations_.add_case(record);
  if (record.interval_s) half_widths_.push_back(relative_half_width(*record.interval_s));
  if (record.ended_by == EndedBy::run_budget || record.ended_by == EndedBy::time_budget) cut_short_ = true;
  compare_with_earlier(record);
  rounds_.insert(rounds_.end(), record.rounds.begin(), record.rounds.end());
  CaseRecord widened = widen(record);
  attempt_to([&] { journal_.write(widened); });
  console_.row(widened);
  if (!verdict_) return;
  measured_.cases.push_back(std::move(widened));
  measured_.cases.back().samples_s = {};
}

void Recorder::keep(std::span<const CaseRecord> unfinished) {
  attempt_to([&] { journal_.write_unfinished(unfinished); });
  if (!console_.is_live()) return;
  std::vector<CaseRecord> widened;
  std::ranges::transform(unfinished, std::back_inserter(widened), [this](const CaseRecord& c) { return widen(c); });
  console_.provisional(widened);
}

void Recorder::finish(EndRecord end) {
  if (cut_short_ && !half_widths_.empty()) end.half_width = median(half_widths_);
  end.cold_over_hot = cold_starts_.pairs();
  end.alternations = alternations_.found();
  if (const auto full_s = full_pace_s(rounds_))
    end.pace = LaunchPace{.full_s = *full_s, .known_s = earlier_ ? earlier_->pace_s : std::nullopt};
  if (!over_earlier_.empty())
    end.over_earlier = OverEarlier{.ratio = median(over_earlier_), .launches = earlier_->spread.launches};
  if (verdict_ && !resumed_) end.verdict = verdict_(measured_, end.over_earlier);
  attempt_to([&] { journal_.write(end); });
  if (problem_) {
    end.status = EndStatus::output;
    end.reason = problem_;
  }
  console_.foot(end);
}

EndRecord conclude(EndRecord end, bool stopped, double wall_s) {
  end.status = EndStatus::ok;
  end.end_utc = utc_now();
  end.wall_s = wall_s;
  Exit code = Exit::ok;
  if (end.cases.failed > 0 || end.cases.measured() == 0) {
    code = Exit::failed;
    end.status = EndStatus::failed;
    end.reason = end.cases.failed > 0 ? "some cases failed" : "nothing could be measured";
  }
  if (stopped) {
    code = Exit::interrupted;
    end.status = EndStatus::interrupted;
    end.reason = "ended by a signal";
  }
  end.exit_code = static_cast<int>(code);
  return end;
}

}  // namespace busbar
