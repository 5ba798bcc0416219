// SPDX-License-Identifier: Apache-2.0
#include "core/job/recorder.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "core/launcher.hpp"
#include "core/privacy.hpp"

namespace busbar {
namespace {

/// A new name under results/: when, what, how many ranks.
std::string default_out(const std::string& what, const std::string& id, int ranks) {
  return fmt::format("results/{}-{}-np{}.jsonl", id.substr(0, 16), what, ranks);
}

}  // namespace

Recorder::Recorder(const JobOptions& options, const std::string& what, const std::string& id, int ranks)
    : journal_(options.out.value_or(default_out(what, id, ranks)), options.overwrite),
      console_(options.progress == "always" || (options.progress == "auto" && stdout_is_terminal())) {}

void Recorder::attempt_to(const std::function<void()>& write) {
  if (problem_) return;
  try {
    write();
  } catch (const Error& e) {
    problem_ = e.what();
  }
}

void Recorder::begin(const RunRecord& run) {
  console_.head(run);
  const std::string path = journal_.path().string();  // a file or a log that others may see has no people in it
  console_.note(fmt::format("record: {}", stdout_is_terminal() ? path : without_people(path, this_person())));
  attempt_to([&] { journal_.write(run); });
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
