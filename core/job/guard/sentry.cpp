// SPDX-License-Identifier: Apache-2.0
#include "core/job/guard/sentry.hpp"

#include <algorithm>
#include <array>
#include <csignal>

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/terminal_text.hpp"
#include "core/job/guard/channel.hpp"
#include "core/job/guard/last_record.hpp"
#include "core/journal/journal.hpp"
#include "core/machine/host_name.hpp"
#include "core/machine/local_clock.hpp"
#include "core/record/end_record.hpp"

namespace busbar::guarding {
namespace {

constexpr double tick_s = 0.05;        ///< poll interval during an alarm
constexpr double again_s = 0.2;        ///< until a letter is sent again
constexpr double first_word_s = 0.5;   ///< minimum wait for more findings: the first failure may report last
constexpr double first_error_s = 1.5;  ///< the same if all findings are errors: each may follow from another
constexpr double obey_s = 1.5;         ///< time a rank has to end after it is told to, before it is killed
constexpr int most_letters_of_end = 3;
constexpr double parts_of_a_limit = 10, least_part_s = 0.2, most_part_s = 10;  ///< maximum sleep: a part of the limit
constexpr double suspended_s = 0.5;  ///< a longer delay in waking is not just a busy CPU

std::string dump(const nlohmann::json& j) { return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

}  // namespace

Sentry::Sentry(std::string program, int rank, pid_t process, LauncherProcess launcher, std::span<Progress> progress,
               int channel, const Post& post)
    : program_(std::move(program)),
      rank_(rank),
      process_(process),
      launcher_(std::move(launcher)),
      host_(host_name()),
      progress_(progress),
      channel_(channel),
      post_(post) {}

void Sentry::watch() {
  for (;; sleep()) {
    read_channel();
    read_post();
    if (gone_ && is_over() && alarm_ns_ == 0) ::_exit(0);
    watch_own_rank();
    if (alarm_ns_ == 0)
      greet();
    else if (!first_)
      end_alone();
    else if (is_first())
      gather();
    else
      report();
  }
}

/// Sleeps until there is something to do; for ever if there is neither a limit nor an event. A limit is slept through
/// in parts. A late wake-up means that the job was suspended (scontrol suspend, a paused container) and moves the
/// deadline.
void Sentry::sleep() {
  double seconds = -1;
  for (const Progress& progress : progress_)
    if (const auto deadline = progress.deadline_ns(); deadline != 0) {
      const double its_s = std::min(std::max(0.0, -seconds_since(deadline)) + 1e-3,
                                    std::clamp(progress.limit_s() / parts_of_a_limit, least_part_s, most_part_s));
      seconds = seconds < 0 ? its_s : std::min(seconds, its_s);
    }
  if (first_ && !is_first() && !greeted_) seconds = again_s;
  if (alarm_ns_ != 0) seconds = tick_s;
  std::array<pollfd, 2> events{pollfd{.fd = gone_ ? -1 : channel_, .events = POLLIN, .revents = 0},
                               pollfd{.fd = post_.descriptor(), .events = POLLIN, .revents = 0}};
  const std::int64_t begin_ns = steady_ns();
  ::poll(events.data(), events.size(), seconds < 0 ? -1 : static_cast<int>(std::min(seconds, 1e6) * 1e3));
  const double late_s = seconds_since(begin_ns) - seconds;
  if (seconds <= 0 || late_s <= suspended_s) return;
  for (Progress& progress : progress_) progress.extend(static_cast<std::int64_t>(late_s * 1e9));
}

/// Reads rank, size and the address of rank 0's guard, a host name, or the record's file.
void Sentry::read_channel() {
  while (!gone_) {
    const auto message = receive(channel_, gone_);
    if (!message) return;
    if (message->file >= 0) record_ = message->file;
    if (message->text.front() != '{') continue;  // only a request to look
    const auto j = nlohmann::json::parse(message->text);
    if (j.contains("host")) {
      host_ = j.at("host").get<std::string>();
      greeted_ = false;  // rank 0's guard needs the new name
      continue;
    }
    rank_ = j.at("rank").get<int>();
    ranks_ = j.at("ranks").get<int>();
    first_ = to_post_address(j.at("first").get<std::string>());
  }
}

void Sentry::read_post() {
  while (const auto letter = post_.receive()) {
    try {
      const auto j = nlohmann::json::parse(letter->text);
      if (first_ && j.at("token") == first_->token) read_letter(j, letter->from);
    } catch (const nlohmann::json::exception&) {
      continue;  // not from a guard
    }
  }
}

Status Sentry::status(std::size_t number) const {
  Status s = status_of(progress_[number], rank_ + static_cast<int>(number), host_, process_);
  if (gone_) s.process = Process::gone;
  return s;
}

std::vector<Status> Sentry::statuses() const {
  std::vector<Status> all;
  for (std::size_t i = 0; i < progress_.size(); ++i) all.push_back(status(i));
  return all;
}

bool Sentry::is_over() const {
  return std::ranges::all_of(progress_, [](const Progress& p) { return p.fate() == Progress::Fate::over; });
}

std::string Sentry::letter(std::string_view kind) const {
  nlohmann::json j{{"token", first_->token}, {"kind", kind}, {"statuses", statuses()}};
  if (alarm_) j["finding"] = *alarm_;
  return dump(j);
}

void Sentry::read_letter(const nlohmann::json& letter, const Post::Sender& from) {
  const auto kind = letter.at("kind").get<std::string>();
  if (is_first()) return read_letter_as_first(kind, letter, from);
  if (kind == "welcome") greeted_ = true;
  if (kind == "ask") post_.send(this->letter("answer"), from);
  if (kind != "end") return;
  end_rank();
  ::_exit(0);
}

void Sentry::read_letter_as_first(const std::string& kind, const nlohmann::json& letter, const Post::Sender& from) {
  const auto statuses = letter.at("statuses").get<std::vector<Status>>();
  others_[statuses.at(0).rank] = from;
  for (const Status& s : statuses) evidence_.hosts[s.rank] = s.host;
  if (kind == "hello") return post_.send(this->letter("welcome"), from);
  bool is_new = false;
  for (const Status& s : statuses) is_new = evidence_.statuses.insert_or_assign(s.rank, s).second;
  if (!letter.contains("finding")) return;
  if (alarm_ns_ == 0) alarm_ns_ = steady_ns();
  const auto found = letter.at("finding").get<Diagnosis>();
  const auto same = [&](const Diagnosis& f) { return f.status.rank == found.status.rank; };
  if (is_new || std::ranges::none_of(evidence_.findings, same)) evidence_.findings.push_back(found);
}

void Sentry::watch_own_rank() {
  if (alarm_ || (gone_ && is_over())) return;
  for (std::size_t i = 0; i < progress_.size() && !alarm_; ++i)
    alarm_ = look_for_trouble(progress_[i], status(i), gone_);
  if (!alarm_) return;
  // In order of arrival: hydra kills all ranks after one has failed, and the first failure must be named.
  if (is_first()) evidence_.findings.push_back(*alarm_);
  if (alarm_ns_ == 0) alarm_ns_ = steady_ns();
  sent_ns_ = 0;
}

/// Tells rank 0's guard the address of this one.
void Sentry::greet() {
  if (!first_ || is_first() || greeted_ || seconds_since(sent_ns_) < again_s) return;
  post_.send(letter("hello"), *first_);
  sent_ns_ = steady_ns();
}

/// Repeats the alarm to rank 0's guard until that ends this rank.
void Sentry::report() {
  if (seconds_since(alarm_ns_) > word_s) return end_alone();
  if (seconds_since(sent_ns_) < again_s) return;
  post_.send(letter("alarm"), *first_);
  sent_ns_ = steady_ns();
}

/// The rank that fails first frees its resources before it reports; others may already report errors that follow.
double Sentry::patience_s() const {
  const auto is_error = [](const Diagnosis& f) { return f.trouble == Trouble::aborted; };
  const bool errors_only = std::ranges::all_of(evidence_.findings, is_error);
  return errors_only && evidence_.findings.size() < static_cast<std::size_t>(ranks_) ? first_error_s : first_word_s;
}

void Sentry::add_own(Evidence& evidence) const {
  for (const Status& s : statuses()) {
    evidence.hosts[s.rank] = host_;
    evidence.statuses[s.rank] = s;
  }
}

/// Rank 0's guard asks until all have answered, for at most answers_s.
void Sentry::gather() {
  add_own(evidence_);
  const auto silent = [&](const auto& other) { return !evidence_.statuses.contains(other.first); };
  const double waited_s = seconds_since(alarm_ns_);
  const bool waiting = std::ranges::any_of(others_, silent) || waited_s < patience_s();
  if (!waiting || waited_s > answers_s) return conclude();
  if (seconds_since(sent_ns_) < again_s) return;
  for (const auto& other : others_)
    if (silent(other)) post_.send(letter("ask"), other.second);
  sent_ns_ = steady_ns();
}

void Sentry::conclude() {
  evidence_.ranks = ranks_;
  const Verdict verdict = find_verdict(evidence_);
  std::string text = fmt::format("{}: {}; the job is ended\n", program_, verdict.headline);
  for (const std::string& line : verdict.lines) text += fmt::format("{}:   {}\n", program_, line);
  say(text);
  end_rank();
  write_end(verdict);
  for (int i = 0; i < most_letters_of_end; ++i) {
    for (const auto& other : others_) post_.send(letter("end"), other.second);
    ::usleep(static_cast<useconds_t>(tick_s * 1e6));
  }
  end_launcher();
  ::_exit(0);
}

/// No other guard is known, or rank 0's does not answer: reports and ends only this rank.
void Sentry::end_alone() {
  evidence_ = {.findings = {*alarm_}, .statuses = {}, .hosts = {}, .ranks = ranks_};
  add_own(evidence_);
  const Verdict verdict = find_verdict(evidence_);
  const std::string who = verdict.headline.starts_with("rank ") ? "" : fmt::format("rank {} on {}: ", rank_, host_);
  say(fmt::format("{}: {}{}{}; the rank is ended\n", program_, who, verdict.headline,
                  first_ ? "; rank 0's guard does not answer" : ""));
  if (!first_) static_cast<void>(wait_for_end(alone_s));  // others may report before the launcher kills all
  end_rank();
  write_end(verdict);
  end_launcher();
  ::_exit(0);
}

bool Sentry::wait_for_end(double seconds) {
  const std::int64_t begin_ns = steady_ns();
  while (!gone_ && seconds_since(begin_ns) < seconds) {
    pollfd event{.fd = channel_, .events = POLLIN, .revents = 0};
    ::poll(&event, 1, static_cast<int>(tick_s * 1e3));
    read_channel();
  }
  return gone_;
}

/// Tells the rank to end, resumes it if stopped, and kills it after `obey_s`.
void Sentry::end_rank() {
  if (gone_ || ::getppid() != process_) return;
  for (Progress& progress : progress_) progress.acknowledge();
  const auto aborts = [](const Progress& p) { return p.fate() == Progress::Fate::aborting; };
  if (std::ranges::none_of(progress_, aborts)) ::kill(process_, SIGALRM);
  ::kill(process_, SIGCONT);
  if (wait_for_end(obey_s)) return;
  ::kill(process_, SIGKILL);
  static_cast<void>(wait_for_end(obey_s));
}

/// Kills a launcher that waits for an unreachable host, or hangs at its end. Hydra waits until its ranks' standard
/// error is closed, which this process shares until here.
void Sentry::end_launcher() const {
  launcher_.take_over_stderr();
  const std::int64_t begin_ns = steady_ns();
  while (launcher_.running()) {
    if (seconds_since(begin_ns) > launcher_s) {
      say(fmt::format("{}: {} has not ended {} s after its ranks; it is killed\n", program_, launcher_.name(),
                      launcher_s));
      return launcher_.kill();
    }
    ::usleep(static_cast<useconds_t>(tick_s * 1e6));
  }
}

void Sentry::write_end(const Verdict& verdict) const {
  if (record_ < 0 || progress_[0].record_ended()) return;
  const bool interrupted = verdict.trouble == Trouble::signalled;
  try {
    end_record(record_, {.status = interrupted ? EndStatus::interrupted : EndStatus::aborted,
                         .reason = verdict.headline,
                         .exit_code = static_cast<int>(interrupted ? Exit::interrupted : Exit::aborted),
                         .cases = progress_[0].counts(),
                         .end_utc = utc_now(),
                         .wall_s = seconds_since(progress_[0].began_ns())});
  } catch (const std::exception& e) {
    say(fmt::format("{}: {}\n", program_, e.what()));
  }
}

void Sentry::say(const std::string& line) const {
  const std::string shown = printable_lines(line);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, shown.data(), shown.size());
}

}  // namespace busbar::guarding
