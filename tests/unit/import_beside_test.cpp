// SPDX-License-Identifier: Apache-2.0
// Folders of logs, and facts from files beside logs.
#include <gtest/gtest.h>

#include "core/record/run_record.hpp"
#include "reports/import/beside/beside.hpp"
#include "reports/import/beside/folder_logs.hpp"
#include "reports/import/beside/host_names.hpp"
#include "tests/unit/import_samples.hpp"
#include "tests/unit/made_up_tree.hpp"

namespace busbar::test {
namespace {

using Names = std::vector<std::string>;
using Texts = std::map<std::string, std::string>;

constexpr std::string_view allreduce_of_osu =
    "# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n4   1.80\n8   1.81\n";

std::optional<CompanionFacts> read_companion(std::string_view file_name, std::string_view text) {
  const Companion* kind = companion_named(file_name);
  EXPECT_NE(kind, nullptr) << file_name;
  return kind == nullptr ? std::nullopt : kind->read(text);
}

std::string kind_of(std::string_view file_name) {
  const Companion* kind = companion_named(file_name);
  return kind == nullptr ? "none" : std::string(kind->name);
}

// Kinds of files

TEST(Companions, AreKnownByTheirNames) {
  for (const char* name : {"env", "ENV.txt", "n2.env", "printenv.rank0"}) EXPECT_EQ(kind_of(name), "environment");
  for (const char* name : {"nodes", "nodelist.txt", "hostfile", "machinefile"}) EXPECT_EQ(kind_of(name), "node list");
  for (const char* name : {"modules", "module_list.txt", "module-list"}) EXPECT_EQ(kind_of(name), "modules");
  for (const char* name : {"slurm-17.out", "scontrol.txt"}) EXPECT_EQ(kind_of(name), "Slurm job");
  EXPECT_EQ(kind_of("ldd.all_reduce_perf"), "linked libraries");
  EXPECT_EQ(kind_of("nvidia-smi-topo.txt"), "GPU topology");
  EXPECT_EQ(kind_of("topo.xml"), "NCCL topology");
  for (const char* name : {"all_reduce.log", "environment.log", "nodes.log", "README.md"})
    EXPECT_EQ(kind_of(name), "none");
}

TEST(Companions, KeepOnlyAllowedVariables) {
  const auto facts = read_companion("env",
                                    "HOME=/home/somebody\nNCCL_ALGO=Ring\nexport NCCL_DEBUG=\"INFO\"\n"
                                    "declare -x UCX_TLS='rc'\nNCCL_AUTH_TOKEN=abc\nAWS_SECRET_ACCESS_KEY=abc\n"
                                    "SLURM_JOB_USER=somebody\nSLURM_NNODES=2\nSLURM_NTASKS=16\nno assignment\n");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->environment, (Texts{{"NCCL_ALGO", "Ring"},
                                       {"NCCL_DEBUG", "INFO"},
                                       {"SLURM_NNODES", "2"},
                                       {"SLURM_NTASKS", "16"},
                                       {"UCX_TLS", "rc"}}));
  EXPECT_EQ(facts->nodes, 2);
  EXPECT_EQ(facts->ranks, 16);
  EXPECT_FALSE(read_companion("env", "this is prose\n"));
}

TEST(Companions, ReadHostsOfNodeLists) {
  const auto hosts = [](std::string_view text) {
    const auto facts = read_companion("nodelist", text);
    return facts ? facts->hosts : Names{"refused"};
  };
  EXPECT_EQ(hosts("a\nb\na\n"), (Names{"a", "b"}));
  EXPECT_EQ(hosts("# hosts\na slots=4 max_slots=8\nb:8 # spare\n\nc 2\n"), (Names{"a", "b", "c"}));
  EXPECT_EQ(hosts("nid[001-003,007]\n"), (Names{"nid001", "nid002", "nid003", "nid007"}));
  EXPECT_EQ(hosts("r[1-2]n[09-10],x"), (Names{"r1n09", "r1n10", "r2n09", "r2n10", "x"}));
  EXPECT_EQ(read_companion("nodes", "4\n")->nodes, 4);
  EXPECT_EQ(read_companion("nodes", "a\nb\na\n")->nodes, 2);
  for (const char* text : {"", "NODELIST NODES STATE\n", "a b\n", "a=b\n", "n[1-\n", "n[3-1]\n", "n[1-999999999]\n",
                           "n[1-9999][1-9999]\n", "../x\n", "$(x)\n", "-x\n"})
    EXPECT_EQ(hosts(text), (Names{"refused"})) << text;
  EXPECT_FALSE(expand_hosts("a,,b"));
}

TEST(Companions, ReadVersionsOfModules) {
  const auto facts = read_companion("modules",
                                    "Currently Loaded Modules:\n  1) gcc/12.2.0   2) openmpi/4.1.5-gcc (L)\n"
                                    "  3) cuda/12.2.1  4)nccl/2.18.3-cuda12.2\n");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->loaded, (Texts{{"cuda_runtime", "12.2.1"}, {"nccl", "2.18.3"}}));
  EXPECT_EQ(facts->remarks, (Names{"module cuda/12.2.1 loaded", "module nccl/2.18.3-cuda12.2 loaded",
                                   "module openmpi/4.1.5-gcc loaded"}));
  EXPECT_TRUE(read_companion("modules", "nccl/2.18.3 nccl/2.20.5\n")->loaded.empty()) << "which one?";
  EXPECT_TRUE(read_companion("modules", "cuda/toolkit nccl/latest\n")->loaded.empty());
  EXPECT_FALSE(read_companion("modules", "module avail:\n nccl/2.18.3\n"));
  EXPECT_FALSE(read_companion("modules", "nothing loaded\n"));
}

