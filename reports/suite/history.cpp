// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/history.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"
#include "core/base/privacy.hpp"
#include "core/journal/journal.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "reports/runs/json_file.hpp"

namespace busbar::suite {
namespace {

namespace fs = std::filesystem;

constexpr int version = 1;
constexpr std::string_view no_result = "without result";  ///< a word for the end of a launch, beside LaunchEnd's

void add_record(History& history, const nlohmann::json& line) {
  const std::string record = line.at("record");
  if (record == "suite") {
    if (line.at("version") != version)
      throw Error(fmt::format("is of version {}; this busbar reads {}", line.at("version").dump(), version));
    if (!line.at("made_from").is_object()) throw Error("made_from is not an object");
    history.made_from = line.at("made_from");
    return;
  }
  const std::string launch = line.at("launch");
  history.endings.erase(launch);
  if (record == "begin") return;
  if (record != "end") throw Error(fmt::format("unknown record '{}'", record));
  const bool without_result = line.at("ended") == no_result;
  history.endings[launch] = {.argv = line.at("argv"),
                             .ended = without_result ? LaunchEnd::itself : line.at("ended").get<LaunchEnd>(),
                             .without_result = without_result,
                             .exit_code = line.at("exit_code").get<std::optional<int>>(),
                             .reason = line.at("reason"),
                             .wall_s = line.at("wall_s")};
}

/// A command as written to the journal.
std::vector<std::string> recorded(std::vector<std::string> argv) {
  for (std::string& word : argv) word = without_people(word, this_person());
  return argv;
}

/// The record of a launch; empty if there is none or it is unreadable.
std::optional<Run> record_of(const Launch& launch) {
  std::error_code problem;
  if (!fs::is_regular_file(launch.result, problem)) return std::nullopt;
  try {
    return read_journal(launch.result, Detail::figures);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

/// True if the program completed its plan, whatever the cases' results.
bool ran_to_end(const Run& run) { return run.end && busbar::ran_to_end(run.end->status); }

/// True if the result is complete; for a program without records, if it exists.
bool is_whole(const Launch& launch, const Step& step) {
  std::error_code problem;
  if (!program_of(step).writes_record) return fs::is_regular_file(launch.result, problem);
  const auto run = record_of(launch);
  return run && ran_to_end(*run);
}

/// Offset of the end of the last complete line: a truncated line must not join the next one.
off_t end_of_whole_lines(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const auto last = text.rfind('\n');
  return last == std::string::npos ? 0 : static_cast<off_t>(last + 1);
}

}  // namespace

History parse_history(std::string_view text, const std::string& file) {
  History history;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const bool whole = end != std::string_view::npos;  // without a newline, the line was not written completely
    try {
      auto record = parse_json(text.substr(0, end));
      remove_people(record, this_person());
      add_record(history, record);
    } catch (const nlohmann::json::exception&) {
      if (whole) throw UsageError(fmt::format("{}:{}: is not a line that busbar suite wrote", file, number));
    } catch (const Error& e) {
      throw UsageError(fmt::format("{}:{}: {}", file, number, e.what()));
    }
    text.remove_prefix(whole ? end + 1 : text.size());
  }
  return history;
}

History read_history(const fs::path& folder) {
  const fs::path path = folder / journal_name;
  std::error_code problem;
  return fs::exists(path, problem) ? parse_history(report::read_text(path), path.string()) : History{};
}

bool is_done(const Launch& launch, const Step& step, const History& history) {
  const auto found = history.endings.find(launch.name);
  if (found == history.endings.end()) return false;
  const Ending& last = found->second;
  const bool some_cases_failed = last.ended == LaunchEnd::itself && last.exit_code == static_cast<int>(Exit::failed) &&
                                 program_of(step).writes_record;
  const bool good_enough = last.ok() || (some_cases_failed && !step.required);
  return good_enough && last.argv == recorded(launch.argv) && is_whole(launch, step);
}

bool is_cut_short(const Launch& launch, const Step& step) {
  if (!program_of(step).writes_record) return false;
  const auto run = record_of(launch);
  return run && !ran_to_end(*run);
}

std::string why_cut_short(const Launch& launch) {
  const auto run = record_of(launch);
  return run && run->end && !ran_to_end(*run) ? run->end->reason.value_or(text_of(run->end->status)) : "";
}

Journal::Journal(const fs::path& folder, bool anew) : path_(folder / journal_name) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file_.is_open())
    throw UsageError(fmt::format("--out: cannot write {}: {}", path_.string(), std::strerror(errno)));
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
    throw UsageError(errno == EWOULDBLOCK
                         ? fmt::format("--out: another busbar suite runs in {}", folder.string())
                         : fmt::format("--out: cannot lock {}: {}", path_.string(), std::strerror(errno)));
  if (::ftruncate(file_.get(), anew ? 0 : end_of_whole_lines(path_)) != 0)
    throw UsageError(fmt::format("--out: cannot cut {}: {}", path_.string(), std::strerror(errno)));
}

void Journal::write(nlohmann::json line) {
  remove_people(line, this_person());
  const std::string text = line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const off_t before = ::lseek(file_.get(), 0, SEEK_END);
  errno = ENOSPC;  // a short write sets no errno
  if (::write(file_.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fdatasync(file_.get()) == 0)
    return;
  const std::string why = std::strerror(errno);
  if (before >= 0) static_cast<void>(::ftruncate(file_.get(), before));
  throw OutputError(fmt::format("cannot write {}: {}", path_.string(), why));
}

void Journal::write_made_from(const nlohmann::json& fingerprint) {
  write({{"record", "suite"}, {"version", version}, {"utc", utc_now()}, {"made_from", fingerprint}});
}

void Journal::write_begin(const Launch& launch) {
  write({{"record", "begin"}, {"launch", launch.name}, {"utc", utc_now()}, {"argv", launch.argv}});
}

void Journal::write_end(const Launch& launch, const Ending& ending) {
  write({{"record", "end"},
         {"launch", launch.name},
         {"utc", utc_now()},
         {"argv", ending.argv},
         {"ended", ending.without_result ? no_result : name(ending.ended)},
         {"exit_code", ending.exit_code},
         {"reason", ending.reason},
         {"wall_s", ending.wall_s}});
}

}  // namespace busbar::suite
