// SPDX-License-Identifier: Apache-2.0
#include "preflight/start_job.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <poll.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"
#include "core/base/terminal_text.hpp"
#include "core/files/child.hpp"
#include "core/files/kernel_files.hpp"
#include "core/files/own_place.hpp"
#include "core/machine/local_clock.hpp"
#include "core/mpi_library/mpi_library.hpp"
#include "preflight/contact/alarm.hpp"
#include "preflight/contact/remote_shell.hpp"
#include "preflight/report.hpp"

namespace busbar::preflight {
namespace {

volatile std::sig_atomic_t interrupted = 0;

std::string quoted(const std::string& word) {
  std::string all = "'";
  for (const char c : word) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

/// Result of a host's answer by remote shell.
CheckResult judge_host(const Answer& a, const std::string& program) {
  const auto result = [&](State state, std::string read) {
    return CheckResult{.state = state, .read = std::move(read), .hosts = {a.host}, .ranks = {}};
  };
  if (a.problem) return result(State::failed, fmt::format("{}: {}", a.host, *a.problem));
  if (a.output.find("program-is-there") == std::string::npos)
    return result(State::failed, fmt::format("{} answers, but has no {}", a.host, program));
  return result(State::ok, fmt::format("{} answers, and has this program", a.host));
}

/// Checks all hosts by remote shell. True if all pass.
bool reach(const PreflightOptions& options, Report& report) {
  report.write(begin(Stage::reach));
  const std::string program = own_program().string();
  const auto answers = ask_hosts(
      options.hosts, fmt::format("test -x {} && echo program-is-there || true", quoted(program)), options.timeout_s);
  bool good = true;
  for (const Answer& a : answers) {
    const CheckResult f = judge_host(a, program);
    good = good && f.state == State::ok;
    report.write(outcome(Stage::reach, "remote_shell", f,
                         fmt::format("Try it by hand: {} {} true. It must not prompt. Install this program on "
                                     "every host under the same path.",
                                     fmt::join(find_remote_shell(options.timeout_s), " "), a.host)));
  }
  return good;
}

/// The library of mpirun, from its --version within `limit_s`; else Open MPI.
const MpiLibrary& library_of_mpirun(double limit_s) {
  Child child({"mpirun", "--version"});
  const std::int64_t began_ns = steady_ns();
  std::string said;
  while (!child.ended() && seconds_since(began_ns) < limit_s) {
    pollfd output{.fd = child.output(), .events = POLLIN, .revents = 0};
    ::poll(&output, 1, 10);
    said += child.read();
  }
  said += child.read();
  const auto known = parse_mpi_version(said);
  return known ? *known->library : find_mpi_library("");
}

std::vector<std::string> command(const MpiLibrary& library, const PreflightOptions& o) {
  std::vector<std::string> words{"mpirun"};
  for (auto& word : place_on_hosts(library, o.hosts, o.ranks_per_host)) words.push_back(std::move(word));
  words.insert(words.end(), o.mpirun.begin(), o.mpirun.end());
  words.insert(words.end(),
               {own_program().string(), "--format", "json", "--announce", "--timeout", fmt::format("{}", o.timeout_s)});
  if (o.strict) words.emplace_back("--strict");
  if (o.ssh) words.emplace_back("--ssh");
  return words;
}

/// Prints "daemon STATE" for each daemon of the launcher in this network namespace; state T is stopped (proc(5), stat).
/// {}: name of the daemon; the kernel keeps 15 characters.
constexpr auto daemons_here = R"sh(
for p in $(pgrep -x '{:.15}'); do
  [ "$(readlink /proc/$p/ns/net)" = "$(readlink /proc/self/ns/net)" ] && echo daemon $(cut -d' ' -f3 /proc/$p/stat)
done
true)sh";

std::string ask_for_daemons(const MpiLibrary& library) {
  std::string all;
  for (const std::string_view daemon : library.daemons) all += fmt::format(daemons_here, daemon);
  return all;
}

/// Hosts with a stopped or missing daemon, for jobs without a started rank. The first host may have only mpirun.
std::vector<std::string> odd_daemons(const MpiLibrary& library, const std::vector<std::string>& hosts) {
  std::vector<std::string> odd;
  for (const Answer& a : ask_hosts(hosts, ask_for_daemons(library), 5)) {
    if (a.problem)
      odd.push_back(fmt::format("{}: {}", a.host, *a.problem));
    else if (a.output.find("daemon T") != std::string::npos)
      odd.push_back(fmt::format("{}: daemon ({}) is stopped", a.host, library.daemons.front()));
    else if (a.output.find("daemon") == std::string::npos && a.host != hosts.front())
      odd.push_back(fmt::format("{}: no daemon ({}) of this job", a.host, library.daemons.front()));
  }
  return odd;
}

/// The running job and its output.
class Job {
 public:
  Job(const PreflightOptions& options, Report& report)
      : options_(options),
        report_(report),
        library_(library_of_mpirun(options.timeout_s)),
        child_(command(library_, options)) {}

