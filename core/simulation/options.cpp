// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/options.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"

namespace busbar {
namespace {

constexpr int most_ranks = 65536;

/// The simulator's options end at the first unknown word or at "--"; the program's begin there.
constexpr const char* notes =
    "{program}'s own options follow, as under mpirun ({program} --help lists them). A simulation is deterministic, so "
    "one call per case is enough: the defaults here are -n 1 -w 1 -c 0 --noise 0 --timeout 0.\n"
    "With -c 0 messages have sizes and no data, and all ranks share the memory of their buffers; -c 1 sends and checks "
    "data.\n"
    "Links have the bandwidth and the latency that the platform file gives them: SMPI's factors, which were fitted to "
    "TCP on Gigabit Ethernet, are 1 unless the file or --cfg sets them (docs/simulation.md).";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// "busbar-bench" for "busbar-bench-sim".
std::string simulated_program(const std::string& program) { return replaced(program, "-sim", ""); }

std::vector<std::string> examples_of(const std::string& program) {
  std::vector<std::string> examples{"busbar platform --topology fat-tree:2-level --nodes 128 --gpus 8 -o fat.xml"};
  if (program.find("train") != std::string::npos) {
    examples.push_back(program + " --platform fat.xml -np 64 --compute replay --tflops 140");
  } else {
    examples.push_back(program + " --platform fat.xml -np 64 allreduce -e 64M -f 4");
    examples.push_back(program + " --platform fat.xml --cfg smpi/allreduce:lr allreduce -e 64M");
  }
  return examples;
}

struct Words {
  std::string platform, ranks, per_node;
  std::vector<std::string> settings;
};

void add_options(CommandLine& line, Words& w) {
  line.add("--platform", &w.platform, "the simulated cluster: a SimGrid platform file (busbar platform writes one)",
           {.name = "FILE", .completes = Completes::files});
  line.add("--np", &w.ranks, "ranks; -np, as for mpirun, is the same (one for each host of the platform)",
           {.name = "N"});
  line.add("--ranks-per-node", &w.per_node, "most ranks per node (one for each of its hosts)", {.name = "N"});
  line.add("--cfg", &w.settings, "a setting of SimGrid: smpi/allreduce:lr; can be repeated",
           {.name = "NAME:VALUE", .single = true});
}

std::map<std::string, std::string> parse_settings(const std::vector<std::string>& words) {
  std::map<std::string, std::string> settings;
  for (const std::string& word : words) {
    const auto colon = word.find(':');
    if (colon == 0 || colon == std::string::npos)
      throw UsageError(fmt::format("--cfg: '{}' is not NAME:VALUE, such as smpi/allreduce:lr", word));
    settings[word.substr(0, colon)] = word.substr(colon + 1);
  }
  return settings;
}

SimulationOptions options_of(const Words& w) {
  if (w.platform.empty())
    throw UsageError(
        "--platform: no file is named; it comes before the program's own words, and busbar platform writes one");
  SimulationOptions options{.platform = w.platform, .settings = parse_settings(w.settings)};
  if (!w.ranks.empty()) options.ranks = parse_count("-np", w.ranks, 1, most_ranks);
  if (!w.per_node.empty()) options.ranks_per_node = parse_count("--ranks-per-node", w.per_node, 1, most_ranks);
  return options;
}

}  // namespace

std::variant<SimulationOptions, Information> parse_simulation_options(const std::string& program,
                                                                      std::vector<std::string> words) {
  CommandLine line{.name = program,
                   .about = fmt::format("Runs {} on a simulated cluster (SimGrid's SMPI): real calls, simulated times.",
                                        simulated_program(program)),
                   .notes = replaced(notes, "{program}", simulated_program(program)),
                   .exit_codes = simulated_program(program) +
                                 "'s; 2 also for a platform that cannot be read or has too few hosts, 3 also where all "
                                 "ranks wait for each other or SimGrid crashes.",
                   .examples = examples_of(program),
                   .passes_to = simulated_program(program)};
  Words found;
  add_options(line, found);
  std::ranges::replace(words, "-np", "--np");
  if (auto information = parse_command_line(line, {words.begin() + 1, words.end()})) return *information;
  SimulationOptions options = options_of(found);
  options.program_words = line.rest;
  options.own_words.assign(words.begin() + 1, words.end() - static_cast<std::ptrdiff_t>(options.program_words.size()));
  options.program_words.insert(options.program_words.begin(), program);
  return options;
}

}  // namespace busbar
