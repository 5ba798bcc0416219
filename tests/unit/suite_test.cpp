// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/suite.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/journal/journal.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/suite/history.hpp"
#include "reports/suite/hosts.hpp"
#include "reports/suite/placeholders.hpp"
#include "reports/suite/plan.hpp"
#include "reports/suite/runner.hpp"
#include "tests/unit/catch_error.hpp"

// Suite files, the commands made of them, and resuming. Nothing is started.

namespace busbar::suite::test {
namespace {

using busbar::test::catch_error;

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre, testing::HasSubstr;

json step(const std::string& name) { return {{"name", name}, {"program", "busbar-bench"}}; }

json minimal() {
  return {{"format", "busbar suite"}, {"version", 1}, {"name", "s"}, {"steps", {step("one"), step("two")}}};
}

Suite parsed(const json& j) { return parse_suite(j.dump(), "s.json"); }

std::string catch_parse_error(const std::string& text) {
  return catch_error([&] { (void)parse_suite(text, "s.json"); });
}

/// The same of the minimal suite with one value changed or added.
std::string complaint_with(const std::string& pointer, const json& value) {
  json j = minimal();
  j[json::json_pointer(pointer)] = value;
  return catch_parse_error(j.dump());
}

Given on(std::vector<Host> hosts) {
  return {.hosts = std::move(hosts),
          .placement = "-np {ranks} --host {slots} --map-by ppr:{ranks_per_node}:node",
          .bin = "/bin",
          .out = "/out"};
}

std::vector<std::string> names(const Plan& plan) {
  std::vector<std::string> all;
  for (const Launch& launch : plan.launches) all.push_back(launch.name);
  return all;
}

std::string catch_plan_error(const json& suite, const Given& given) {
  return catch_error([&] { (void)make_plan(parsed(suite), "s.json", given); });
}

// The file

TEST(SuiteFile, HasDefaults) {
  const Suite suite = parsed(minimal());
  ASSERT_EQ(suite.steps.size(), 2U);
  const Step& one = suite.steps[0];
  EXPECT_FALSE(one.nodes || one.ranks_per_node || one.required);
  EXPECT_EQ(one.launches, 1);
  EXPECT_EQ(one.time_limit_s, 600);
}

TEST(SuiteFile, IsReadBack) {
  json j = minimal();
  j["about"] = "all of it";
  j["variables"] = {{"size", "8"}};
  j["labels"] = {{"site", "lab"}};
  j["steps"][1] = {{"name", "two"},
                   {"about", "x"},
                   {"program", "busbar-train"},
                   {"arguments", {"-n", "{size}"}},
                   {"nodes", 2},
                   {"ranks_per_node", 4},
                   {"launches", 3},
                   {"labels", {{"a", "b"}}},
                   {"time_limit_s", 20},
                   {"required", true}};
  json written;
  to_json(written, parsed(j));
  json again;
  to_json(again, parsed(written));
  EXPECT_EQ(written, again);
  for (const auto& [key, value] : j["steps"][1].items()) EXPECT_EQ(written["steps"][1][key], value) << key;
}

TEST(SuiteFile, NamesThePlaceOfAnError) {
  EXPECT_EQ(complaint_with("/steps/1/ranks_per_node", "many"),
            "s.json: steps[1].ranks_per_node: \"many\" is neither \"all\" nor a whole number from 1 to 10000");
  EXPECT_EQ(complaint_with("/steps/0/nodes", 0),
            "s.json: steps[0].nodes: 0 is neither \"all\" nor a whole number from 1 to 100000");
  EXPECT_EQ(complaint_with("/steps/0/nodes", 1.5),
            "s.json: steps[0].nodes: 1.5 is neither \"all\" nor a whole number from 1 to 100000");
  EXPECT_EQ(complaint_with("/steps/1/launches", "2"),
            "s.json: steps[1].launches: \"2\" is not a whole number from 1 to 1000");
  EXPECT_EQ(complaint_with("/steps/1/required", 1), "s.json: steps[1].required: 1 is neither true nor false");
  EXPECT_EQ(complaint_with("/steps/1/arguments", "-e 8"),
            "s.json: steps[1].arguments: \"-e 8\" is not a list of texts [\"...\"]");
  EXPECT_EQ(complaint_with("/steps/1/arguments", {"-e", 8}), "s.json: steps[1].arguments[1]: 8 is not a text");
  EXPECT_EQ(complaint_with("/steps/1/labels", {{"a", 1}}), "s.json: steps[1].labels.a: 1 is not a text");
  EXPECT_EQ(complaint_with("/steps/1/name", "one"),
            "s.json: steps[1].name: 'one' is the name of steps[0] too; each step has a name of its own");
  EXPECT_THAT(complaint_with("/steps/1/name", "../two"), HasSubstr("steps[1].name: '../two' is not a name"));
  EXPECT_THAT(complaint_with("/steps/1/rank_per_node", 1),
              HasSubstr("steps[1].rank_per_node: is not a key here; known: name,"));
  EXPECT_THAT(complaint_with("/steps/1/program", "sh"),
              HasSubstr("steps[1].program: unknown 'sh'; known: busbar-bench, busbar-train, busbar-preflight"));
  EXPECT_THAT(complaint_with("/version", 2), HasSubstr("version: 2 is not 1"));
  EXPECT_THAT(complaint_with("/format", "other"), HasSubstr("format: \"other\" is not \"busbar suite\""));
  EXPECT_THAT(complaint_with("/steps", json::array()), HasSubstr("steps: is not a list of one step or more"));
  EXPECT_THAT(complaint_with("/steps/0", 3), HasSubstr("steps[0]: 3 is not an object"));
}

TEST(SuiteFile, NamesTheLineOfBrokenJson) {
  EXPECT_THAT(catch_parse_error("{\n \"format\": 1,\n}"), testing::StartsWith("s.json:3: is not JSON: "));
  EXPECT_THAT(catch_parse_error(""), testing::StartsWith("s.json:1: is not JSON: "));
  EXPECT_EQ(catch_parse_error(R"({"name": "a", "steps": [{"nodes": 1, "nodes": 2}]})"),
            "s.json: the key 'nodes' is there twice");
  EXPECT_THAT(catch_parse_error(R"({"version": 1e999})"),
              testing::StartsWith("s.json: the number '1e999' is too large"));
  EXPECT_EQ(catch_parse_error(std::string(100'000, '[')), "s.json: is JSON of more than 64 levels");
}

TEST(SuiteFile, RefusesOptionsThatTheSuiteSets) {
  for (const std::string flag : {"--out", "--out=x", "--label", "--overwrite"})
    EXPECT_THAT(complaint_with("/steps/1/arguments", {"-n", flag}),
                HasSubstr("steps[1].arguments[1]: the suite sets --"));
}

TEST(SuiteFile, ChecksItsPlaceholders) {
  EXPECT_EQ(complaint_with("/steps/1/arguments", {"{size}"}),
            "s.json: steps[1].arguments[0]: unknown {size}; known: nodes, ranks, ranks_per_node, hosts, slots, "
            "layouts");
  EXPECT_EQ(complaint_with("/steps/1/arguments", {"{size"}), "s.json: steps[1].arguments[0]: a { without } in '{size'");
  EXPECT_THAT(complaint_with("/variables", {{"nodes", "1"}}), HasSubstr("variables.nodes: is what every launch has"));
}

TEST(SuiteFile, ReadsShippedSuites) {
  const fs::path folder = fs::path("..") / "scripts" / "suites";
  const auto shipped = shipped_suites(folder);
  for (const std::size_t hosts : {1U, 2U, 3U, 100U})
    EXPECT_NE(std::ranges::find(shipped, default_suite(hosts)), shipped.end()) << hosts;
  for (const std::string& name : shipped) {
    const Suite suite = read_suite(find_suite(name, folder));
    EXPECT_EQ(suite.name, name);
    EXPECT_FALSE(suite.about.empty());
    for (const int slots : {1, 2, 4, 6, 8})
      for (const std::size_t hosts : {1U, 2U, 3U, 16U}) {
        std::vector<Host> all;
        for (std::size_t i = 0; i < hosts; ++i) all.push_back({.name = "h" + std::to_string(i), .slots = slots});
        EXPECT_FALSE(make_plan(suite, name, on(all)).launches.empty());
      }
  }
}

// Hosts

TEST(Hosts, CountSlotsAsMpirun) {
  EXPECT_THAT(parse_hosts("--hosts", "a:4,b,a:2"), ElementsAre(Host{"a", 6}, Host{"b", 1}));
  for (const std::string wrong : {"", "a,,b", "a:0", "a:x", "-x:1", "a b", "a:4:4", "$(id):1"})
    EXPECT_THROW((void)parse_hosts("--hosts", wrong), UsageError) << wrong;
}

TEST(Hosts, AreReadFromFiles) {
  EXPECT_THAT(parse_hostfile("# ours\nnode0 slots=4 max_slots=8\n\nnode1:2\nnode2 # spare\nnode2\n", "f"),
              ElementsAre(Host{"node0", 4}, Host{"node1", 2}, Host{"node2", 2}));
  EXPECT_THROW((void)parse_hostfile("# none\n", "f"), UsageError);
  EXPECT_EQ(catch_error([] { (void)parse_hostfile("a\nb slot=4\n", "f"); }),
            "f:2: 'slot=4' after the host is not slots=N");
}

Surroundings slurm(const char* list, const char* tasks, const std::string& names) {
  return {.variable =
              [=](const char* name) {
                const std::string_view n = name;
                return n == "SLURM_JOB_NODELIST" ? list : n == "SLURM_TASKS_PER_NODE" ? tasks : nullptr;
              },
          .output_of =
              [=](const std::vector<std::string>& argv) {
                EXPECT_THAT(argv, ElementsAre("scontrol", "show", "hostnames", list));
                return names;
              }};
}

TEST(Hosts, AreReadFromAnAllocation) {
  EXPECT_THAT(*allocated_hosts(slurm("n[1-3]", "4(x2),3", "n1\nn2\nn3\n")),
              ElementsAre(Host{"n1", 4}, Host{"n2", 4}, Host{"n3", 3}));
  EXPECT_THAT(*allocated_hosts(slurm("n1", nullptr, "n1\n")), ElementsAre(Host{"n1", 1}));
  EXPECT_THROW((void)allocated_hosts(slurm("n[1-3]", "4(x2)", "n1\nn2\nn3\n")), UsageError);
  EXPECT_THROW((void)allocated_hosts(slurm("n1", "4(x)", "n1\n")), UsageError);
  EXPECT_THROW((void)allocated_hosts(slurm("n1", nullptr, "--oProxyCommand=x\n")), UsageError) << "becomes a word";
  std::string many = "10000(x10000)";
  for (int i = 0; i < 1000; ++i) many += ",10000(x10000)";
  EXPECT_THROW((void)allocated_hosts(slurm("n1", many.c_str(), "n1\n")), UsageError) << "takes no memory for them";
  EXPECT_FALSE(allocated_hosts(slurm(nullptr, nullptr, "")).has_value());
}

// Words

TEST(Words, AreSplitAndJoinedAsInAShell) {
  EXPECT_THAT(split_words("mpirun  --mca a 'b c' --x=\"d e\"f ''", "--launcher"),
              ElementsAre("mpirun", "--mca", "a", "b c", "--x=d ef", ""));
  EXPECT_THROW((void)split_words("a 'b", "--launcher"), UsageError);
  const std::vector<std::string> words{"a", "b c", "it's", "", "$x;`y`", "k=v,w"};
  EXPECT_EQ(shell_line(words), R"(a 'b c' 'it'\''s' '' '$x;`y`' k=v,w)");
}

TEST(Words, FillInValuesOnce) { EXPECT_EQ(filled("-e {a}{b}", {{"a", "{b}"}, {"b", "1"}}, "x"), "-e {b}1"); }

TEST(Words, PreferTheProgramsOwnErrorLine) {
  const std::string rule(70, '-'), mpirun = rule + "\nmpirun detected that\na process\n" + rule + "\n[node0] Set MCA\n";
  EXPECT_EQ(telling_line("busbar-bench: -e: wrong\nmore\n" + mpirun, "busbar-bench"), "busbar-bench: -e: wrong");
  EXPECT_EQ(telling_line("ok\n# stage host failed\n[node0:1] ORTE\n" + mpirun, "busbar-preflight"),
            "stage host failed");
  EXPECT_EQ(telling_line(mpirun, "busbar-train"), "mpirun detected that");
  EXPECT_EQ(telling_line("no network\n", "busbar-train"), "no network");
  EXPECT_EQ(telling_line("\n---\n", "busbar-train"), "");
  EXPECT_EQ(telling_line("", "busbar-train"), "");
}

// The plan

TEST(Plan, MakesMpirunCommands) {
  json j = minimal();
  j["steps"][0]["arguments"] = {"pairs", "-n", "{ranks}"};
  j["steps"][0]["ranks_per_node"] = 1;
  const Plan plan = make_plan(parsed(j), "s.json", on({{"a", 4}, {"b", 2}}));
  EXPECT_THAT(plan.launches[0].argv,
              ElementsAre("mpirun", "-np", "2", "--host", "a:1,b:1", "--map-by", "ppr:1:node", "/bin/busbar-bench",
                          "pairs", "-n", "2", "--out", "/out/one.1.jsonl", "--overwrite", "--label", "step=one"));
  EXPECT_THAT(plan.launches[1].argv, testing::Contains("a:2,b:2")) << "as many as the host with the fewest slots takes";
}

/// A launcher that answers --version so.
Surroundings that_says(const std::string& version) {
  return {.variable = [](const char*) -> const char* { return nullptr; },
          .output_of = [version](const std::vector<std::string>& argv) -> std::string {
            if (argv != std::vector<std::string>{"mpirun", "--version"})
              throw busbar::Error("cannot start " + argv.at(0));
            return version;
          }};
}

TEST(Plan, PlacesRanksByTheLauncher) {
  const std::string open_mpi = "-np {ranks} --host {slots} --map-by ppr:{ranks_per_node}:node";
  EXPECT_EQ(placement_of("mpirun --bind-to core", that_says("mpirun (Open MPI) 5.0.11\n")), open_mpi);
  EXPECT_EQ(placement_of("mpirun", that_says("HYDRA build details:\n    Version:      4.0.2\n")),
            "-np {ranks} -hosts {hosts} -ppn {ranks_per_node} ");
  EXPECT_EQ(placement_of("mpirun", that_says("Intel(R) MPI Library for Linux* OS, Version 2021.18.1 Build 1\n")),
            "-np {ranks} -hosts {hosts} -ppn {ranks_per_node} ");
  EXPECT_EQ(placement_of("no-such", that_says("")), open_mpi);
  EXPECT_EQ(placement_of("srun -n {ranks}", that_says("")), "");
}

TEST(Plan, AcceptsAnotherLauncher) {
  Given given = on({{"a", 4}, {"b", 4}});
  given.launcher = "srun -N {nodes} --ntasks-per-node {ranks_per_node} -w {hosts} --mpi=pmix";
  given.bin = "";
  const auto argv = make_plan(parsed(minimal()), "s.json", given).launches[0].argv;
  EXPECT_EQ(shell_line(argv),
            "srun -N 2 --ntasks-per-node 4 -w a,b --mpi=pmix busbar-bench --out /out/one.1.jsonl --overwrite --label "
            "step=one");
  given.launcher = "srun -N {node}";
  EXPECT_THAT(catch_plan_error(minimal(), given), HasSubstr("--launcher: unknown {node}; known: "));
  given.launcher = " ";
  EXPECT_THAT(catch_plan_error(minimal(), given), HasSubstr("--launcher: empty"));
}

TEST(Plan, AlternatesLaunches) {
  json j = minimal();
  j["steps"].push_back(step("three"));
  j["steps"][0]["launches"] = 3;
  j["steps"][2]["launches"] = 2;
  EXPECT_THAT(names(make_plan(parsed(j), "s.json", on({{"a", 1}}))),
              ElementsAre("one.1", "two.1", "three.1", "three.2", "one.2", "one.3"));
}

TEST(Plan, SizesLayoutsByTheRanksOfAHost) {
  EXPECT_THAT(layouts(4, 4), ElementsAre("1x4", "2x2", "4x1"));
  EXPECT_THAT(layouts(2, 8), ElementsAre("1x8", "2x4"));
  EXPECT_THAT(layouts(3, 6), ElementsAre("1x6", "2x3", "3x2"));
  EXPECT_THAT(layouts(3, 1), ElementsAre("1x1"));
  json j = minimal();
  j["steps"][1]["arguments"] = {"--layout", "{layouts}"};
  const Plan plan = make_plan(parsed(j), "s.json", on({{"a", 1}, {"b", 1}}));
  EXPECT_THAT(names(plan), ElementsAre("one.1"));
  ASSERT_EQ(plan.left_out.size(), 1U);
  EXPECT_EQ(plan.left_out[0].reason, "1 rank on 2 nodes can be laid out in one way only");
}

TEST(Plan, NamesTheStepThatNeedsTooMuch) {
  json j = minimal();
  j["steps"][1]["nodes"] = 3;
  EXPECT_EQ(catch_plan_error(j, on({{"a", 1}, {"b", 1}})), "s.json: steps[1].nodes: 3, and there are 2 hosts");
  j = minimal();
  j["steps"][1]["ranks_per_node"] = 4;
  EXPECT_EQ(catch_plan_error(j, on({{"a", 4}, {"b", 1}})), "s.json: steps[1].ranks_per_node: 4, and b has 1 slot");
  j["steps"][1]["nodes"] = 1;
  EXPECT_EQ(catch_plan_error(j, on({{"a", 4}, {"b", 1}})), "no error");
}

TEST(Plan, SetsVariablesByName) {
  json j = minimal();
  j["variables"] = {{"size", "8"}};
  j["steps"][0]["arguments"] = {"--sizes", "{size}"};
  Given given = on({{"a", 1}});
  given.set = {{"size", "{nodes}"}};
  EXPECT_THAT(make_plan(parsed(j), "s.json", given).launches[0].argv, testing::Contains("{nodes}"));
  given.set = {{"sise", "8"}};
  EXPECT_EQ(catch_plan_error(j, given), "--set: suite s has no variable 'sise'; it has size");
}

TEST(Plan, LetsLaterLabelsWin) {
  json j = minimal();
  j["labels"] = {{"a", "suite"}, {"b", "suite"}};
  j["steps"][0]["labels"] = {{"b", "step"}, {"c", "step"}};
  Given given = on({{"a", 1}});
  given.labels = {{"c", "line"}};
  const auto line = shell_line(make_plan(parsed(j), "s.json", given).launches[0].argv);
  EXPECT_THAT(line, testing::EndsWith("--label a=suite --label b=step --label c=line --label step=one"));
}

TEST(Plan, EstimatesSamplingTimeIfGiven) {
  json j = minimal();
  j["steps"][0]["arguments"] = {"--run-budget", "12.5"};
  j["steps"][1]["arguments"] = {"--run-budget", "0"};  // no limit
  const Plan plan = make_plan(parsed(j), "s.json", on({{"a", 1}}));
  EXPECT_EQ(plan.launches[0].sampling_at_most_s, 12.5);
  EXPECT_FALSE(plan.launches[1].sampling_at_most_s);
}

TEST(Fingerprint, NamesTheChange) {
  json j = minimal();
  j["steps"][1]["arguments"] = {"-e", "8"};
  const auto before = fingerprint(parsed(j), on({{"a", 4}}));
  EXPECT_EQ(first_difference(before, before), "");
  EXPECT_EQ(first_difference(before, fingerprint(parsed(j), on({{"a", 2}}))), "hosts was \"a:4\", and now is \"a:2\"");
  j["steps"][1]["arguments"][1] = "16";
  EXPECT_EQ(first_difference(before, fingerprint(parsed(j), on({{"a", 4}}))),
            "suite steps[1].arguments[1] was \"8\", and now is \"16\"");
}

// Resuming

class Resume : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    Given given = on({{"a", 1}});
    given.out = folder_;
    launch_ = make_plan(suite_, "s.json", given).launches[0];
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write_record(EndStatus end) {
    JournalWriter record(launch_.result, true);
    record.write(RunRecord{.id = "x", .tool = {.name = "busbar-bench"}, .ranks = 1, .method = {}});
    record.write(EndRecord{.status = end, .reason = "SIGTERM"});
  }
  void write_record(bool to_the_end) {
    JournalWriter record(launch_.result, true);
    record.write(RunRecord{.id = "x", .tool = {.name = "busbar-bench"}, .ranks = 1, .method = {}});
    if (to_the_end) record.write(EndRecord{.status = EndStatus::ok});
  }
  Ending ending(int code) {
    return {.argv = launch_.argv, .ended = LaunchEnd::itself, .exit_code = code, .reason = "", .wall_s = 1};
  }
  bool done_after(const Ending& ending) {
    {
      Journal journal(folder_, true);
      journal.write_begin(launch_);
      journal.write_end(launch_, ending);
    }
    return is_done(launch_, suite_.steps[0], read_history(folder_));
  }

  const fs::path folder_ = fs::temp_directory_path() / fmt::format("suite_test.{}", ::getpid());
  Suite suite_ = parsed(minimal());
  Launch launch_;
};

TEST_F(Resume, SkipsFinishedLaunches) {
  write_record(true);
  EXPECT_TRUE(done_after(ending(0)));
  EXPECT_TRUE(done_after(ending(1))) << "some cases failed: they would again";
  suite_.steps[0].required = true;
  EXPECT_FALSE(done_after(ending(1))) << "and nothing else runs before it is mended";
  EXPECT_TRUE(done_after(ending(0)));
}

TEST_F(Resume, ContinuesInterruptedLaunches) {
  for (const EndStatus end : {EndStatus::interrupted, EndStatus::aborted, EndStatus::output}) {
    write_record(end);
    EXPECT_FALSE(done_after(ending(1))) << name(end);  // as mpirun gives it after SIGTERM
    EXPECT_TRUE(is_cut_short(launch_, suite_.steps[0])) << name(end);
    EXPECT_EQ(why_cut_short(launch_), "SIGTERM");
  }
  write_record(false);
  EXPECT_TRUE(is_cut_short(launch_, suite_.steps[0])) << "killed";
  EXPECT_EQ(why_cut_short(launch_), "");
  for (const EndStatus end : {EndStatus::ok, EndStatus::failed}) {
    write_record(end);
    EXPECT_FALSE(is_cut_short(launch_, suite_.steps[0])) << name(end);
  }
}

TEST_F(Resume, RepeatsFailedLaunches) {
  EXPECT_FALSE(done_after(ending(0))) << "no record";
  write_record(false);
  EXPECT_FALSE(done_after(ending(0))) << "record without its end";
  write_record(true);
  EXPECT_FALSE(done_after(ending(2)));
  EXPECT_FALSE(done_after(ending(3)));
  Ending limit = ending(1);
  limit.ended = LaunchEnd::time_limit;
  EXPECT_FALSE(done_after(limit));
  Ending other = ending(0);
  other.argv.emplace_back("--check");
  EXPECT_FALSE(done_after(other)) << "another command";
}

TEST(SuiteHistory, RefusesOtherFiles) {
  const auto catch_history_error = [](const std::string& text) {
    return catch_error([&] { (void)parse_history(text, "f"); });
  };
  EXPECT_EQ(catch_history_error("{\"record\":\"suite\",\"version\":1,\"made_from\":[1]}\n"),
            "f:1: made_from is not an object");
  EXPECT_EQ(catch_history_error("{\"a\":1e999}\n"), "f:1: is not a line that busbar suite wrote");
  EXPECT_EQ(catch_history_error(std::string(1'000'000, '[')), "f:1: is JSON of more than 64 levels")
      << "whose copy has no end";
}

TEST_F(Resume, RepeatsLaunchesThatBeganAgain) {
  write_record(true);
  Journal journal(folder_, true);
  journal.write_end(launch_, ending(0));
  journal.write_begin(launch_);
  EXPECT_FALSE(is_done(launch_, suite_.steps[0], read_history(folder_)));
}

TEST_F(Resume, IgnoresATornLine) {
  write_record(true);
  ASSERT_TRUE(done_after(ending(0)));
  std::ofstream(folder_ / journal_name, std::ios::app) << R"({"record":"begin","laun)";
  EXPECT_TRUE(is_done(launch_, suite_.steps[0], read_history(folder_)));
  {
    Journal(folder_, false).write_begin(launch_);
  }
  EXPECT_FALSE(is_done(launch_, suite_.steps[0], read_history(folder_))) << "the next line stands alone";
  std::ofstream(folder_ / journal_name, std::ios::app) << "broken\n";
  EXPECT_THROW((void)read_history(folder_), UsageError);
}

TEST_F(Resume, LocksItsFolder) {
  const Journal first(folder_, false);
  EXPECT_THROW(Journal(folder_, false), UsageError);
}

}  // namespace
}  // namespace busbar::suite::test
