// SPDX-License-Identifier: Apache-2.0
#include "core/job/recorder.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "core/launcher.hpp"
#include "core/privacy.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/units.hpp"

namespace busbar {
namespace {

/// A new name under results/: when, what, how many ranks.
std::string default_out(const std::string& what, const std::string& id, int ranks) {
  return fmt::format("results/{}-{}-np{}.jsonl", id, what, ranks);
}

/// Two runs can begin in the same second: then the random part of the id tells them apart.
JournalWriter new_default(const std::string& what, const std::string& id, int ranks) {
  constexpr std::size_t start = 16;  // characters of an id that tell when
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

/// Throws UsageError.
Run read_to_resume(const std::string& file) {
  Run run = read_journal(file, Detail::without_samples);
  if (run.head.origin == "imported")
    throw UsageError(fmt::format("--resume: {} is imported; name a record of a launch of this program", file));
  return run;
}

}  // namespace

Recorder::Recorder(const JobOptions& options, const std::string& what, const std::string& id, int ranks)
    : journal_(open_record(options, what, id, ranks)),
      console_(options.progress == "always" || (options.progress == "auto" && stdout_is_terminal())) {
  if (options.resume) resumed_ = read_to_resume(*options.resume);
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

bool Recorder::is_whole() const {
  return resumed_ && resumed_->end && (resumed_->end->status == "ok" || resumed_->end->status == "failed");
}

void Recorder::begin(RunRecord run, const KeptCases& kept) {
  console_.head(run);
  const std::string path = journal_.path().string();  // a file or a log that others may see has no people in it
  console_.note(fmt::format("record: {}", stdout_is_terminal() ? path : without_people(path, this_person())));
  if (resumed_) {
    run.resumes = resumed_->head.id;
    console_.note(fmt::format("resumed: {} of {} are there since {}; these are not measured again", number_of(kept),
                              plural(kept.size(), "case"), resumed_->head.start_utc.value_or("an unknown time")));
  }
  attempt_to([&] { journal_.write(run); });
  if (!resumed_) return;
  for (const CaseRecord& c : resumed_->cases)
    if (const auto i = static_cast<std::size_t>(c.index); i < kept.size() && kept[i]) console_.row(c);
}

void Recorder::take(const CaseRecord& record) {
  attempt_to([&] { journal_.write(record); });
  console_.row(record);
}

void Recorder::keep(std::span<const CaseRecord> unfinished) {
  attempt_to([&] { journal_.write_unfinished(unfinished); });
}

void Recorder::finish(EndRecord end) {
  attempt_to([&] { journal_.write(end); });
  if (problem_) {
    end.status = "output";
    end.reason = problem_;
  }
  console_.foot(end);
}

void count(EndRecord& end, Status status) {
  ++(status == Status::ok ? end.ok : status == Status::skipped ? end.skipped : end.failed);
}

EndRecord conclude(EndRecord end, bool stopped, double wall_s) {
  end.status = "ok";
  end.end_utc = utc_now();
  end.wall_s = wall_s;
  Exit code = Exit::ok;
  if (end.failed > 0 || end.ok == 0) {
    code = Exit::failed;
    end.status = "failed";
    end.reason = end.failed > 0 ? "some cases failed" : "nothing could be measured";
  }
  if (stopped) {
    code = Exit::interrupted;
    end.status = "interrupted";
    end.reason = "ended by a signal";
  }
  end.exit_code = static_cast<int>(code);
  return end;
}

}  // namespace busbar
