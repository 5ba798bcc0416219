// SPDX-License-Identifier: Apache-2.0
#include "bench/stages/stage_runner.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/machine/local_clock.hpp"
#include "core/mpi/group.hpp"
#include "core/record/case_record.hpp"
#include "core/record/method.hpp"
#include "core/record/parts.hpp"
#include "core/record/status.hpp"

namespace busbar {
namespace {

constexpr int nobody = -1;

/// Positions of the teams' ranks in `ranks`, which are ascending.
std::vector<std::vector<int>> positions(std::vector<std::vector<int>> teams, const std::vector<int>& ranks) {
  for (auto& team : teams)
    for (int& rank : team) rank = static_cast<int>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
  return teams;
}

/// Ranks and hosts of a team; hosts that differ between teams are unknown.
World world_of_teams(const std::vector<std::vector<int>>& teams, const Ranks& ranks) {
  World world = world_of(ranks.part(teams[0]).hosts);
  for (const auto& team : teams) {
    const World other = world_of(ranks.part(team).hosts);
    if (other.nodes != world.nodes) world.nodes = 0;
    if (other.ranks_per_node != world.ranks_per_node) world.ranks_per_node.reset();
  }
  return world;
}

bool two_kinds(const Stage& stage) { return !stage.second.teams.empty(); }

}  // namespace

/// This rank's role in a stage.
struct StageRunner::Part {
  Part(Group& job, std::size_t its_team) : team(its_team), deciders(&job), members(&job) {}

  std::size_t team;                               ///< index in Stage::teams
  std::vector<int> ranks;                         ///< ranks of the job that decide together: the team, or all in step
  Group* deciders;                                ///< their group
  Group* members;                                 ///< the team's group
  std::unique_ptr<Group> own_deciders, own_team;  ///< set if not the whole job
  std::unique_ptr<Backend> split_backend;         ///< the team's backend, with --comm-split
  std::unique_ptr<Group> second_team;             ///< the team of the second kind, if there is one
  std::unique_ptr<Backend> second_backend;        ///< its backend: with --comm-split, else made by measure()
};

/// Forwards a Runner's messages to Watch, with the stage's name.
class StageRunner::Teller final : public Observer {
 public:
  Teller(Watch& watch, std::string where) : watch_(watch), where_(std::move(where)) {}

  /// Keeps records, for ranks outside the stage.
  void remember() { remembers_ = true; }
  [[nodiscard]] const std::vector<CaseRecord>& told() const { return told_; }

  void begin(std::string_view what) { watch_.visit(std::string(what), where_); }
  void visit(const Visit& v) override {
    watch_.visit(fmt::format("{} {}", v.key.collective, format_size(v.key.bytes)),
                 fmt::format("{}round {}", where_, v.round),
                 fmt::format("{} of {} cases done", v.cases - v.active, v.cases));
  }
  void add_case(const CaseRecord& record) override {
    watch_.add_case(record);
    if (remembers_) told_.push_back(record);
  }
  void keep(std::vector<CaseRecord> unfinished) override { watch_.keep(unfinished); }
  [[nodiscard]] bool interrupted() const override { return watch_.interrupted(); }