TEST(Companions, ReadVersionsOfLinkedLibraries) {
  const auto facts = read_companion("ldd.txt",
                                    "\tlinux-vdso.so.1 (0x00007ffd)\n"
                                    "\tlibmpi.so.40 => /home/somebody/ompi/lib/libmpi.so.40 (0x00007f)\n"
                                    "\tlibnccl.so.2 => /opt/lib/libnccl.so.2.18.3 (0x00007f)\n"
                                    "\tlibcudart.so.12 => /usr/local/cuda-12.2/lib64/libcudart.so.12 (0x00007f)\n"
                                    "\tlibcudnn.so.9 => not found\n");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->libraries, (Texts{{"cuda_runtime", "12.2"}, {"nccl", "2.18.3"}}));
  EXPECT_EQ(facts->remarks,
            (Names{"libcudart.so.12 linked", "libcudnn.so.9 not found", "libmpi.so.40 linked", "libnccl.so.2 linked"}));
  EXPECT_TRUE(read_companion("ldd", "libnccl.so.2 => /lib/libnccl.so.2 (0x1)\n")->libraries.empty());
  EXPECT_EQ(read_companion("ldd", "libnccl.so.2 => /sw/nccl/2.20.5/lib/libnccl.so.2 (0x1)\n")->libraries,
            (Texts{{"nccl", "2.20.5"}}));
  EXPECT_FALSE(read_companion("ldd", "\tnot a dynamic executable\n"));
}

TEST(Companions, ReadTopologiesOfGpus) {
  const auto facts = read_companion("topo.txt",
                                    "\t\033[4mGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\033[0m\n"
                                    "GPU0\t X \tNV18\tPIX\t0-55\t0\tN/A\nGPU1\tNV18\t X \tSYS\t0-55\t0\tN/A\n"
                                    "NIC0\tPIX\tSYS\t X \n\nLegend:\n\n  X    = Self\n");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->gpus, 2);
  EXPECT_EQ(facts->remarks, Names{"2 GPUs of a node, NV18 between them"});
  ASSERT_TRUE(facts->gpu_links);
  EXPECT_EQ(facts->gpu_links->columns, (Names{"GPU0", "GPU1", "NIC0"}));
  EXPECT_EQ(facts->gpu_links->rows[1][0], "NV18");
  EXPECT_FALSE(read_companion("topo.txt", "\tGPU0\tGPU1\nGPU0\t X \tNV18\n")) << "a row is missing";
  EXPECT_FALSE(read_companion("topo.txt", "\tGPU0\nGPU0\tway\n"));
  const auto nccl = read_companion("topo.xml",
                                   "<system version=\"1\">\n<cpu host_hash=\"0x1\" numaid=\"0\">\n"
                                   "<gpu dev=\"0\" sm=\"90\">\n<nvlink target=\"0\" count=\"12\"/>\n"
                                   "<nvlink target=\"1\" count=\"6\"/>\n</gpu>\n<gpu dev=\"1\">\n"
                                   "<nvlink count=\"18\"/>\n</gpu>\n<net name=\"mlx5_0\" speed=\"400000\"/>\n");
  ASSERT_TRUE(nccl);
  EXPECT_EQ(nccl->remarks, Names{"2 GPUs of 18 NVLinks each, 1 network device of 400 Gb/s in NCCL's topology"});
  EXPECT_EQ(nccl->gpus, 2);
  EXPECT_FALSE(read_companion("topo.xml", "<graph/>"));
}

