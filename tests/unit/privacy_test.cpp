// SPDX-License-Identifier: Apache-2.0
// Records contain no names of people, and no names of machines with --anonymise.
#include "core/base/privacy.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/identifiers.hpp"
#include "core/base/json.hpp"
#include "core/files/sha256.hpp"
#include "core/journal/alias_key.hpp"
#include "core/journal/anonymiser.hpp"
#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar {
namespace {

using busbar::test::catch_error;

namespace fs = std::filesystem;

const Person alice{.homes = {"/data/people/al ice", "/home/alice", "/root"}, .names = {"alice", "root", "s"}};

std::string of(std::string_view text) { return without_people(text, alice); }

TEST(People, LoseTheirHomeFolders) {
  EXPECT_EQ(of("/home/alice/busbar/build/bin/busbar-bench"), "~/busbar/build/bin/busbar-bench");
  EXPECT_EQ(of("/home/alice"), "~");
  EXPECT_EQ(of("/home/bob/x and /Users/carol/y"), "~/x and ~/y");
  EXPECT_EQ(of("--out=/home/bob/x.jsonl,/home/carol:/home/dave"), "--out=~/x.jsonl,~:~");
  EXPECT_EQ(of("cannot read '/home/alice/a b'; there is no /home/alice."), "cannot read '~/a b'; there is no ~.");
  EXPECT_EQ(of("file:///home/alice/x"), "file:~/x");
  EXPECT_EQ(of("-I/home/bob/include -L/root/lib"), "-I~/include -L/root/lib");
  EXPECT_EQ(of("/root/x /rooted /root.old"), "~/x /rooted /root.old");
  EXPECT_EQ(of("/data/people/al ice/x"), "~/x");
  EXPECT_EQ(of("~alice/x, ~bob/y"), "~/x, ~/y");
  EXPECT_EQ(of("/nfs/home/bob/x"), "/nfs/home/user/x");
}

TEST(People, LoseTheirNamesInPaths) {
  EXPECT_EQ(of("/scratch/alice/topo.xml"), "/scratch/user/topo.xml");
  EXPECT_EQ(of("/scratch/s/x"), "/scratch/user/x");
  EXPECT_EQ(of("alice/x.jsonl ../alice."), "user/x.jsonl ../user.");
  EXPECT_EQ(of("alice@node0:/scratch/alice"), "user@node0:/scratch/user");
}

TEST(People, LeaveOtherTextUnchanged) {
  for (const std::string_view text :
       {"alice", "platform=alice", "by alice, of alice", "/scratch/alice2/malice/alice-old", "/home", "/home/",
        "/homes/x", "12 GB/s", "allreduce/mpi/host/fp32", "/etc/root/x", "~/x", "~3/4", "a @ b", "", "/", "//",
        "/usr/lib/x.so", "/sys/class/infiniband/mlx5_0"})
    EXPECT_EQ(of(text), text);
}

TEST(People, AreRemovedOnce) {
  for (const std::string_view text :
       {"/home/home/bob", "/home/~x/alice", "/nfs/home/bob", "~alice", "/home/alice/home/x/y", "alice@alice@alice",
        "/home/user/x", "/home/../home/bob", "/data/people/al ice."})
    EXPECT_EQ(of(of(text)), of(text)) << text;
}

TEST(People, AreInNoLineOfARecord) {
  RunRecord run{.id = "/home/bob", .tool = {.name = "x"}, .ranks = 1, .method = {}};
  run.argv = {"/home/bob/x", "--out", "/home/bob/y"};
  run.labels = {{"where", "/home/bob"}};
  run.environment = {{"NCCL_TOPO_FILE", "/home/bob/topo.xml"}};
  run.source = "/home/bob/log";
  run.notes = {"see /home/bob/log"};
  const auto line = nlohmann::json::parse(to_line(run));
  EXPECT_EQ(line["argv"], (std::vector<std::string>{"~/x", "--out", "~/y"}));
  EXPECT_EQ(line["environment"]["NCCL_TOPO_FILE"], "~/topo.xml");
  EXPECT_EQ(line["source"], "~/log");
  EXPECT_EQ(line["notes"][0], "see ~/log");
  EXPECT_EQ(line["labels"]["where"], "/home/bob") << "the user's own words";

  CaseRecord record{.reason = "no /home/bob/x", .remarks = {"slow: /home/bob/y"}};
  record.key.collective = "allreduce";
  EXPECT_EQ(nlohmann::json::parse(to_line(record))["reason"], "no ~/x");
  EXPECT_EQ(nlohmann::json::parse(to_line(record))["remarks"][0], "slow: ~/y");
  EXPECT_EQ(nlohmann::json::parse(to_line(EndRecord{.status = EndStatus::failed, .reason = "/home/bob"}))["reason"],
            "~");
}

TEST(People, AreInNoKey) {
  nlohmann::json value{{"/home/bob/x", {{"a", "/home/bob"}}}, {"plain", {1, 2}}};
  remove_people(value, alice);
  EXPECT_EQ(value, (nlohmann::json{{"~/x", {{"a", "~"}}}, {"plain", {1, 2}}}));
}

// RFC 4231, test cases 1 to 4, 6 and 7.
TEST(Secrets, AreReplacedByAMark) {
  EXPECT_EQ(without_secrets("see https://bob:s3cret@host:80/a?b=c"), "see https://[removed]@host:80/a?b=c");
  EXPECT_EQ(without_secrets("curl -H 'Authorization: Bearer abc.def' x"),
            "curl -H 'Authorization: Bearer [removed]' x");
  EXPECT_EQ(without_secrets("authorization: basic YTpi"), "authorization: basic [removed]");
  EXPECT_EQ(without_secrets("-x FI_PSK=abc --db-password=abc,d token: t"),
            "-x FI_PSK=[removed] --db-password=[removed],d token: [removed]");
  for (const char* same : {"allreduce: 0.25 us at 8 B", "pkey=0x7fff", "tokens: 512", "a@b", "NCCL_ALGO=Ring",
                           "http://host/a@b", "author: nobody", "https://[removed]@h"})
    EXPECT_EQ(without_secrets(same), same);
}

TEST(Secrets, AreFoundAsRandomWords) {
  EXPECT_EQ(without_random_words("a=ghp_x7Zk2Lw9Xb4Rt8Yn3Mc6Vd1 b"), "a=ghp_[removed] b");
  EXPECT_EQ(without_random_words("9f86d081884c7d659a2feaa0c55ad015"), "[removed]");
  for (const char* same :
       {"mlx5_0:1,mlx5_1:1,mlx5_10:1", "/opt/nvidia/hpcx-v2.21-gcc-doca_ofed-ubuntu24.04-cuda12", "libnccl-net-ofi.so",
        "LL128,LL,Simple", "GPU-8f2a91c0-7b3c-4d5e-9f60-718293a4b5c6", "coll_tuned_allreduce_algorithm"})
    EXPECT_EQ(without_random_words(same), same);
}

TEST(Secrets, AreInNoCommandLineOfARecord) {
  nlohmann::json record{{"argv", {"mpirun", "--password", "hunter2", "-x", "UCX_TOKEN=hunter2"}},
                        {"labels", {{"a", "token=x"}}}};
  remove_people(record, Person{});
  EXPECT_EQ(record.dump().find("hunter2"), std::string::npos) << record.dump();
  EXPECT_EQ(record.at("labels").at("a"), "token=x");
}

TEST(Hmac, MatchesRfc4231) {
  std::string counting;
  for (char c = 1; c <= 25; ++c) counting += c;
  EXPECT_EQ(hmac_sha256_hex(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac_sha256_hex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac_sha256_hex(std::string(20, '\xaa'), std::string(50, '\xdd')),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  EXPECT_EQ(hmac_sha256_hex(counting, std::string(50, '\xcd')),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
  EXPECT_EQ(hmac_sha256_hex(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(hmac_sha256_hex(std::string(131, '\xaa'),
                            "This is a test using a larger than block-size key and a larger than block-size data. The "
                            "key needs to be hashed before being used by the HMAC algorithm."),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

std::string kind_of(std::string_view text) {
  const auto found = identifier_at(text, 0);
  if (!found) return "";
  return found->length == text.size() ? std::string(found->kind) : "part";
}

TEST(Identifiers, AreFoundByTheirForm) {
  EXPECT_EQ(kind_of("GPU-66616b65-2047-5055-2064-657669636500"), "gpu");
  EXPECT_EQ(kind_of("MIG-GPU-66616b65-2047-5055-2064-657669636500"), "mig");
  EXPECT_EQ(kind_of("66616b65-2047-5055-2064-657669636500"), "uuid");
  EXPECT_EQ(kind_of("0c:42:a1:00:11:22"), "mac");
  EXPECT_EQ(kind_of("0c-42-A1-00-11-22"), "mac");
  EXPECT_EQ(kind_of("0c:42:a1:ff:fe:00:11:22"), "guid");
  EXPECT_EQ(kind_of("0c42:a103:0011:2233"), "guid");
  EXPECT_EQ(kind_of("0x0c42a10300112233"), "guid");
  EXPECT_EQ(kind_of("fe80:0000:0000:0000:0c42:a103:0011:2233"), "addr") << "a GID";
  EXPECT_EQ(kind_of("fe80::e42:a1ff:fe00:1122"), "addr");
  EXPECT_EQ(kind_of("10.1.2.3"), "addr");
  EXPECT_EQ(kind_of("node[01-04,07]"), "hosts");
}

TEST(Identifiers, AreNotFoundInSimilarTexts) {
  for (const std::string_view text : {"0000:3b:00.0",
                                      "00000000:3B:00.0",
                                      "12:34:56",
                                      "2026-01-31T12:00:00Z",
                                      "26-01-31-12-00-00",
                                      "2.28.9",
                                      "4.1.4",
                                      "127.0.0.1",
                                      "0.0.0.0",
                                      "::1",
                                      "::",
                                      "std::string",
                                      "rows[3]",
                                      "0-3,8",
                                      "eth0",
                                      "mlx5_0:1",
                                      "300.1.2.3",
                                      "1.2.3.4.5",
                                      "import-0123456789abcdef",
                                      "0x1f",
                                      "ranks:2/nodes:1",
                                      "3b:00"})
    for (std::size_t at = 0; at < text.size(); ++at) EXPECT_FALSE(identifier_at(text, at)) << text << " at " << at;
}

Anonymiser of_lab() {
  Anonymiser a("a key of the test");
  a.learn({"node0", "node1.lab.example", "a", "localhost", "vm"});
  return a;
}

TEST(Aliases, ReplaceHostsEverywhere) {
  const Anonymiser a = of_lab();
  const std::string node0 = a.without_names("node0"), node1 = a.without_names("node1"), one = a.without_names("a");
  EXPECT_TRUE(node0.starts_with("host-") && node0.size() == 15) << node0;
  EXPECT_NE(node0, node1);
  EXPECT_EQ(a.without_names("node1.lab.example"), node1);
  EXPECT_EQ(a.without_names("NODE1"), node1);
  EXPECT_EQ(a.without_names("node0.other.example."), node0 + ".");
  EXPECT_EQ(a.without_names("node0:0<->node1:1"), node0 + ":0<->" + node1 + ":1");
  EXPECT_EQ(a.without_names("a:8,node0:8"), one + ":8," + node0 + ":8");
  EXPECT_EQ(a.without_names("rank 3 (node0) is late"), "rank 3 (" + node0 + ") is late");
  EXPECT_EQ(a.without_names("/tmp/x-node0/y_node1.log"), "/tmp/x-" + node0 + "/y_" + node1);
  for (const std::string_view same : {"this is a test", "node01", "node", "knode0", "localhost", "vms", "node10"})
    EXPECT_EQ(a.without_names(same), same);
}

TEST(Aliases, DependOnTheKey) {
  Anonymiser other("another key of it");
  other.learn({"node0"});
  EXPECT_EQ(of_lab().without_names("node0"), of_lab().without_names("node0"));
  EXPECT_NE(of_lab().without_names("node0"), other.without_names("node0"));
  EXPECT_EQ(of_lab().without_names("node0"), "host-" + hmac_sha256_hex("a key of the test", "node0").substr(0, 10));
}

TEST(Aliases, DistinguishDomains) {
  Anonymiser a("a key of the test");
  a.learn({"n1.east.example", "n1.west.example"});
  EXPECT_NE(a.without_names("n1.east.example"), a.without_names("n1.west.example"));
}

/// With something to hide in every text that it has.
Run made_up_run() {
  Run run{.path = "x", .head = {}, .cases = {}, .end = {}, .notes = {}};
  run.head = {.id = "x", .tool = {.name = "busbar-bench"}, .ranks = 2, .method = {}};
  run.head.argv = {"busbar-bench", "--hosts", "node0:1,node1:1", "-w", "node[0-1]"};
  run.head.labels = {{"where", "node0"}, {"node1", "10.1.2.3"}};
  run.head.hosts = {{.name = "node0"}, {.name = "node1.lab.example"}};
  run.head.hosts[0].gpus = {
      {.name = "A100", .bus = "0000:3b:00.0", .uuid = "GPU-66616b65-2047-5055-2064-657669636500"}};
  run.head.hosts[0].interfaces = {{.name = "eth0", .kind = InterfaceKind::ethernet}};
  run.head.placement = {{.rank = 0, .host = "node0"}, {.rank = 1, .host = "node1.lab.example"}};
  run.head.placement[0].device_uuid = "GPU-66616b65-2047-5055-2064-657669636500";
  run.head.environment = {{"OMPI_MCA_btl_tcp_if_include", "10.1.0.0/16,eth0"},
                          {"NCCL_COMM_ID", "login7:5000"},
                          {"NCCL_HOSTID", "secret"},
                          {"NCCL_DEBUG", "INFO"}};
  run.head.libraries = {{"cudnn", "9.1.0.70"}};
  run.head.notes = {"fe80::e42:a1ff:fe00:1122 on node0"};
  CaseRecord record{.status = Status::failed, .reason = "node1 (10.1.2.4) said nothing", .samples_s = {0.25, 1e-6}};
  record.key.collective = "pingpong";
  record.key.backend = "mpi";
  record.key.group = "node0:0<->node1:1";
  run.cases = {record};
  run.end = EndRecord{.status = EndStatus::failed, .reason = "lost node0.lab.example"};
  return run;
}

TEST(Aliases, ReplaceAllNamesOfARecord) {
  const auto run = made_up_run();
  Anonymiser a("a key of the test");
  a.learn(run.head);
  const RunRecord head = a(run.head);
  const CaseRecord record = a(run.cases[0]);
  const std::string all = to_line(head) + to_line(record) + to_line(a(*run.end));
  for (const std::string secret :
       {"node0", "node1", "lab.example", "66616b65", "10.1.", "e42:a1ff", "login7", "secret"})
    EXPECT_EQ(all.find(secret), std::string::npos) << secret << "\n" << all;
  for (const std::string kept : {"0000:3b:00.0", "eth0", "A100", "9.1.0.70", "INFO", "/16"})
    EXPECT_NE(all.find(kept), std::string::npos) << kept << "\n" << all;
  EXPECT_EQ(head.placement[0].host, head.hosts[0].name);
  EXPECT_EQ(head.placement[1].host, head.hosts[1].name);
  EXPECT_EQ(head.placement[0].device_uuid, head.hosts[0].gpus[0].uuid);
  EXPECT_EQ(record.key.group, a.without_names("node0") + ":0<->" + a.without_names("node1") + ":1");
  EXPECT_EQ(record.samples_s, run.cases[0].samples_s);
  EXPECT_TRUE(head.anonymised);
  EXPECT_EQ(head.notes.size(), run.head.notes.size() + 1);
  EXPECT_EQ(to_line(a(head)), to_line(head)) << "once is enough";
}

/// A host may be called like a word of busbar's.
TEST(Aliases, KeepWordsOfTheFormat) {
  auto run = made_up_run();
  run.head.hosts = {{.name = "mpi"}, {.name = "passed"}, {.name = "measured"}, {.name = "pingpong"}, {.name = "ok"}};
  CaseRecord& record = run.cases.at(0);
  record.key.group = "mpi:0<->ok:1";
  record.check.state = CheckState::passed;
  Anonymiser a("a key of the test");
  a.learn(run.head);

  const auto before = nlohmann::json::parse(to_line(record));
  const auto after = nlohmann::json::parse(to_line(a(record)));
  for (const char* key : {"kind", "collective", "backend"})
    EXPECT_EQ(after["key"].at(key), before["key"].at(key)) << key;
  EXPECT_EQ(after["key"]["group"], a.without_names("mpi") + ":0<->" + a.without_names("ok") + ":1");
  EXPECT_NE(after["key"]["group"], before["key"]["group"]);
  EXPECT_EQ(after["status"], before["status"]);
  EXPECT_EQ(after["check"]["state"], "passed");
  EXPECT_EQ(nlohmann::json::parse(to_line(a(run.head)))["origin"], "measured");
  EXPECT_EQ(nlohmann::json::parse(to_line(a(EndRecord{.status = EndStatus::ok, .reason = ""})))["status"], "ok");
}

class KeyFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "busbar-key-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

std::string catch_key_error(const fs::path& file) {
  return catch_error([&] { (void)read_or_make_alias_key(file, "test"); });
}

TEST_F(KeyFile, IsCreatedOnceForItsOwnerOnly) {
  const fs::path file = folder_ / "a" / "b" / "anonymise.key";
  const std::string key = read_or_make_alias_key(file, "test");
  EXPECT_EQ(key.size(), 64U);
  EXPECT_EQ(read_or_make_alias_key(file, "test"), key);
  struct stat status{};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1) << "something was left beside it";
  EXPECT_NE(read_or_make_alias_key(folder_ / "other.key", "test"), key);
}

TEST_F(KeyFile, ReportsWhyItIsMissing) {
  EXPECT_EQ(catch_key_error(folder_).find("--anonymise: cannot read the key " + folder_.string()), 0U);
  EXPECT_NE(catch_key_error("/proc/no/key").find("cannot make the key /proc/no/key: "), std::string::npos);
  std::ofstream(folder_ / "short") << "123456789012345\n";
  EXPECT_NE(catch_key_error(folder_ / "short").find("has less than 16 bytes"), std::string::npos);
  std::ofstream(folder_ / "file") << "";
  EXPECT_NE(catch_key_error(folder_ / "file" / "key").find("Not a directory"), std::string::npos);
}

}  // namespace
}  // namespace busbar