  /// Waits until the job ends, or is silent for too long. Returns the exit code.
  int follow() {
    const double limit_s = options_.timeout_s + Alarm::grace_s + 5;
    while (!child_.ended() && interrupted == 0 && seconds_since(heard_ns_) < limit_s) {
      pollfd output{.fd = child_.output(), .events = POLLIN, .revents = 0};
      ::poll(&output, 1, 100);
      read_output(child_.read());
    }
    read_output(child_.read());
    const auto code = child_.ended();
    if (!code && started_.empty()) odd_daemons_ = odd_daemons(library_, options_.hosts);
    child_.end(2);
    if (interrupted != 0) return static_cast<int>(Exit::interrupted);
    if (end_) {
      if (!code)
        print_message("busbar-preflight", fmt::format("killed mpirun: still running {} s after its ranks", limit_s));
      return *end_;
    }
    return tell_silence(code, limit_s);
  }

 private:
  void read_output(const std::string& text) {
    text_ += text;
    for (auto end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      read_line(text_.substr(0, end));
      text_.erase(0, end + 1);
    }
  }
  /// Writes records of the ranks to the report, all other lines to the terminal.
  void read_line(const std::string& line) {
    heard_ns_ = steady_ns();
    try {
      read_record(parse_json(line));
    } catch (const Error&) {  // nested too deeply
      print_words(line);
    } catch (const nlohmann::json::exception&) {  // not a record
      print_words(line);
    }
  }
  void read_record(const nlohmann::json& record) {
    const auto kind = record.at("record").get<std::string>();
    if (kind == "started") {
      started_.insert(record.at("rank").get<int>());
      return;
    }
    report_.write(record);
    if (kind == "stage") record.at("stage").get_to(stage_);
    if (kind == "check" && record.at("state") == "failed") ++failures_;
    if (kind == "end") end_ = record.at("exit_code").get<int>();
  }
  void print_words(const std::string& line) {
    int rank = 0;
    if (std::sscanf(line.c_str(), "busbar-preflight: rank %d of ", &rank) == 1) spoke_.insert(rank);
    fmt::print(stderr, "{}\n", printable(line));
    const auto words = facts::clean(line);
    if (!first_words_ && words && words->find_first_not_of('-') != std::string::npos) first_words_ = words;
  }

  /// Reports a job without an "end" record. `code`: mpirun's exit code; empty: it had to be killed.
  int tell_silence(std::optional<int> code, double limit_s) {
    const auto stage = std::ranges::find(stages, stage_, &StageRow::name);
    const auto at = stage == stages.end() ? Stage::launch : static_cast<Stage>(stage - stages.begin());
    // Ranks with a time-out message (Alarm) are not the ones that hang.
    const std::set<int>& heard = spoke_.empty() ? started_ : spoke_;
    CheckResult f{.state = State::failed, .read = {}, .hosts = {}, .ranks = {}};
    for (std::size_t h = 0; h < options_.hosts.size(); ++h)
      for (int r = 0; r < options_.ranks_per_host; ++r)
        if (const int rank = static_cast<int>(h) * options_.ranks_per_host + r; !heard.contains(rank)) {
          f.ranks.push_back(rank);
          if (f.hosts.empty() || f.hosts.back() != options_.hosts[h]) f.hosts.push_back(options_.hosts[h]);
        }
    f.read = code ? fmt::format("mpirun ended with exit code {}", *code)
                  : fmt::format("ended the job: no output for {} s", limit_s);
    if (first_words_) f.read += "; first output: " + *first_words_;
    if (!f.ranks.empty() && started_.empty())
      f.read += fmt::format("; no rank started{}{}", odd_daemons_.empty() ? "" : "; ", list(odd_daemons_));
    else if (!f.ranks.empty())
      f.read += fmt::format(
          "; no output from {} ({}), if ranks are placed host by host",
          f.ranks.size() == 1 ? fmt::format("rank {}", f.ranks[0]) : fmt::format("{} ranks", f.ranks.size()),
          list(f.hosts));
    report_.write(
        outcome(at, "job", f,
                fmt::format("Read the messages of mpirun above. The interfaces of MPI must reach the other hosts: {}. "
                            "Try mpirun with the same hosts and hostname.",
                            library_.interface_hint)));
    report_.write(end(at, at, failures_ + 1, 0));
    return exit_code(at);
  }

  const PreflightOptions& options_;
  Report& report_;
  const MpiLibrary& library_;
  Child child_;
  std::string text_, stage_ = "launch";
  std::set<int> started_, spoke_;
  std::vector<std::string> odd_daemons_;
  std::optional<std::string> first_words_;  ///< from mpirun or MPI: usually the cause of later messages
  std::optional<int> end_;
  int failures_ = 0;
  std::int64_t heard_ns_ = steady_ns();
};

}  // namespace

int start_job(const PreflightOptions& options) {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = 1; });
  Report report(options);
  if (!reach(options, report)) {
    report.write(end(Stage::reach, Stage::reach, 1, 0));
    return exit_code(Stage::reach);
  }
  return Job(options, report).follow();
}

}  // namespace busbar::preflight