 private:
  Watch& watch_;
  std::string where_;
  bool remembers_ = false;
  std::vector<CaseRecord> told_;
};

StageRunner::StageRunner(StageSetup setup, const std::vector<Stage>& stages)
    : setup_(std::move(setup)), stages_(stages) {
  for (const Stage& stage : stages_)
    if (stage.apart)
      for (const auto& team : stage.teams) pairs_.emplace(team, 0);
  int number = 0;
  for (auto& [team, its_number] : pairs_) its_number = number++;
}

/// Collective over the job. Divides the remaining time among the remaining stages, by the clock of the job's rank 0.
/// Each rank sets the end of the next stage by its own clock.
void StageRunner::share_time(std::size_t stages_left, std::optional<std::int64_t> end_ns) {
  if (!end_ns) return;
  const double left_s = setup_.job.broadcast(static_cast<double>(*end_ns - steady_ns()) * 1e-9);
  setup_.settings.end_ns = steady_ns() + static_cast<std::int64_t>(left_s / static_cast<double>(stages_left) * 1e9);
}

bool StageRunner::everyone_measures(const Stage& stage) const {
  return !stage.apart && static_cast<int>(members_of(stage.teams).size()) == setup_.job.size();
}

/// Collective over the job.
std::optional<StageRunner::Part> StageRunner::part_of_this_rank(const Stage& stage) const {
  const auto team = team_with(stage.teams, setup_.job.rank());
  std::optional<Part> part;
  if (team) part.emplace(setup_.job, *team);
  if (part) part->ranks = stage.apart ? stage.teams[*team] : members_of(stage.teams);
  if (everyone_measures(stage) && stage.teams.size() == 1 && !two_kinds(stage)) return part;
  auto deciders = split(setup_.job, team ? std::optional(stage.apart ? static_cast<int>(*team) : 0) : std::nullopt);
  auto [members, backend] = join_team(stage.teams, stage.name);
  auto [second_team, second_backend] = join_team(stage.second.teams, stage.second.level);
  if (!part) return part;
  part->second_team = std::move(second_team);
  part->second_backend = std::move(second_backend);
  part->own_deciders = std::move(deciders);
  part->own_team = std::move(members);
  part->split_backend = std::move(backend);
  part->deciders = part->own_deciders.get();
  part->members = part->own_team.get();
  return part;
}

/// Collective over the job. This rank's team, and with --comm-split its backend; null without one.
std::pair<std::unique_ptr<Group>, std::unique_ptr<Backend>> StageRunner::join_team(
    const std::vector<std::vector<int>>& teams, const std::string& where) const {
  if (teams.empty()) return {};
  const auto team = team_with(teams, setup_.job.rank());
  const auto colour = team ? std::optional(static_cast<int>(*team)) : std::nullopt;
  auto members = split(setup_.job, colour);
  if (!setup_.backend_options.comm_split) return {std::move(members), nullptr};
  setup_.watch.visit("--comm-split", where);
  auto backend = setup_.backend.split(members.get(), colour.value_or(0));
  return {std::move(members), std::move(backend)};
}

/// The other teams go on: a team without a backend reports each of its cases as failed.
void StageRunner::fail_all(const std::vector<Case>& plan, const Teams& teams, const std::string& why,
                           Teller& teller) const {
  for (const Case& c : plan) {
    const Team& team = c.caller == Caller::first ? teams.first : c.caller == Caller::second ? teams.second : teams.both;
    teller.add_case({.index = c.number,
                     .key = key_of(c, team, setup_.kind.name, setup_.backend.memory().kind()),
                     .status = Status::failed,
                     .reason = fmt::format("--backend {}: {}", setup_.kind.name, why),
                     .check = {.state = CheckState::off}});
  }
}

StageRunner::Teams StageRunner::teams_of(const Stage& stage, const Part& part) const {
  const auto in_step = [&](const std::vector<std::vector<int>>& teams, Group& members, const std::string& level) {
    return Team{.rank = members.rank(),
                .world = world_of_teams(teams, setup_.ranks),
                .kind = stage.kind,
                .level = level,
                .members = &members,
                .teams = positions(teams, part.ranks)};
  };
  if (stage.apart)
    return {.first = {.rank = part.members->rank(),
                      .world = world_of(setup_.ranks.part(stage.teams[part.team]).hosts),
                      .kind = stage.kind,
                      .level = stage.levels[part.team]}};
  Teams teams{.first = in_step(stage.teams, *part.members, stage.levels[0])};
  if (!two_kinds(stage)) return teams;
  teams.second = in_step(stage.second.teams, *part.second_team, stage.second.level);
  teams.both = {.world = world_of(setup_.ranks.part(part.ranks).hosts), .kind = stage.kind, .level = stage.both()};
  return teams;
}

/// Makes the backend of this rank's team `of`, unless there is none, or --comm-split made it. Collective over the ranks
/// that measure.
Verdict StageRunner::make_backend(Group& deciders, Group* of, std::unique_ptr<Backend>& backend) const {
  if (of == nullptr || backend) return {};
  BackendOptions options = setup_.backend_options;
  options.place = setup_.ranks.place_of(setup_.job.rank());
  return agree(deciders, attempt([&] { backend = setup_.kind.make(*of, options); }));
}

/// Collective over the ranks that measure.
void StageRunner::measure(const Stage& stage, Part& part, const std::vector<Case>& plan, Teller& teller) {
  Teams teams = teams_of(stage, part);
  std::unique_ptr<Backend> own = std::move(part.split_backend);
  if ((part.own_team && !own) || (part.second_team && !part.second_backend)) {
    teller.begin(fmt::format("--backend {} begins", setup_.kind.name));
    Verdict made = make_backend(*part.deciders, part.own_team.get(), own);
    if (made.ok()) made = make_backend(*part.deciders, part.second_team.get(), part.second_backend);
    if (!made.ok()) return fail_all(plan, teams, made.reason, teller);
  }
  std::optional<SecondKind> second;
  if (two_kinds(stage))
    second.emplace(SecondKind{*part.second_backend, std::move(teams.second), std::move(teams.both)});
  Runner runner(*part.deciders, own ? *own : setup_.backend, setup_.kind, setup_.settings,
                setup_.ranks.part(part.ranks), std::move(teams.first), setup_.clock, setup_.watch.progress(),
                std::move(second));
  runner.run(plan, teller);
  if (auto settled = runner.settling()) settling_ = std::move(settled);
}

/// Collective over the job. `leader`: the rank with whole records of this rank's cases; `nobody` if this rank slept.
void StageRunner::tell_the_others(const Stage& stage, int leader, const std::vector<CaseRecord>& mine) {
  const bool leads = leader == setup_.job.rank();
  const std::string text = leads ? nlohmann::json(mine).dump() : "";
  const std::vector<std::string> texts =
      stage.apart ? setup_.job.all_gather(text) : std::vector{setup_.job.broadcast(text, members_of(stage.teams)[0])};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const int from = stage.apart ? static_cast<int>(i) : members_of(stage.teams)[0];
    if (from == leader || texts[i].empty()) continue;
    for (const auto& record : nlohmann::json::parse(texts[i])) setup_.watch.add_case(record.get<CaseRecord>());
  }
}

