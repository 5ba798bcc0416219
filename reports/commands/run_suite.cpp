// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/words.hpp"
#include "core/files/own_place.hpp"
#include "reports/accept/outputs.hpp"
#include "reports/commands/command.hpp"
#include "reports/suite/history.hpp"
#include "reports/suite/hosts.hpp"
#include "reports/suite/placeholders.hpp"
#include "reports/suite/plan.hpp"
#include "reports/suite/runner.hpp"
#include "reports/suite/show.hpp"
#include "reports/suite/suite.hpp"
#include "reports/suite/suite_report.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;
using suite::Given, suite::Plan, suite::Suite;

struct SuiteOptions {
  std::string file, hosts, hostfile, out, launcher = "mpirun", bin, format = "text";
  std::vector<std::string> labels, set;
  std::string accept;  ///< profile; empty: none
  bool again = false;
};

std::vector<suite::Host> hosts_of(const SuiteOptions& o) {
  if (!o.hosts.empty()) return suite::parse_hosts("--hosts", o.hosts);
  if (!o.hostfile.empty()) return suite::read_hostfile(o.hostfile);
  if (auto hosts = suite::allocated_hosts(suite::surroundings())) return *hosts;
  throw UsageError(
      "--hosts: say where to run: --hosts a:4,b:4 (name:ranks) or --hostfile FILE; both can be left out only "
      "inside a Slurm or PBS allocation");
}

Given given_by(const SuiteOptions& o) {
  const fs::path beside = own_program().parent_path();
  return {
      .hosts = hosts_of(o),
      .launcher = o.launcher,
      .placement = suite::placement_of(o.launcher, suite::surroundings()),
      .bin = o.bin == "PATH" ? fs::path() : fs::absolute(o.bin.empty() ? beside : fs::path(o.bin)).lexically_normal(),
      .out = fs::absolute(o.out).lexically_normal(),
      .labels = parse_labels(o.labels),
      .set = parse_assignments("--set", o.set, "NAME=VALUE")};
}

/// A suite, its settings and its plan.
struct SuiteJob {
  Given given;
  Suite suite;
  Plan plan;
  std::optional<accept::Profile> profile;
};

SuiteJob read_job(const SuiteOptions& o) {
  SuiteJob job{.given = given_by(o)};
  if (!o.accept.empty()) job.profile = accept::read_profile("--accept", o.accept);  // before the first launch
  const fs::path file = suite::find_suite(o.file.empty() ? suite::default_suite(job.given.hosts.size()) : o.file);
  job.suite = suite::read_suite(file);
  job.plan = suite::make_plan(job.suite, file.string(), job.given);
  return job;
}

/// Checks programs before the first launch. Skips this for a custom launcher with an explicit --bin, which can be a
/// path inside a container.
void check_programs(const SuiteOptions& o, const SuiteJob& job) {
  const bool own_launcher = suite::has_placeholder(job.given.launcher);
  if (job.given.bin.empty() || (own_launcher && !o.bin.empty())) return;
  for (const suite::Step& step : job.suite.steps) {
    std::error_code ignored;
    if (!fs::exists(job.given.bin / step.program, ignored))
      throw UsageError(fmt::format("--bin: there is no {} in {}; step {} needs it", step.program,
                                   job.given.bin.string(), step.name));
  }
}

void check_unchanged(const SuiteJob& job, const suite::History& history) {
  if (!history.made_from) {
    std::error_code ignored;
    for (const suite::Launch& launch : job.plan.launches)
      for (const fs::path& path : {launch.result, launch.log})
        if (fs::exists(path, ignored))
          throw UsageError(
              fmt::format("--out: {} exists, and no suite wrote it; name another folder, or add --again to replace it",
                          path.string()));
    return;
  }
  const std::string changed = suite::first_difference(*history.made_from, fingerprint(job.suite, job.given));
  if (!changed.empty())
    throw UsageError(
        fmt::format("--out: {} was made with other options: {}; name another folder, or start over with --again",
                    job.given.out.string(), changed));
}

/// This command as typed, without --again.
std::string same_command() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');)
    if (word != "--again") words.push_back(word);
  return suite::shell_line(words);
}

/// Writes the report, prints a summary and how to continue.
Exit finish_suite(const SuiteJob& job, const suite::Outcomes& outcomes) {
  report::Document document = make_suite_report(job.suite, job.plan, outcomes, job.given);
  std::optional<accept::Outcome> accepted;
  if (job.profile) {
    const accept::Acceptance acceptance = add_acceptance(document, job.suite, outcomes, *job.profile);
    accepted = acceptance.outcome();
    fmt::print("acceptance by {}: {}\n", job.profile->name, accept::verdict(acceptance));
  }
  suite::write_suite_report(document, job.given.out);
  fmt::print("{}; report: {}\n", suite::count_text(outcomes), (job.given.out / "report.html").string());
  const suite::History after = suite::read_history(job.given.out);
  const bool left = std::ranges::any_of(job.plan.launches, [&](const suite::Launch& launch) {
    return !suite::is_done(launch, job.suite.steps[launch.step], after);
  });
  if (left) fmt::print("to continue, type:\n  {}\n", same_command());
  if (outcomes.interrupted) return Exit::interrupted;
  if (accepted == accept::Outcome::unknown) return Exit::inconclusive;
  if (accepted) return *accepted == accept::Outcome::pass ? Exit::ok : Exit::failed;
  return std::ranges::all_of(outcomes.all, &suite::Outcome::ok) ? Exit::ok : Exit::failed;
}

