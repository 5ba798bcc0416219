// SPDX-License-Identifier: Apache-2.0
#include "reports/import/launch_lines.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/ranges.h>

#include "core/base/words.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

using Words = std::vector<std::string>;

constexpr int launch_most_ranks = 1 << 24;
constexpr std::size_t most_facts = 1000;
constexpr std::size_t longest_command = 16384, longest_fact = 256;
constexpr std::array slurm_ranks{"-n"sv, "--ntasks"sv};
constexpr std::array slurm_nodes{"-N"sv, "--nodes"sv};
constexpr std::array slurm_each{"--ntasks-per-node"sv, "--tasks-per-node"sv};

constexpr std::array launchers{"mpirun"sv,  "mpiexec"sv, "mpiexec.hydra"sv, "mpirun_rsh"sv, "orterun"sv,
                               "prterun"sv, "prun"sv,    "srun"sv,          "aprun"sv,      "ibrun"sv,
                               "palsrun"sv, "yhrun"sv,   "horovodrun"sv,    "flux"sv};
/// Programs between launcher and benchmark, whose options mean something else.
constexpr std::array wrappers{"numactl"sv, "taskset"sv,     "bash"sv,      "sh"sv,     "nsys"sv, "ncu"sv,
                              "time"sv,    "singularity"sv, "apptainer"sv, "podman"sv, "env"sv,  "docker"sv};

bool is_launcher(std::string_view word) { return is_one_of(launchers, base_name(word)); }

std::optional<int> plausible(std::optional<long long> number) {
  return number && *number >= 1 && *number <= launch_most_ranks ? std::optional(static_cast<int>(*number))
                                                                : std::nullopt;
}

std::optional<int> times(std::optional<int> a, std::optional<int> b) {
  return a && b ? plausible(1LL * *a * *b) : std::nullopt;
}

/// The launcher and its options, without those of programs between it and the benchmark.
std::span<const std::string> own_words(const Words& words) {
  const auto is_wrapper = [](const std::string& word) { return is_one_of(wrappers, base_name(word)); };
  const auto begin = std::ranges::find_if(words, is_launcher);
  const auto first = begin == words.end() ? words.begin() : begin;
  return {first, std::find_if(first, words.end(), is_wrapper)};
}

std::optional<int> option_number(std::span<const std::string> words, std::span<const std::string_view> flags) {
  return plausible(integer(option_value(words, flags).value_or("")));
}

/// Ranks per host of "--map-by ppr:4:node".
std::optional<int> mapped_per_node(std::span<const std::string> words) {
  static constexpr std::array flags{"--map-by"sv, "-map-by"sv};
  const std::string_view value = option_value(words, flags).value_or("");
  if (!value.starts_with("ppr:")) return std::nullopt;
  const std::size_t colon = value.find(':', 4);
  if (colon == std::string_view::npos || !value.substr(colon + 1).starts_with("node")) return std::nullopt;
  return plausible(integer(value.substr(4, colon - 4)));
}

/// Completes a size from ranks per host. Ranks that fill the last host only partly leave the hosts unknown.
LaunchSize completed(LaunchSize size, std::optional<int> per_node) {
  if (!size.ranks) size.ranks = times(size.nodes, per_node);
  if (!size.nodes && size.ranks && per_node && *size.ranks % *per_node == 0) size.nodes = *size.ranks / *per_node;
  return size;
}

/// Options of Slurm, on srun's command line and after #SBATCH.
LaunchSize size_of_slurm(std::span<const std::string> words) {
  LaunchSize size{.ranks = option_number(words, slurm_ranks), .nodes = option_number(words, slurm_nodes)};
  if (!size.ranks) size.ranks = times(size.nodes, option_number(words, slurm_each));
  return size;  // with -n, ranks per node are only an upper limit
}

LaunchSize size_of_mpirun(std::span<const std::string> words) {
  static constexpr std::array ranks{"-np"sv, "--np"sv, "-n"sv, "--n"sv, "-nprocs"sv, "--num-proc"sv};
  static constexpr std::array each{"-ppn"sv, "--ppn"sv, "-perhost"sv, "-npernode"sv, "--npernode"sv, "-N"sv};
  const LaunchSize size{.ranks = option_number(words, ranks), .nodes = {}};
  const bool one_each = is_one_of(words, "-pernode") || is_one_of(words, "--pernode");
  const auto per_node = one_each ? std::optional(1) : option_number(words, each), mapped = mapped_per_node(words);
  if (per_node && mapped && *per_node != *mapped) return size;
  return completed(size, per_node ? per_node : mapped);
}