TEST(Companions, ReadSizesOfSlurmJobs) {
  const auto facts = read_companion("scontrol.txt",
                                    "JobId=17 JobName=secret\n   UserId=somebody(1000) Account=their-account\n"
                                    "   NodeList=nid[001-002]\n   NumNodes=2 NumCPUs=64 NumTasks=16\n"
                                    "   WorkDir=/home/somebody ReqNodeList=(null)\n");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->nodes, 2);
  EXPECT_EQ(facts->ranks, 16);
  EXPECT_EQ(facts->hosts, (Names{"nid001", "nid002"}));
  EXPECT_TRUE(facts->remarks.empty());
  EXPECT_FALSE(read_companion("scontrol.txt", "JobId=1 NumNodes=2\nJobId=2 NumNodes=2\n")->nodes) << "which job?";
  EXPECT_FALSE(read_companion("slurm-1.out", "starting\n")->nodes);
}

// Facts in records

ImportedRun import_beside(const ImportRequest& request, std::vector<std::pair<std::string, std::string>> files) {
  Beside beside;
  for (const auto& [name, text] : files)
    beside.facts.push_back({.kind = companion_named(name), .from = name, .facts = read_companion(name, text).value()});
  return import_with(request, beside).front();
}

TEST(Beside, GivesWhatTheLogDoesNotSay) {
  const ImportRequest request{.text = allreduce_of_osu, .source = "osu.txt", .ranks = 16};
  const ImportedRun run =
      import_beside(request, {{"nodelist", "a\nb\n"}, {"env", "UCX_TLS=rc\n"}, {"modules", "mpich/4.1 nccl/2.18.3"}});
  EXPECT_EQ(run.head.nodes, 2);
  EXPECT_EQ(run.cases[0].key.nodes, 2);
  ASSERT_EQ(run.head.hosts.size(), 2U);
  EXPECT_EQ(run.head.hosts[1].name, "b");
  EXPECT_EQ(run.head.environment, (Texts{{"UCX_TLS", "rc"}}));
  EXPECT_TRUE(run.head.libraries.empty()) << "OSU over MPI does not use the module nccl";
  for (const char* said : {"nodes: 2, from nodelist", "host names: from nodelist", "environment: 1 variable, from env",
                           "module nccl/2.18.3 loaded, from modules", "module mpich/4.1 loaded, from modules"})
    EXPECT_TRUE(mentions(run.head.notes, said)) << said;
  EXPECT_TRUE(run.warnings.empty());
}

TEST(Beside, LeavesTheLogsFactsAndWarns) {
  const std::string text = read_sample("polaris-n2.all_gather.setting1.log");
  const ImportRequest request{.text = text, .source = "all_gather.log"};
  const ImportedRun alone = import_one_run(request);
  ASSERT_EQ(alone.head.nodes, 2);
  const ImportedRun more = import_beside(request, {{"nodelist", "a\nb\nc\n"}});
  EXPECT_EQ(more.head.nodes, 2);
  EXPECT_TRUE(mentions(more.warnings, "nodes: 2 in the log, 3 in nodelist; the former is taken"));
  EXPECT_EQ(more.head.hosts.size(), alone.head.hosts.size());
  EXPECT_EQ(import_beside(request, {{"modules", "nccl/2.18.3"}}).head.libraries, (Texts{{"nccl", "2.18.3"}}));
  const ImportedRun others = import_beside(request, {{"nodelist", "a\nb\n"}});
  EXPECT_TRUE(mentions(others.warnings, " in the log is not in nodelist; the log's are taken"));
  EXPECT_EQ(others.head.hosts[0].name, alone.head.hosts[0].name);
}

TEST(Beside, WarnsOfFilesThatDisagree) {
  const ImportRequest request{.text = allreduce_of_osu, .source = "osu.txt", .ranks = 16};
  const ImportedRun run = import_beside(request, {{"nodelist", "a\nb\n"}, {"scontrol", "NumNodes=4\n"}});
  EXPECT_FALSE(run.head.nodes);
  EXPECT_TRUE(mentions(run.warnings, "nodes: 2 in nodelist, 4 in scontrol; neither is taken"));
  const ImportedRun few = import_beside({.text = allreduce_of_osu, .source = "o", .ranks = 2}, {{"nodes", "4"}});
  EXPECT_FALSE(few.head.nodes);
  EXPECT_TRUE(mentions(few.warnings, "nodes: 4 in nodes, more than the 2 ranks of the log; not taken"));
}

TEST(Beside, GivesPublishedFiguresNothing) {
  const ImportRequest request{.text = "collective,ranks,bytes,time_us\nallreduce,2,8,1\n", .source = "x.csv"};
  const ImportedRun run = import_beside(request, {{"env", "UCX_TLS=rc\n"}, {"nodes", "2"}});
  EXPECT_TRUE(run.head.environment.empty());
  EXPECT_FALSE(run.head.nodes);
}

