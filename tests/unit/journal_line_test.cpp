// SPDX-License-Identifier: Apache-2.0
#include "core/journal/journal_line.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"
#include "core/base/privacy.hpp"
#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/launch_record.hpp"
#include "core/record/parts.hpp"
#include "core/record/run_record.hpp"

namespace busbar::test {
namespace {

/// Lines of the records among the golden files.
std::vector<std::string> golden_lines() {
  std::vector<std::string> lines;
  for (const auto& file : std::filesystem::recursive_directory_iterator("golden")) {
    if (file.path().extension() != ".jsonl") continue;
    std::ifstream in(file.path());
    for (std::string line; std::getline(in, line);) lines.push_back(line);
  }
  return lines;
}

/// The line as nlohmann/json writes it.
template <class T>
std::string line_by_document(const T& record) {
  nlohmann::json j = record;
  remove_people(j, this_person());
  return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The line that is written for what is read from `j`.
template <class T>
std::string line_for(const nlohmann::json& j) {
  return to_line(j.get<T>());
}

/// Calls `use` with the type of the record in `j`; returns 0 if there is none.
template <class Use>
int with_type(const nlohmann::json& j, Use use) {
  const std::string kind = j.value("record", "");
  if (kind == "run") return use(RunRecord{}), 1;
  if (kind == "case") return use(CaseRecord{}), 1;
  if (kind == "end") return use(EndRecord{}), 1;
  if (kind == "launch") return use(LaunchRecord{}), 1;
  return 0;
}

int expect_same_lines(const nlohmann::json& j) {
  return with_type(j, [&](auto record) {
    j.get_to(record);
    EXPECT_EQ(to_line(record), line_by_document(record));
  });
}

TEST(JournalLine, IsWrittenAsTheDocumentIs) {
  int n = 0;
  for (const std::string& line : golden_lines()) n += expect_same_lines(parse_json(line));
  EXPECT_GT(n, 100);
}

TEST(JournalLine, IsWrittenAsTheDocumentIsForOddValues) {
  RunRecord run{.id = "/home/alice", .tool = {.name = "a\"b\\c\n\x01\xff\xc3\xa9"}, .ranks = 2, .method = {}};
  run.notes = {"see /home/alice/log", "password=secret, Bearer abcdef", "", "a: b", std::string("x\0y", 3)};
  run.labels = {{"owner", "/home/alice"}, {"x=y", "password=1"}};
  run.libraries = {{"/home/alice/lib", "1"}, {"mpi", "4.1"}};
  EXPECT_EQ(to_line(run), line_by_document(run));
  run.libraries.erase("/home/alice/lib");
  EXPECT_EQ(to_line(run), line_by_document(run));
  run.argv = {"busbar-bench", "--password", "hunter2", "--out", "/home/alice/x"};
  EXPECT_EQ(to_line(run), line_by_document(run));

  CaseRecord c{.key = {.collective = "allreduce", .backend = "mpi", .bytes = 8, .ranks = 2}};
  for (const double value : {1.0, 1e-5, 1e5, 1e300, 5e-324, 0.1 + 0.2, -0.0, 123456789.0, HUGE_VAL, std::nan("")}) {
    c.time_s = value;
    c.samples_s.push_back(value);
    EXPECT_EQ(to_line(c), line_by_document(c)) << value;
  }
}

TEST(JournalLine, ReadsTheSameWithoutEmptyMembers) {
  std::size_t before = 0, after = 0;
  for (const std::string& line : golden_lines()) {
    std::string shorter = line;
    drop_empty_members(shorter);
    const nlohmann::json whole = parse_json(line), rest = parse_json(shorter);
    with_type(whole, [&](auto type) { EXPECT_EQ(line_for<decltype(type)>(rest), line_for<decltype(type)>(whole)); });
    before += line.size(), after += shorter.size();
  }
  EXPECT_LT(after, before * 95 / 100);
}

std::string without_empty_members(std::string line) {
  drop_empty_members(line);
  return line;
}

TEST(JournalLine, LosesOnlyMembersThatMayBeAbsent) {
  EXPECT_EQ(without_empty_members(R"({"op":null,"root":null})"), "{}");
  EXPECT_EQ(without_empty_members(R"({"op":null,"ranks":2,"root":null})"), R"({"ranks":2})");
  EXPECT_EQ(without_empty_members(R"({"a":{"op":null},"usage":[],"b":1,"time_by_clock_s":{}})"), R"({"a":{},"b":1})");
  for (const char* kept : {
           R"({"status":null})",                         // needed
           R"({"unheard_of":null})",                     // of a later version
           R"({"reason":"\"op\":null,\"root\":null"})",  // in a text
           R"({"reason":"x,\\","op":1})",
           R"({"op": null})",
           R"({"rounds":[null,[]]})",
           R"({"op":nullify})",
           R"("op":null)",
           R"(:null)",
           "",
       })
    EXPECT_EQ(without_empty_members(kept), kept);
}

}  // namespace
}  // namespace busbar::test
