// SPDX-License-Identifier: Apache-2.0
#include "core/journal.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/build_info.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/privacy.hpp"

namespace busbar {
namespace {

/// One line without people (core/privacy.hpp), invalid UTF-8 replaced: a host name or a reason must never make a record
/// unwritable.
std::string dump(nlohmann::json j) {
  remove_people(j, this_person());
  return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Takes one parsed line into the run. Throws nlohmann's or our exceptions for what does not fit.
void take(Run& run, const nlohmann::json& j, bool first) {
  const auto& record = j.at("record").get_ref<const std::string&>();
  if (first != (record == "run")) throw Error(first ? "the first record is not a run" : "a second run record");
  if (record == "run") {
    const int schema = j.at("schema").get<int>();
    if (schema > schema_version)
      throw Error(
          fmt::format("written with schema {}, newer than {}, the newest that busbar {} reads: use a newer busbar",
                      schema, schema_version, version()));
    j.get_to(run.head);
  } else if (record == "case") {
    j.get_to(run.cases.emplace_back());
  } else if (record == "end") {
    j.get_to(run.end.emplace());
  } else {
    throw Error("unknown record '" + record + "'; known: run, case, end");
  }
}

/// Where the text that begins behind `first` ends: the position of its closing quote; npos where it does not.
std::size_t end_of_text(const std::string& line, std::size_t first) {
  std::size_t at = line.find_first_of("\"\\", first);
  while (at != std::string::npos && line[at] == '\\') at = line.find_first_of("\"\\", at + 2);
  return at;
}

/// Where the list that begins behind `first` ends: the position of its "]"; npos where it does not.
std::size_t end_of_list(const std::string& line, std::size_t first) {
  int depth = 1;
  std::size_t at = line.find_first_of("[]\"", first);
  while (at != std::string::npos) {
    if (line[at] == '"') at = end_of_text(line, at + 1);
    if (at == std::string::npos) break;
    if (line[at] == '[') ++depth;
    if (line[at] == ']' && --depth == 0) return at;
    at = line.find_first_of("[]\"", at + 1);
  }
  return std::string::npos;
}

/// Takes what stands in the list of this name out of a line, unparsed. Quotes inside of texts are escaped, so that
/// `"name":[` can be nothing but a key.
void empty_list(std::string& line, std::string_view name) {
  const std::string key = fmt::format("\"{}\":[", name);
  const std::size_t at = line.find(key);
  if (at == std::string::npos) return;
  const std::size_t first = at + key.size(), end = end_of_list(line, first);
  if (end != std::string::npos) line.erase(first, end - first);
}

void leave_out(std::string& line, Detail detail) {
  if (detail == Detail::all) return;
  empty_list(line, "samples_s");
  if (detail != Detail::figures) return;
  for (const std::string_view name : {"rounds", "ranks", "usage", "telemetry"}) empty_list(line, name);
}

/// Throws Error where a text of a line is longer than any that a program or a person writes: a label or an argument of
/// a command has 128 KiB at most on Linux.
void refuse_long_texts(const std::string& line) {
  constexpr std::size_t most = std::size_t{1} << 20;
  if (line.size() <= most) return;
  for (std::size_t quote = line.find('"'); quote != std::string::npos;) {
    const std::size_t first = quote + 1, end = std::min(end_of_text(line, first), line.size());
    if (end - first > most)
      throw Error(
          fmt::format("a text of {} bytes at byte {} of the line; at most {} are read", end - first, first, most));
    quote = end < line.size() ? line.find('"', end + 1) : std::string::npos;
  }
}

/// nlohmann's text without its "[json.exception...]" tag.
std::string plain(const nlohmann::json::exception& e) {
  const std::string text = e.what();
  const auto tag = text.find("] ");
  return tag == std::string::npos ? text : text.substr(tag + 2);
}

}  // namespace

std::string to_line(const RunRecord& r) { return dump(r); }
std::string to_line(const CaseRecord& r) { return dump(r); }
std::string to_line(const EndRecord& r) { return dump(r); }

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::string new_run_id() {
  return fmt::format("{:%Y%m%dT%H%M%SZ}-{:08x}", fmt::gmtime(std::time(nullptr)), std::random_device{}());
}

JournalWriter::JournalWriter(std::filesystem::path path, bool overwrite) : path_(std::move(path)) {
  std::error_code problem;
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), problem);
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (overwrite ? O_TRUNC : O_EXCL), 0644);
  if (file_ >= 0) return;
  if (errno == EEXIST)
    throw UsageError(fmt::format("--out: {} exists; name another file, or add --overwrite", path_.string()));
  throw UsageError(fmt::format("--out: cannot create {}: {}", path_.string(), std::strerror(errno)));
}