/// Chunks of PBS: "select=2:ncpus=32:mpiprocs=4+1:mpiprocs=2", "nodes=2:ppn=4".
LaunchSize size_of_chunks(std::string_view text) {
  long long nodes = 0, ranks = 0;
  bool all_ranks = true;
  while (!text.empty()) {
    const std::string_view chunk = text.substr(0, text.find('+'));
    text.remove_prefix(std::min(chunk.size() + 1, text.size()));
    const auto number = plausible(integer(chunk.substr(0, chunk.find(':'))));
    if (!number) return {};
    std::optional<int> each;
    for (const std::string_view key : {":mpiprocs="sv, ":ppn="sv})
      if (holds(chunk, key)) each = plausible(integer(before(behind(chunk, key), ":")));
    nodes += *number;
    ranks += 1LL * *number * each.value_or(0);
    all_ranks = all_ranks && each && ranks <= launch_most_ranks;
  }
  return {.ranks = all_ranks ? plausible(ranks) : std::nullopt, .nodes = plausible(nodes)};
}

LaunchSize size_of_pbs(const Words& words) {
  for (const std::string& word : words)
    for (const std::string_view key : {"select="sv, "nodes="sv})
      for (const std::string_view start : {""sv, "-l"sv})
        if (word.starts_with(std::string(start) + std::string(key)))
          return size_of_chunks(before(behind(word, key), ","));
  return {};
}

/// A command for messages, cut after 80 characters.
std::string short_text(std::span<const std::string> words) {
  constexpr std::size_t longest = 80;
  std::string text = quotable(fmt::format("{}", fmt::join(words, " ")));
  if (text.size() <= longest) return text;
  return text.substr(0, text.rfind(' ', longest - 4)) + " ...";
}

/// Collects the lines of a log.
class LaunchLineReader {
 public:
  explicit LaunchLineReader(const std::function<bool(std::string_view)>& is_program) : is_program_(is_program) {}

  LaunchLines read(std::string_view log) {
    LogLines lines(log);
    while (const auto line = lines.next()) {
      const std::string_view text = trimmed(line->text);
      read_batch_line(line->number, text);
      join(line->number, text);
    }
    return std::move(all_);
  }

 private:
  /// Appends a line to the command that it continues.
  void join(int number, std::string_view text) {
    if (open_.empty()) first_ = number;
    const bool goes_on = text.ends_with('\\');
    if (goes_on) text.remove_suffix(1);
    if (open_.empty() && !goes_on) return read_command(number, text);
    open_ += std::string(text) + " ";
    if (goes_on && open_.size() < longest_command) return;
    read_command(number, open_);
    open_.clear();
  }

  void read_command(int number, std::string_view text) {
    if (!holds(text, "run") && !holds(text, "exec") && !holds(text, "flux")) return;  // most lines name no launcher
    if (text.starts_with('#') || all_.commands.size() == most_facts) return;
    Words all;
    for (const Word& word : words(text)) all.emplace_back(word.text);
    const auto launcher = std::ranges::find_if(all, is_launcher);
    if (launcher == all.end()) return;
    const auto program = std::find_if(launcher + 1, all.end(), is_program_);
    if (program == all.end()) return;
    const Words before(launcher, program);
    all_.commands.push_back({.line = first_,
                             .last_line = number,
                             .program = *program,
                             .launcher = short_text(own_words(before)),
                             .size = size_of_launcher(before)});
  }

  void read_batch_line(int number, std::string_view text) {
    if (!holds(text, "SLURM_") && !holds(text, "_SIZE=") && !text.starts_with('#')) return;
    Words all;
    const bool of_slurm = text.starts_with("#SBATCH "), of_pbs = text.starts_with("#PBS ");
    for (const Word& word : words(text.substr(0, longest_fact))) all.emplace_back(word.text);
    if (of_slurm) read_slurm_directive(number, text, all);
    if (of_pbs) claim(number, size_of_pbs(all), quotable(text));
    if (!of_slurm && !of_pbs)
      for (const std::string& word : all) read_variable(number, word);
  }

  /// Nodes and ranks per node are often on lines of their own.
  void read_slurm_directive(int number, std::string_view text, const Words& all) {
    const LaunchSize size = size_of_slurm(all);
    claim(number, size, quotable(text));
    if (const auto n = option_number(all, slurm_nodes)) nodes_ = n;
    if (const auto n = option_number(all, slurm_each)) each_ = n;
    const auto ranks = times(nodes_, each_);
    if (size.ranks || !ranks) return;
    claim(number, {.ranks = ranks, .nodes = {}},
          fmt::format("#SBATCH --nodes={} --ntasks-per-node={}", *nodes_, *each_));
    nodes_.reset();
    each_.reset();
  }

