// SPDX-License-Identifier: Apache-2.0
#include "preflight/stages/options.hpp"

#include <fstream>

#include <fmt/core.h>

#include "core/base/words.hpp"
#include "core/files/kernel_files.hpp"
#include "preflight/checks/check.hpp"

namespace busbar::preflight {
namespace {

/// Option values as text.
struct Words {
  std::string timeout = "20", format = "text", out, hostfile, ranks_per_host = "1", mpirun;
  std::vector<std::string> hosts;
  bool overwrite = false, strict = false, ssh = false, announce = false, list = false, anonymise = false;
};

std::string notes() {
  std::string text = "Stages in order. The exit code is that of the first one that fails or times out:\n";
  for (std::size_t s = 0; s < stages.size(); ++s)
    text += fmt::format("  {:8} {}  {}\n", stages[s].name, exit_code(static_cast<Stage>(s)), stages[s].about);
  return text +
         "A failure of launch, same, network or pairs ends the run. docs/preflight.md explains the checks; --list "
         "names "
         "them.";
}

const std::vector<std::string> examples{
    "mpirun -np 16 busbar-preflight", "srun -N 2 --ntasks-per-node 8 busbar-preflight --out preflight.jsonl",
    "busbar-preflight --hosts node0,node1 --ranks-per-host 8",
    "busbar-preflight --hostfile hosts --ssh --timeout 60 --mpirun '--bind-to core'",
    "mpirun -np 16 busbar-preflight --strict --format json | jq 'select(.state == \"failed\" or .state == "
    "\"warning\")'"};

void add_options(CommandLine& line, Words& w) {
  line.add("--timeout", &w.timeout, "maximum time per stage", {.name = "SECONDS"});
  line.add("--strict", &w.strict, "treat warnings as failures");
  line.add("--ssh", &w.ssh, "in stage network, test the passwordless remote shell from each host to others");
  line.add("--list", &w.list, "list the checks of each stage");
  line.add("--announce", &w.announce, "", {.hidden = true});  // set for the program that --hosts starts
  line.begin_group("Output");
  line.add("--format", &w.format, "output format; json: JSON Lines",
           {.name = "FORMAT", .choices = {"text", "json"}, .strict = true});
  line.add("--out", &w.out, "also write JSON Lines to this file", {.name = "FILE", .completes = Completes::files});
  line.add("--overwrite", &w.overwrite, "replace the file of --out if it exists");
  line.add("--anonymise", &w.anonymise, "replace host names, addresses and UUIDs by aliases (docs/privacy.md)");
  line.begin_group("Hosts, without mpirun");
  line.add("--hosts", &w.hosts, "start the job on these hosts with the mpirun in PATH; first test the remote shell",
           {.name = "HOST", .list = true});
  line.add("--hostfile", &w.hostfile, "like --hosts, from a file: the first word of each line",
           {.name = "FILE", .completes = Completes::files});
  line.add("--ranks-per-host", &w.ranks_per_host, "ranks per host", {.name = "N"});
  line.add("--mpirun", &w.mpirun, "additional mpirun options, separated by spaces", {.name = "WORDS"});
}

/// Throws UsageError unless `word` is a host name, safe on the remote shell's command line.
const std::string& host_word(std::string_view flag, const std::string& word, std::string_view hint = "") {
  if (!is_host_name(word)) throw UsageError(fmt::format("{}: '{}' is not the name of a host{}", flag, word, hint));
  return word;
}

std::vector<std::string> read_hostfile(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UsageError(fmt::format("--hostfile: cannot read {}", path));
  std::vector<std::string> hosts;
  for (std::string line; std::getline(file, line);) {
    const std::string words(facts::trimmed(line.substr(0, line.find('#'))));
    if (!words.empty()) hosts.push_back(host_word("--hostfile", words.substr(0, words.find_first_of(" \t:"))));
  }
  if (hosts.empty()) throw UsageError(fmt::format("--hostfile: {} contains no host", path));
  return hosts;
}

std::string list_of_checks() {
  std::string text;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    text += fmt::format("{} ({}): {}\n", stages[s].name, exit_code(static_cast<Stage>(s)), stages[s].about);
    for (const Check* c : table<Check>())
      if (c->stage == static_cast<Stage>(s)) text += fmt::format("  {:19} {}\n", c->name, c->about);
  }
  return text;
}

PreflightOptions options_of(const Words& w) {
  PreflightOptions o{.timeout_s = parse_number("--timeout", w.timeout, 1, 3600, "a number of seconds from 1 to 3600"),
                     .json = w.format == "json",
                     .overwrite = w.overwrite,
                     .strict = w.strict,
                     .ssh = w.ssh,
                     .ranks_per_host = parse_count("--ranks-per-host", w.ranks_per_host, 1, 4096),
                     .anonymise = w.anonymise,
                     .announce = w.announce};
  if (!w.out.empty()) o.out = w.out;
  if (!w.hosts.empty() && !w.hostfile.empty()) throw UsageError("--hostfile: cannot be used together with --hosts");
  for (const std::string& host : w.hosts)
    o.hosts.push_back(host_word("--hosts", host, "; a file of hosts: --hostfile FILE"));
  if (!w.hostfile.empty()) o.hosts = read_hostfile(w.hostfile);
  if (o.hosts.empty() && !w.mpirun.empty()) throw UsageError("--mpirun: needs --hosts or --hostfile");
  for (const std::string_view word : facts::split(w.mpirun, ' '))
    if (!word.empty()) o.mpirun.emplace_back(word);
  return o;
}

}  // namespace

std::variant<PreflightOptions, Information> parse_options(const std::vector<std::string>& arguments) {
  CommandLine line{.name = "busbar-preflight",
                   .about = "Check the set-up of a cluster, stage by stage, before you measure.",
                   .notes = notes(),
                   .exit_codes =
                       "0 no stage failed (warnings are possible); 2 wrong use; 4 --out could not be written; "
                       "others: the stage, see above.",
                   .examples = examples,
                   .launched_by = "mpirun -np N "};
  Words words;
  add_options(line, words);
  if (auto information = parse_command_line(line, arguments)) return *information;
  if (words.list) return Information{list_of_checks()};
  return options_of(words);
}

}  // namespace busbar::preflight