JournalWriter::~JournalWriter() { ::close(file_); }

void JournalWriter::write(const RunRecord& r) { write_line(to_line(r)); }
void JournalWriter::write(const CaseRecord& r) {
  drop_unfinished();
  write_line(to_line(r));
}
void JournalWriter::write(const EndRecord& r) {
  drop_unfinished();
  write_line(to_line(r));
}

void JournalWriter::drop_unfinished() {
  if (!unfinished_) return;
  if (::ftruncate(file_, *unfinished_) == 0) ::lseek(file_, *unfinished_, SEEK_SET);
  unfinished_.reset();
}

void JournalWriter::write_unfinished(std::span<const CaseRecord> cases) {
  drop_unfinished();
  struct stat file{};
  if (::fstat(file_, &file) != 0 || !S_ISREG(file.st_mode)) return;
  unfinished_ = ::lseek(file_, 0, SEEK_CUR);
  std::string lines;
  for (const CaseRecord& c : cases) lines += (lines.empty() ? "" : "\n") + to_line(c);
  if (!lines.empty()) write_line(lines);
}

void JournalWriter::write_line(const std::string& line) {
  const std::string whole = line + "\n";
  const off_t before = ::lseek(file_, 0, SEEK_CUR);
  std::size_t done = 0;
  while (done < whole.size()) {
    const ssize_t n = ::write(file_, whole.data() + done, whole.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    done += static_cast<std::size_t>(n);
  }
  if (done == whole.size() && (::fdatasync(file_) == 0 || errno == EINVAL || errno == EROFS)) return;
  const std::string why = std::strerror(errno);
  if (before >= 0 && ::ftruncate(file_, before) == 0) ::lseek(file_, before, SEEK_SET);
  throw Error(fmt::format("cannot write {}: {}; the records before stay valid", path_.string(), why));
}

Run read_journal(const std::filesystem::path& path, Detail detail) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path))
    throw UsageError(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno == 0 ? EISDIR : errno)));
  Run run{.path = path.string(), .head = {}, .cases = {}, .end = {}, .notes = {}};
  std::string line;
  int number = 0;
  while (std::getline(in, line)) {
    ++number;
    const bool whole = !in.eof();  // the writer ends every line; one without its end was being written
    if (number > 1) leave_out(line, detail);
    try {
      refuse_long_texts(line);
      auto record = nlohmann::json::parse(line);
      remove_people(record, this_person());  // that of another person, or an older one
      take(run, record, number == 1);
    } catch (const nlohmann::json::exception& e) {
      if (whole || number == 1)
        throw UsageError(fmt::format("{}:{}: not a busbar record: {}", path.string(), number, plain(e)));
      run.notes.push_back(fmt::format("line {} is cut off: the run was ended while it was written", number));
    } catch (const Error& e) {
      throw UsageError(fmt::format("{}:{}: {}", path.string(), number, e.what()));
    }
  }
  if (number == 0) throw UsageError(fmt::format("{}: is empty; a busbar record starts with a run line", path.string()));
  std::ranges::stable_sort(run.cases, {}, &CaseRecord::index);  // in the order of the plan, not in that of their ends
  if (!run.end) run.notes.emplace_back("there is no end record: the run was ended before its plan was done");
  return run;
}

}  // namespace busbar
