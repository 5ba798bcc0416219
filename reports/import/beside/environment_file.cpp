// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/base/privacy.hpp"
#include "core/base/words.hpp"
#include "core/environment/environment.hpp"
#include "reports/import/beside/companion.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

constexpr std::size_t longest_value = 4096;

/// The assignment in a line of env, export -p, declare -p or a script; empty if there is none.
std::string_view assignment_in(std::string_view line) {
  line = trimmed(line);
  for (const std::string_view word : {"export ", "declare -x ", "-x "})
    if (line.starts_with(word)) line = trimmed(line.substr(word.size()));
  return line;
}

std::optional<int> count_of_slurm(const std::map<std::string, std::string>& environment,
                                  std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto found = environment.find(name); found != environment.end())
      if (const auto count = small_integer(found->second); count && *count > 0) return count;
  return std::nullopt;
}

std::optional<CompanionFacts> read_environment_file(std::string_view text) {
  CompanionFacts facts;
  LogLines lines(text);
  bool any = false;
  while (const auto line = lines.next()) {
    const std::string_view said = assignment_in(line->text);
    const std::size_t equals = said.find('=');
    if (equals == 0 || equals == std::string_view::npos) continue;
    any = true;
    const std::string name(said.substr(0, equals));
    if (!environment_allowed(name)) continue;
    const std::string_view value = unquoted(trimmed(said.substr(equals + 1))).substr(0, longest_value);
    facts.environment.insert_or_assign(name, without_random_words(without_secrets(value)));
  }
  facts.nodes = count_of_slurm(facts.environment, {"SLURM_STEP_NUM_NODES", "SLURM_JOB_NUM_NODES", "SLURM_NNODES"});
  facts.ranks = count_of_slurm(facts.environment, {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS"});
  return any ? std::optional(facts) : std::nullopt;
}

}  // namespace

extern const Companion environment_file{
    .name = "environment",
    .about = "env, env.txt, *.env, environment, environment.txt, printenv*",
    .is_named =
        [](std::string_view file) {
          static constexpr std::array<std::string_view, 4> names{"env", "env.txt", "environment", "environment.txt"};
          return is_one_of(names, file) || file.ends_with(".env") || file.starts_with("printenv");
        },
    .read = read_environment_file,
};

}  // namespace busbar