  void read_variable(int number, std::string_view word) {
    static constexpr std::array ranks{"SLURM_NTASKS"sv, "SLURM_NPROCS"sv, "SLURM_STEP_NUM_TASKS"sv,
                                      "OMPI_COMM_WORLD_SIZE"sv, "PMI_SIZE"sv};
    static constexpr std::array nodes{"SLURM_NNODES"sv, "SLURM_JOB_NUM_NODES"sv, "SLURM_STEP_NUM_NODES"sv};
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) return;
    const std::string_view name = word.substr(0, equals);
    const auto said = plausible(integer(unquoted(word.substr(equals + 1))));
    if (is_one_of(ranks, name)) claim(number, {.ranks = said, .nodes = {}}, quotable(word));
    if (is_one_of(nodes, name)) claim(number, {.ranks = {}, .nodes = said}, quotable(word));
  }

  void claim(int number, const LaunchSize& size, const std::string& text) {
    const std::string where = fmt::format("{} (line {})", text, number);
    if (size.ranks) add_claim(all_.ranks, {.number = *size.ranks, .source = where, .trust = Trust::batch});
    if (size.nodes) add_claim(all_.nodes, {.number = *size.nodes, .source = where, .trust = Trust::batch});
  }

  /// Each number is kept once, from its first source.
  static void add_claim(std::vector<SizeClaim>& claims, SizeClaim claim) {
    const bool known = std::ranges::find(claims, claim.number, &SizeClaim::number) != claims.end();
    if (!known && claims.size() < most_facts) claims.push_back(std::move(claim));
  }

  const std::function<bool(std::string_view)>& is_program_;
  LaunchLines all_;
  std::string open_;  ///< a command that goes on in the next line
  int first_ = 0;     ///< its first line
  std::optional<int> nodes_, each_;
};

SizeClaim claim_of(const LaunchCommand& command, int number) {
  return {.number = number,
          .source = fmt::format("{} (line {})", quotable(command.launcher), command.line),
          .trust = Trust::command};
}

}  // namespace

std::optional<std::string_view> option_value(std::span<const std::string> words,
                                             std::span<const std::string_view> flags) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    for (const std::string_view flag : flags) {
      if (word == flag && i + 1 < words.size()) return words[i + 1];
      if (!word.starts_with(flag) || word.size() == flag.size()) continue;
      const std::string_view rest = word.substr(flag.size());
      if (rest.starts_with('=')) return rest.substr(1);
      if (flag.size() == 2 && is_digit(rest.front())) return rest;
    }
  }
  return std::nullopt;
}

LaunchLines read_launch_lines(std::string_view log, const std::function<bool(std::string_view)>& is_program) {
  return LaunchLineReader(is_program).read(log);
}

LaunchSize size_of_launcher(const Words& launcher) {
  const std::span<const std::string> own = own_words(launcher);
  if (is_one_of(own, ":")) return {};  // several programs at once
  const std::string_view name = own.empty() ? ""sv : base_name(own.front());
  return name == "srun" || name == "yhrun" || name == "flux" ? size_of_slurm(own) : size_of_mpirun(own);
}

std::vector<LaunchCommand> commands_for(const LaunchLines& lines, const LaunchScope& scope) {
  std::vector<LaunchCommand> near, all;
  for (const LaunchCommand& command : lines.commands) {
    if (command.line >= scope.before || (scope.is_program && !scope.is_program(command.program))) continue;
    all.push_back(command);
    if (command.line > scope.after) near.push_back(command);
  }
  return near.empty() ? all : near;
}

std::vector<SizeClaim> rank_claims(const LaunchLines& lines, const LaunchScope& scope) {
  std::vector<SizeClaim> claims;
  for (const LaunchCommand& command : commands_for(lines, scope))
    if (command.size.ranks) claims.push_back(claim_of(command, *command.size.ranks));
  claims.insert(claims.end(), lines.ranks.begin(), lines.ranks.end());
  return claims;
}

std::vector<SizeClaim> node_claims(const LaunchLines& lines, const LaunchScope& scope, int ranks) {
  std::vector<SizeClaim> claims;
  for (const LaunchCommand& command : commands_for(lines, scope))
    if (command.size.nodes && command.size.ranks.value_or(ranks) == ranks)
      claims.push_back(claim_of(command, *command.size.nodes));
  const bool all_used = lines.ranks.size() == 1 && lines.ranks.front().number == ranks;
  for (const SizeClaim& claim : lines.nodes)
    if (claim.number <= ranks && (all_used || claim.number == 1)) claims.push_back(claim);
  return claims;
}

}  // namespace busbar
