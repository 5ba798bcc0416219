// SPDX-License-Identifier: Apache-2.0
#include "core/journal/journal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include <fmt/chrono.h>
#include <fmt/core.h>

#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"
#include "core/base/privacy.hpp"
#include "core/base/units.hpp"
#include "core/files/file_lock.hpp"
#include "core/journal/journal_line.hpp"
#include "core/journal/unfinished.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/parts.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"

namespace busbar {
namespace {

void leave_out(std::string& line, Detail detail) {
  if (detail == Detail::all) return;
  empty_lists(line, detail == Detail::figures
                        ? std::vector<std::string_view>{"samples_s", "rounds", "ranks", "usage", "telemetry"}
                        : std::vector<std::string_view>{"samples_s"});
}

/// Why a line is not part of a record. The first line reveals a log of another tool.
std::string describe_foreign_line(std::string_view line, bool first, const nlohmann::json::exception& e) {
  constexpr std::size_t shown = 40;
  if (!first || line.starts_with('{')) return describe_json_error(e);
  return fmt::format("it begins with '{}'; busbar import reads logs of other tools", line.substr(0, shown));
}

/// "7 to 9, 12" for 6, 7, 8, 11, because users count cases from 1. Empty if the list would be long.
std::string list_of_cases(const std::vector<int>& indexes) {
  constexpr int most = 6;
  std::string text;
  int parts = 0;
  for (std::size_t i = 0; i < indexes.size(); ++parts) {
    std::size_t last = i;
    while (last + 1 < indexes.size() && indexes[last + 1] == indexes[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", indexes[i] + 1);
    if (last > i) text += fmt::format(" to {}", indexes[last] + 1);
    i = last + 1;
  }
  return parts > most ? "" : text;
}

/// Reads a journal line by line.
class Reader {
 public:
  Reader(const std::filesystem::path& path, Detail detail, bool being_written)
      : path_(path), detail_(detail), being_written_(being_written) {
    run_.path = path.string();
  }

  /// Reads all launches of the file.
  std::vector<Run> read() {
    errno = 0;
    std::ifstream in(path_, std::ios::binary);
    if (!in || std::filesystem::is_directory(path_))
      throw UsageError(fmt::format("{}: cannot be read: {}", run_.path, std::strerror(errno == 0 ? EISDIR : errno)));
    std::string line;
    bool goes_on = true;
    while (goes_on && std::getline(in, line)) {
      ++number_;
      goes_on = read_line(line, !in.eof());
    }
    if (in.bad())
      throw UsageError(fmt::format("{}:{}: cannot be read any further: {}", run_.path, number_ + 1,
                                   std::strerror(errno == 0 ? ENOMEM : errno)));
    if (number_ == 0) refuse_empty();
    keep_run();
    return std::move(runs_);
  }

 private:
  [[noreturn]] void refuse_empty() const {
    if (being_written_) throw UsageError(fmt::format("{}: has no record yet, the run is still writing it", run_.path));
    throw UsageError(fmt::format("{}: is empty; a busbar record starts with a run line", run_.path));
  }

  /// `whole`: the line ends with a newline; the writer ends every line, so a line without one is incomplete. Returns
  /// false if reading must stop here.
  bool read_line(std::string& line, bool whole) {
    if (has_head_) leave_out(line, detail_);
    try {
      refuse_long_texts(line);
      auto record = parse_line(line);
      remove_people(record, this_person());  // the record may be from another person or an older version
      read_record(record);
      return true;
    } catch (const nlohmann::json::exception& e) {
      if (number_ == 1 && being_written_ && !whole) refuse_empty();
      if (number_ == 1 || (whole && !being_written_))
        throw UsageError(fmt::format("{}:{}: not a busbar record: {}", run_.path, number_,
                                     describe_foreign_line(line, number_ == 1, e)));
    } catch (const Error& e) {
      throw UsageError(fmt::format("{}:{}: {}", run_.path, number_, e.what()));
    }
    run_.notes.push_back(being_written_
                             ? fmt::format("line {} was being written when it was read", number_)
                             : fmt::format("line {} is cut off: the run was ended while it was written", number_));
    return false;
  }

  /// Adds one parsed line to the run. Throws nlohmann's or our exceptions if it does not fit.
  void read_record(const nlohmann::json& j) {
    const auto& record = j.at("record").get_ref<const std::string&>();
    if (record == "launch") return begin_launch(j);
    if (!has_head_ && record != "run") throw Error("the first record is not a run");
    if (record == "run")
      read_run(j);
    else if (record == "case")
      read_case(j);
    else if (record == "end")
      j.get_to(run_.end.emplace());
    else
      throw Error("unknown record '" + record + "'; known: launch, run, case, end");
  }

  void begin_launch(const nlohmann::json& j) {
    if (number_ > 1 && !of_launches_) throw Error("a launch record behind one of another kind");
    if (number_ > 1) keep_run();
    of_launches_ = true;
    run_.path = path_.string();
    j.get_to(run_.launch.emplace());
  }

  /// Keeps the launch that was read, unless it is empty.
  void keep_run() {
    if (has_head_) runs_.push_back(std::move(run_));
    run_ = {};
    earlier_.clear();
    has_head_ = false;
  }

  void read_run(const nlohmann::json& j) {
    const int schema = j.at("schema").get<int>();
    if (schema > schema_version)
      throw Error(
          fmt::format("written with schema {}, newer than {}, the newest that busbar {} reads: use a newer busbar",
                      schema, schema_version, version()));
    if (!has_head_) {
      j.get_to(run_.head);
      has_head_ = true;
      return;
    }
    const RunRecord resumed = j.get<RunRecord>();
    if (resumed.resumes != run_.head.id)
      throw Error("a second run record, and not of a launch that resumed the first one's");
    run_.resumed.push_back(resumed);
    run_.end.reset();  // that of the previous launch; this one has its own
    for (std::size_t i = 0; i < run_.cases.size(); ++i) earlier_[run_.cases[i].index] = i;
  }

  /// Adds a case, or replaces the same case of an earlier launch.
  void read_case(const nlohmann::json& j) {
    CaseRecord one = j.get<CaseRecord>();
    one.launch = run_.resumed.size();
    const auto same = earlier_.find(one.index);
    if (same == earlier_.end()) {
      run_.cases.push_back(std::move(one));
      return;
    }
    run_.cases[same->second] = std::move(one);
    earlier_.erase(same);
  }

  const std::filesystem::path& path_;
  const Detail detail_;
  const bool being_written_;
  int number_ = 0;  ///< of the line, from 1
  bool of_launches_ = false, has_head_ = false;
  std::vector<Run> runs_;
  Run run_;
  std::unordered_map<int, std::size_t> earlier_;  ///< positions of cases of the previous launches, by index
};

/// Reads the unfinished cases beside a journal as a run; empty if that is impossible.
std::optional<Run> read_beside(const std::filesystem::path& journal, Detail detail) {
  const std::filesystem::path beside = unfinished_beside(journal);
  std::error_code problem;
  if (!std::filesystem::is_regular_file(beside, problem)) return std::nullopt;
  try {
    auto runs = Reader(beside, detail, true).read();
    return runs.empty() ? std::nullopt : std::optional(std::move(runs.front()));
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

/// Unfinished cases that the run's last launch lacks. Ignores those of another launch.
std::vector<CaseRecord> lacking(const Run& run, Run beside) {
  if (beside.head.id != (run.resumed.empty() ? run.head.id : run.resumed.back().id)) return {};
  std::unordered_set<int> there;
  for (const CaseRecord& c : run.cases)
    if (c.launch == run.resumed.size()) there.insert(c.index);
  std::erase_if(beside.cases, [&](const CaseRecord& c) { return there.contains(c.index); });
  for (CaseRecord& c : beside.cases) c.launch = run.resumed.size();
  return std::move(beside.cases);
}

/// Adds cases, replacing the same cases of earlier launches.
void replace_cases(Run& run, std::vector<CaseRecord> cases) {
  std::unordered_set<int> replaced;
  for (const CaseRecord& c : cases) replaced.insert(c.index);
  std::erase_if(run.cases, [&](const CaseRecord& c) { return replaced.contains(c.index); });
  std::ranges::move(cases, std::back_inserter(run.cases));
}

std::string note_on_resumed(const Run& run, std::size_t launch) {
  std::vector<int> its_own;
  for (const CaseRecord& c : run.cases)
    if (c.launch == launch) its_own.push_back(c.index);
  const std::string list = list_of_cases(its_own), all = run.end ? fmt::format(" of {}", run.cases.size()) : "";
  const std::string which = its_own.empty()       ? "no case was"
                            : list.empty()        ? fmt::format("{}{} cases were", its_own.size(), all)
                            : its_own.size() == 1 ? fmt::format("case {}{} was", list, all)
                                                  : fmt::format("cases {}{} were", list, all);
  return fmt::format("{} measured when the run was resumed, {}", which,
                     run.resumed[launch - 1].start_utc.value_or("at an unknown time"));
}

void add_notes(Run& run, bool being_written, std::size_t beside) {
  for (std::size_t launch = 1; launch <= run.resumed.size(); ++launch)
    run.notes.push_back(note_on_resumed(run, launch));
  if (being_written && !run.end)
    run.notes.emplace_back("the run is still writing it");
  else if (!run.end)
    run.notes.emplace_back("no end record: the run ended before all cases were measured");
  if (beside > 0 && !being_written)
    run.notes.push_back(fmt::format("{} that had not ended: in {}, which belongs to it", plural(beside, "case"),
                                    std::filesystem::path(unfinished_beside(run.path)).filename().string()));
}

}  // namespace

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::string new_run_id() {
  return fmt::format("{:%Y%m%dT%H%M%SZ}-{:08x}", fmt::gmtime(std::time(nullptr)), std::random_device{}());
}

std::vector<Run> read_journals(const std::filesystem::path& path, Detail detail) {
  const bool being_written = is_being_written(path);
  std::optional<Run> beside = read_beside(path, detail);  // first: a case that ends meanwhile is in both
  std::vector<Run> runs = Reader(path, detail, being_written).read();
  for (Run& run : runs) {
    std::vector<CaseRecord> left = beside && !run.launch ? lacking(run, *std::move(beside)) : std::vector<CaseRecord>{};
    const std::size_t number = left.size();
    replace_cases(run, std::move(left));
    if (!std::ranges::is_sorted(run.cases, {}, &CaseRecord::index))  // mostly are; cases are large to move
      std::ranges::stable_sort(run.cases, {}, &CaseRecord::index);   // in the order of the plan, not of completion
    add_notes(run, being_written && !run.launch, number);
  }
  return runs;
}

Run read_journal(const std::filesystem::path& path, Detail detail) {
  std::vector<Run> runs = read_journals(path, detail);
  if (runs.size() != 1)
    throw UsageError(fmt::format("{}: has {} launches; give a record of one", path.string(), runs.size()));
  return std::move(runs.front());
}

std::vector<CaseRecord> unfinished_cases(const std::filesystem::path& journal) {
  std::optional<Run> beside = read_beside(journal, Detail::all);
  if (!beside) return {};
  try {
    const auto runs = Reader(journal, Detail::figures, true).read();
    return runs.empty() ? std::vector<CaseRecord>{} : lacking(runs.front(), *std::move(beside));
  } catch (const UsageError&) {
    return {};
  }
}

}  // namespace busbar