std::vector<Case> StageRunner::plan_of(const Stage& stage) const {
  const auto ranks = static_cast<int>(stage.teams[0].size());
  if (!two_kinds(stage)) return make_plan(setup_.sweep, ranks);
  return make_plan_of_two_kinds(setup_.sweep, ranks, static_cast<int>(stage.second.teams[0].size()));
}

int StageRunner::cases() const {
  int together = 0;
  std::size_t apart = 0;  // all teams have equally many, measured in turns
  for (const Stage& stage : stages_) {
    const std::size_t cases = plan_of(stage).size();
    if (stage.apart)
      apart = cases * pairs_.size();
    else
      together += static_cast<int>(cases);
  }
  return together + static_cast<int>(apart);
}

/// Number in the job of case `at` in a team's plan. Cases of teams that measure apart are numbered by size, so that a
/// table lists all pairs of a size together.
int StageRunner::number_of(const Stage& stage, std::size_t team, std::size_t at) const {
  const auto i = static_cast<int>(at);
  return stage.apart ? pairs_.at(stage.teams[team]) + i * static_cast<int>(pairs_.size()) : next_index_ + i;
}

bool StageRunner::lacks_nothing(const Stage& stage) const {
  const std::size_t cases = plan_of(stage).size(), teams = stage.apart ? stage.teams.size() : 1;
  for (std::size_t team = 0; team < teams; ++team)
    for (std::size_t i = 0; i < cases; ++i)
      if (!setup_.watch.kept(number_of(stage, team, i))) return false;
  return true;
}

void StageRunner::run(const Stage& stage) {
  auto part = part_of_this_rank(stage);
  Teller teller(setup_.watch, stages_.size() > 1 ? stage.name + ", " : "");
  std::vector<Case> plan;  // cases of this rank's team that the record lacks
  auto all = plan_of(stage);
  for (std::size_t i = 0; part && i < all.size(); ++i) {
    all[i].number = number_of(stage, part->team, i);
    if (!setup_.watch.kept(all[i].number)) plan.push_back(std::move(all[i]));
  }
  if (everyone_measures(stage)) return measure(stage, *part, plan, teller);
  teller.remember();
  if (plan.empty())
    setup_.watch.rest();
  else
    measure(stage, *part, plan, teller);
  setup_.job.barrier_asleep();
  tell_the_others(stage, part ? part->ranks[0] : nobody, teller.told());
}

void StageRunner::run(std::optional<std::int64_t> end_ns, std::optional<double> known_barrier_s) {
  std::size_t left = stages_.size();
  const bool of_all_ranks =
      stages_.size() == 1 && everyone_measures(stages_[0]) && stages_[0].teams.size() == 1 && !two_kinds(stages_[0]);
  if (of_all_ranks) setup_.settings.known_barrier_s = known_barrier_s;
  for (const Stage& stage : stages_) {
    share_time(left--, end_ns);
    if (!lacks_nothing(stage)) run(stage);
    if (!stage.apart) next_index_ += static_cast<int>(plan_of(stage).size());
    if (setup_.job.any(setup_.watch.interrupted())) return;
  }
}

}  // namespace busbar