Exit run_suite_steps(const SuiteOptions& o) {
  const SuiteJob job = read_job(o);
  check_programs(o, job);
  suite::History history;
  if (!o.again) {
    history = suite::read_history(job.given.out);
    check_unchanged(job, history);
  }
  suite::Journal journal(job.given.out, o.again);
  if (!history.made_from) journal.write_made_from(fingerprint(job.suite, job.given));
  fmt::print("suite {} on {}, into {}\n", job.suite.name, suite::hosts_text(job.given.hosts), job.given.out.string());
  for (const suite::LeftOut& left : job.plan.left_out)
    fmt::print("{} is left out: {}\n", job.suite.steps[left.step].name, left.reason);
  suite::Outcomes outcomes;
  {
    suite::Signals signals;
    outcomes = run_plan(job.suite, job.plan, history, journal, signals);
  }
  return finish_suite(job, outcomes);
}

Exit show_suite(const SuiteOptions& o) {
  const SuiteJob job = read_job(o);
  suite::History history = suite::read_history(job.given.out);
  if (history.made_from && !suite::first_difference(*history.made_from, fingerprint(job.suite, job.given)).empty())
    history = {};
  if (o.format == "json") return print_json(plan_json(job.suite, job.plan, job.given, history));
  const std::string text = plan_text(job.suite, job.plan, job.given, history);
  fmt::print("{}", o.format == "md" ? fmt::format("```sh\n{}```\n", text) : text);
  return Exit::ok;
}

Exit list_suites() {
  const fs::path folder = data_folder() / "suites";
  for (const std::string& name : suite::shipped_suites(folder)) {
    const fs::path file = suite::find_suite(name, folder);
    fmt::print("{:<12} {}\n{:<12} {}\n", name, suite::read_suite(file).about, "", file.string());
  }
  return Exit::ok;
}

void add_suite_options(CommandLine& line, SuiteOptions& o, bool out_required) {
  line.add("FILE", &o.file, "suite: a file, or a name of busbar suite list; without it, by the number of hosts",
           {.name = "FILE",
            .find_choices = [] { return suite::shipped_suites(data_folder() / "suites"); },
            .completes = Completes::files});
  line.add("--hosts", &o.hosts, "hosts and ranks per host: a:4,b:4",
           {.name = "HOSTS", .standard = "those of the Slurm or PBS job"});
  line.add("--hostfile", &o.hostfile, "hostfile as for mpirun: lines of HOST slots=N",
           {.name = "FILE", .completes = Completes::files, .excludes = "--hosts"});
  line.add("--out", &o.out, "folder for records, logs and the report",
           {.name = "FOLDER", .completes = Completes::folders, .required = out_required});
  line.add(
      "--launcher", &o.launcher,
      "launch command. Placeholders: {nodes}, {ranks}, {ranks_per_node}, {hosts} (a,b), {slots} (a:4,b:4); without "
      "one, the options that place ranks on hosts are added",
      {.name = "WORDS"});
  line.add("--bin", &o.bin, "folder of the programs; PATH: look in PATH",
           {.name = "FOLDER", .completes = Completes::folders, .standard = "folder of busbar"});
  line.add("--label", &o.labels, "add a label to all records, e.g. platform=vm; can be repeated",
           {.name = "KEY=VALUE", .single = true});
  line.add("--set", &o.set, "set a variable of the suite; can be repeated", {.name = "NAME=VALUE", .single = true});
}

}  // namespace

extern const Command run_suite{
    .name = "suite",
    .about = "run an acceptance suite and write its report",
    .heading = "Measure and compare",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<SuiteOptions>();
      CommandLine& running = line.add_subcommand("run", "run the steps that are not done yet, then write the report");
      add_suite_options(running, *o, true);
      running.add("--accept", &o->accept, "end with an acceptance by this profile (busbar accept --list)",
                  {.name = "PROFILE"});
      running.add("--again", &o->again, "start over, even if the folder has results");
      CommandLine& showing = line.add_subcommand("show", "print the commands without running them");
      add_suite_options(showing, *o, false);
      add_format(showing, o->format);
      line.add_subcommand("list", "list the built-in suites");
      line.notes = "Repeat the same command to resume where it stopped. docs/suite.md describes the files.";
      line.exit_codes =
          "0 all launches ok, or accepted; 1 some failed or did not run, or not accepted; 2 wrong use; 5 acceptance "
          "cannot tell; 130 interrupted.";
      line.examples = {"busbar suite run --hosts a:8,b:8 --out results/acceptance",
                       "busbar suite run --hosts a:8,b:8 --out results/acceptance --accept cluster",
                       "busbar suite run my.json --hostfile hosts --out results/my",
                       "busbar suite run --out results/job --launcher 'srun -N {nodes} -n {ranks}'",
                       "busbar suite show --hosts a:8,b:8 --set backend=nccl"};
      return [o, &line] {
        if (o->out.empty()) o->out = "results";
        if (line.chosen->name == "run") return run_suite_steps(*o);
        return line.chosen->name == "show" ? show_suite(*o) : list_suites();
      };
    },
};

}  // namespace busbar
