// SPDX-License-Identifier: Apache-2.0
#include "core/job/guard/status.hpp"

#include <csignal>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/files/kernel_files.hpp"
#include "core/machine/local_clock.hpp"

namespace busbar::guarding {
namespace {

/// "timed call 17 of 100"; empty before the first call.
std::string call(const Status& s) {
  const Position& p = s.position;
  if (p.phase == Phase::writing) return "writing the record";
  if (p.phase == Phase::preparing || p.call == 0) return "";
  return fmt::format("{}{} call {} of {}", p.checking ? "checking " : "", p.phase == Phase::timed ? "timed" : "warm-up",
                     p.call, s.calls);
}

}  // namespace

Process look_at(int pid) {
  const auto stat = facts::read_text(fmt::format("/proc/{}/stat", pid));
  if (!stat) return Process::gone;
  const auto name_end = stat->rfind(')');  // the name may contain anything
  const char state = name_end != std::string::npos && name_end + 2 < stat->size() ? (*stat)[name_end + 2] : '?';
  if (state == 'T' || state == 't') return Process::stopped;
  if (state == 'D') return Process::in_kernel;
  return state == 'Z' || state == 'X' ? Process::gone : Process::alive;
}

Status status_of(const Progress& p, int rank, const std::string& host, int pid) {
  return {.rank = rank,
          .host = host,
          .process = look_at(pid),
          .what = p.what(),
          .where = p.where(),
          .turn = p.turn(),
          .position = p.position(),
          .calls = p.calls(),
          .resting = p.resting()};
}

std::optional<Diagnosis> look_for_trouble(const Progress& p, const Status& status, bool gone) {
  if (p.fate() == Progress::Fate::aborting) return Diagnosis{Trouble::aborted, status, p.reason()};
  if (gone && p.signal() != 0)
    return Diagnosis{Trouble::signalled, status, p.signal() == SIGINT ? "SIGINT" : "SIGTERM"};
  if (gone) return Diagnosis{Trouble::gone, status, ""};
  const std::int64_t deadline = p.deadline_ns();
  if (deadline != 0 && steady_ns() >= deadline)
    return Diagnosis{Trouble::expired, status, fmt::format("{} {} s", p.flag(), p.limit_s())};
  return std::nullopt;
}

std::string place(const Status& s) {
  std::string text = s.what;
  for (const std::string& part : {s.where, call(s)})
    if (!part.empty()) text += ", " + part;
  return s.resting ? "waiting for its turn" : text;
}

void to_json(nlohmann::json& j, const Status& s) {
  j = {{"rank", s.rank},
       {"host", s.host},
       {"process", static_cast<int>(s.process)},
       {"what", s.what},
       {"where", s.where},
       {"turn", s.turn},
       {"phase", static_cast<int>(s.position.phase)},
       {"call", s.position.call},
       {"checking", s.position.checking},
       {"calls", s.calls},
       {"resting", s.resting}};
}

void from_json(const nlohmann::json& j, Status& s) {
  j.at("rank").get_to(s.rank);
  j.at("host").get_to(s.host);
  s.process = static_cast<Process>(j.at("process").get<int>());
  j.at("what").get_to(s.what);
  j.at("where").get_to(s.where);
  j.at("turn").get_to(s.turn);
  s.position = {.phase = static_cast<Phase>(j.at("phase").get<int>()),
                .call = j.at("call").get<std::int64_t>(),
                .checking = j.at("checking").get<bool>()};
  j.at("calls").get_to(s.calls);
  j.at("resting").get_to(s.resting);
}

void to_json(nlohmann::json& j, const Diagnosis& f) {
  j = {{"trouble", static_cast<int>(f.trouble)}, {"status", f.status}, {"words", f.words}};
}

void from_json(const nlohmann::json& j, Diagnosis& f) {
  f.trouble = static_cast<Trouble>(j.at("trouble").get<int>());
  j.at("status").get_to(f.status);
  j.at("words").get_to(f.words);
}

}  // namespace busbar::guarding
