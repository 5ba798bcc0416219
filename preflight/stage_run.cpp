// SPDX-License-Identifier: Apache-2.0
#include "preflight/stage_run.hpp"

#include <array>
#include <chrono>
#include <thread>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/terminal_text.hpp"

namespace busbar::preflight {
namespace {

/// What ranks do before the checks of each stage after `reach`, in order.
constexpr std::array gatherers{gather_launch, gather_same,    gather_host,  gather_binding,
                               gather_gpu,    gather_network, gather_pairs, gather_all};
static_assert(gatherers.size() + 1 == stages.size());

/// Rank 0's records and counts of the run.
class Account {
 public:
  Account(Report& report, bool strict) : report_(report), strict_(strict) {}

  void write(const nlohmann::json& record) { report_.write(record); }

  void write_outcome(Stage stage, State state, const nlohmann::json& record) {
    report_.write(record);
    if (state == State::failed) ++failures_;
    if (state == State::warning) ++warnings_;
    if (state != State::failed && !(strict_ && state == State::warning)) return;
    if (!failed_) failed_ = stage;
    last_failed_ = stage;
  }
  void run_checks(Stage stage, const Facts& facts) {
    for (const Check* check : table<Check>()) {
      if (check->stage != stage) continue;
      const auto findings = check->find(facts);
      write_outcome(stage, worst(findings), outcome(*check, findings));
    }
  }
  int end(Stage last) {
    report_.write(preflight::end(failed_, last, failures_, warnings_));
    return failed_ ? exit_code(*failed_) : 0;
  }
  [[nodiscard]] bool failed(Stage stage) const { return last_failed_ == stage; }

 private:
  Report& report_;
  bool strict_;
  std::optional<Stage> failed_, last_failed_;  ///< the first one determines the exit code
  int failures_ = 0, warnings_ = 0;
};

std::vector<std::string> host_names(const Facts& facts) {
  std::vector<std::string> names;
  for (const HostFacts& h : facts.hosts) names.push_back(h.host.name);
  return names;
}

/// Ends the job, since waiting ranks cannot be interrupted.
[[noreturn]] void end_silent(Run& run, Account& account, Stage stage, const std::vector<int>& silent) {
  std::this_thread::sleep_for(std::chrono::seconds(1));  // the others print their time-out messages first
  CheckResult f{
      .state = State::failed,
      .read = fmt::format("no answer within {} s from {}", run.alarm.limit_s(), name_ranks(run.facts, silent)),
      .hosts = {},
      .ranks = silent};
  for (const int r : silent) {
    const std::string& host = run.facts.ranks[static_cast<std::size_t>(r)].id.host;
    if (!host.empty() && (f.hosts.empty() || f.hosts.back() != host)) f.hosts.push_back(host);
  }
  account.write_outcome(
      stage, State::failed,
      outcome(stage, "answers", f,
              "Check these ranks and hosts for stopped or hanging processes (ps, dmesg), and the network between "
              "them. The lines above show the activity of the other ranks."));
  run.roll.end_job(account.end(stage));
}

/// Runs a stage's checks on rank 0. Returns 0 to continue, else 1 + the exit code.
int judge_stage(Run& run, Account& account, Stage stage) {
  if (stage == Stage::launch) account.write(head(run.roll.size(), host_names(run.facts), run.alarm.limit_s()));
  account.run_checks(stage, run.facts);
  const bool last = stage == Stage::all || (account.failed(stage) && row(stage).ends_run);
  return last ? 1 + account.end(stage) : 0;
}

/// Runs one stage on this rank. Returns the exit code if the run ends here, else nothing.
std::optional<int> run_stage(Run& run, Account* account, Stage stage) {
  run.alarm.enter(stage);
  if (account != nullptr) account->write(begin(stage));
  gatherers[static_cast<std::size_t>(stage) - 1](run);
  const std::string decided = account != nullptr ? std::to_string(judge_stage(run, *account, stage)) : "";
  run.alarm.at("waiting for the decision of rank 0");
  const int end = std::stoi(run.roll.tell(decided));
  return end == 0 ? std::nullopt : std::optional(end - 1);
}

}  // namespace

int run_stages(Run& run, Report* report) {
  std::optional<Account> account;
  if (report != nullptr) account.emplace(*report, run.options.strict);
  Stage stage = Stage::launch;
  try {
    for (;; stage = static_cast<Stage>(static_cast<int>(stage) + 1))
      if (const auto code = run_stage(run, account ? &*account : nullptr, stage)) return *code;
  } catch (const Silence& silence) {
    if (account) end_silent(run, *account, stage, silence.ranks);
    throw;
  } catch (const Error& e) {
    const std::string who = run.facts.ranks.empty() ? fmt::format("rank {} on {}", run.mine.rank, run.mine.host)
                                                    : name_ranks(run.facts, {run.roll.rank()});
    print_message("busbar-preflight", fmt::format("stage {}: {}: {}", name(stage), who, e.what()));
    run.roll.end_job(exit_code(stage));
  }
}

std::vector<nlohmann::json> judge_alone(const Identity& mine) {
  const Facts facts{.ranks = {RankFacts{.id = mine}}, .hosts = {HostFacts{.host = {.name = mine.host}}}};
  std::vector<nlohmann::json> failed;
  for (const Check* check : table<Check>()) {
    if (!check->before_mpi) continue;
    const auto findings = check->find(facts);
    if (worst(findings) == State::failed) failed.push_back(outcome(*check, findings));
  }
  return failed;
}

}  // namespace busbar::preflight