TEST(Beside, GivesRanksWithAWarning) {
  const ImportedRun run =
      import_beside({.text = allreduce_of_osu, .source = "osu.txt"}, {{"scontrol", "NumTasks=16 NumNodes=2\n"}});
  EXPECT_EQ(run.head.ranks, 16);
  EXPECT_EQ(run.head.nodes, 2);
  EXPECT_TRUE(mentions(run.warnings, "ranks: 16, from scontrol; --ranks states another number"));
  EXPECT_FALSE(mentions(run.head.notes, "taken from --ranks"));
  const std::string nccl = read_sample("all_reduce.no_devices.log");
  EXPECT_NE(catch_error([&] {
              (void)import_beside({.text = nccl, .source = "all_reduce.log"}, {{"scontrol", "NumTasks=2\n"}});
            }).find("--ranks"),
            std::string::npos)
      << "a task of nccl-tests may have several GPUs";
}

// Folders

TEST(Folders, GiveTheirLogsAndNoOtherFile) {
  Tree tree;
  tree.file("b/x.txt", allreduce_of_osu).file("a/x.txt", allreduce_of_osu).file("a/.hidden/y.txt", allreduce_of_osu);
  tree.file("a/notes.txt", "nothing\n")
      .file("a/data", "\0\0"s)
      .file("a/r.jsonl", "{}")
      .file("a/quoted.md", allreduce_of_osu);
  tree.file("a/env", "UCX_TLS=rc\n").file("nodelist", "not a list of nodes\n");
  tree.link("loop", tree.root()).link("latest.txt", tree.root() / "b/x.txt").link("nowhere.txt", "none");
  const FolderLogs found = logs_in_folder(tree.root().string() + "/");
  EXPECT_EQ(found.logs, (Names{(tree.root() / "a/x.txt").string(), (tree.root() / "b/x.txt").string()}));
  EXPECT_EQ(found.unknown, 3U) << "notes.txt, data, quoted.md";
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_NE(found.warnings[0].find("nodelist: "), std::string::npos);
  EXPECT_TRUE(found.failed.empty());
  EXPECT_THROW((void)logs_in_folder((tree.root() / "none").string()), UsageError);
}

TEST(Folders, TakeALogOverACompanion) {
  Tree tree;
  tree.file("slurm-1.out", allreduce_of_osu).file("slurm-2.out", "NumNodes=2\nsrun: error: x\n");
  const FolderLogs found = logs_in_folder(tree.root().string());
  EXPECT_EQ(found.logs, (Names{(tree.root() / "slurm-1.out").string()}));
  EXPECT_EQ(found.unknown, 0U);
}

std::string sources_beside(const Tree& tree, const std::string& log, std::string* warnings = nullptr) {
  const FolderLogs found = logs_in_folder(tree.root().string());
  const Beside beside = found.companions->of(tree.root() / log);
  std::string all;
  for (const BesideFact& f : beside.facts) all += f.from + " ";
  if (warnings != nullptr)
    for (const std::string& text : beside.warnings) *warnings += text;
  return all;
}

TEST(Folders, GiveTheNearestFileOfEachKind) {
  Tree tree;
  tree.file("env", "UCX_TLS=rc\n").file("nodes", "8\n").file("n2/nodes", "2\n").file("n2/x.txt", allreduce_of_osu);
  tree.file("n8/deep/x.txt", allreduce_of_osu);
  EXPECT_EQ(sources_beside(tree, "n2/x.txt"), "nodes ../env ");
  EXPECT_EQ(sources_beside(tree, "n8/deep/x.txt"), "../../nodes ../../env ");
}

TEST(Folders, GiveALogItsOwnFile) {
  Tree tree;
  tree.file("n2.reduce.txt", allreduce_of_osu).file("n8.reduce.txt", allreduce_of_osu).file("n9.txt", allreduce_of_osu);
  tree.file("n2.env", "UCX_TLS=rc\n").file("n8.env", "UCX_TLS=ud\n");
  EXPECT_EQ(sources_beside(tree, "n2.reduce.txt"), "n2.env ");
  EXPECT_EQ(sources_beside(tree, "n8.reduce.txt"), "n8.env ");
  EXPECT_EQ(sources_beside(tree, "n9.txt"), "") << "the files of other logs";
  tree.file("p.env", "UCX_TLS=rc\n").file("q.env", "UCX_TLS=ud\n");
  std::string warnings;
  EXPECT_EQ(sources_beside(tree, "n9.txt", &warnings), "");
  EXPECT_EQ(warnings, "environment: several files beside the log, e.g. p.env and q.env; nothing is taken from them");
}

}  // namespace
}  // namespace busbar::test
