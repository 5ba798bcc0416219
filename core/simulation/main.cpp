// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/terminal_text.hpp"
#include "core/job/program.hpp"
#include "core/simulation/job.hpp"
#include "core/simulation/last_line.hpp"
#include "core/simulation/options.hpp"
#include "core/simulation/platform.hpp"
#include "core/simulation/settings.hpp"

namespace busbar {
namespace {

constexpr auto usage = static_cast<int>(Exit::usage);

/// Body of an actor, which stands for a process. Each has its own arguments, since rank_main() may change them.
void be_rank(SimulatedRank rank, std::vector<std::string> words) {
  simgrid::s4u::Actor::self()->set_data(&rank);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int code = rank_main(static_cast<int>(words.size()), argv.data());
  rank.job.exit_code = std::max(rank.job.exit_code, code);
}

/// SMPI identifies a rank by these properties of its actor.
void start_ranks(SimulatedJob& job, const std::vector<RankHost>& hosts, const std::vector<std::string>& words) {
  static constexpr auto instance = "busbar";
  SMPI_app_instance_register(instance, nullptr, job.ranks);
  for (int rank = 0; rank < job.ranks; ++rank) {
    const RankHost& host = hosts[static_cast<std::size_t>(rank)];
    const auto actor = simgrid::s4u::Actor::init(fmt::format("rank {}", rank), host.host);
    actor->set_property("instance_id", instance);
    actor->set_property("rank", std::to_string(rank));
    job.processes.push_back(static_cast<int>(actor->get_pid()));
    actor->start([&job, rank, node = host.node, words] { be_rank({.job = job, .rank = rank, .node = node}, words); });
  }
}

/// Deadlock: every rank waits for another.
[[noreturn]] void end_hanging_job(const std::string& program) {
  print_message(program, "all ranks wait for each other; the job is ended");
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(Exit::aborted));
}

int simulate(const std::string& program, const SimulationOptions& options) {
  int engine_argc = 1;
  std::string name = program;
  char* engine_argv[] = {name.data(), nullptr};
  simgrid::s4u::Engine engine(&engine_argc, engine_argv);
  end_at_once_on_signals(program);
  quieten();
  set_before_platform(options.settings);
  const Platform platform = load_platform(engine, options.platform, program);
  const auto hosts = place_ranks(platform, options);
  const SimGridSettings settings = set_after_platform(options.settings);
  {
    const LastLine last(program + ": --cfg: ");
    SMPI_init();
  }
  const Simulation facts{.simulator = "SimGrid SMPI",
                         .version = simgrid_version(),
                         .platform_file = options.platform,
                         .platform_sha256 = platform.sha256,
                         .platform = platform.words,
                         .settings = settings};
  SimulatedJob job{.facts = facts, .words = options.own_words, .ranks = static_cast<int>(hosts.size())};
  start_ranks(job, hosts, options.program_words);
  simgrid::s4u::Engine::on_deadlock_cb([&] { end_hanging_job(program); });
  engine.run();
  job.pages.clear();  // before SMPI forgets them
  SMPI_finalize();
  return job.exit_code;
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  using namespace busbar;
  const std::string path = argv[0], program = path.substr(path.rfind('/') + 1);
  try {
    const auto options = parse_simulation_options(program, {argv, argv + argc});
    if (const auto* information = std::get_if<Information>(&options)) {
      fmt::print("{}", information->text);
      return 0;
    }
    return simulate(program, std::get<SimulationOptions>(options));
  } catch (const UsageError& e) {
    print_message(program, e.what());
    return usage;
  }
}
