// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include "core/base/json.hpp"
#include "core/base/privacy.hpp"
#include "core/files/descriptor.hpp"
#include "core/files/file_lock.hpp"
#include "core/files/folders.hpp"
#include "core/files/output_file.hpp"
#include "core/journal/journal.hpp"
#include "core/journal/unfinished.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/json_text.hpp"
#include "core/record/parts.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

constexpr auto busy = "is being written by another run";

/// Syncs the file. Ignores files without a disk (a pipe) and those that cannot be synced.
bool synced(int file) { return ::fdatasync(file) == 0 || errno == EINVAL || errno == EROFS; }

/// Reports errno.
[[noreturn]] void fail_to_write_record(const fs::path& path) {
  throw OutputError(
      fmt::format("cannot write {}: {}; the records before stay valid", path.string(), std::strerror(errno)));
}

/// Position of the next record, and whether the last one only lacks its newline.
struct End {
  std::int64_t at = 0;
  bool lacks_newline = false;
};

End end_of_records(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  End end;
  for (std::string line; std::getline(in, line);) {
    const bool ended = !in.eof();
    if (!ended && !nlohmann::json::accept(line)) break;
    end.at += static_cast<std::int64_t>(line.size()) + (ended ? 1 : 0);
    end.lacks_newline = !ended;
  }
  return end;
}

/// One line without names of people (core/base/privacy.hpp). Replaces invalid UTF-8, so that no host name or reason can
/// make a record unwritable.
template <HasPart T>
std::string line_of(const T& record) {
  JsonText text;
  text.add(record);
  if (text.complete()) return std::move(text).text();
  nlohmann::json j = record;
  remove_people(j, this_person());
  return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Creates at most one folder, so that a mistyped path does not create a tree.
void make_folder_for(const fs::path& path) {
  std::error_code problem;
  const fs::path folder = path.parent_path(), above = folder.parent_path();
  if (!fs::exists(folder, problem) && !fs::exists(above, problem))
    throw Error(fmt::format("no folder {} for {}; create it first", above.string(), path.string()));
  make_folders(folder);
}

/// Files beside a record have longer names: NAME.unfinished, and NAME.unfinished.RANDOM.tmp while it is written.
void require_room_beside(const fs::path& path) {
  constexpr std::size_t most_of_a_name = 255, most = most_of_a_name - 11 - 13;
  const std::size_t length = path.filename().string().size();
  if (length > most)
    throw Error(fmt::format("the name of {} has {} characters; at most {} leave room for the files beside a record",
                            path.string(), length, most));
}

/// Opens an empty file, left by a run that was killed before its first line. On failure, e.g. if the file has content,
/// it is not open and errno is EEXIST.
Descriptor open_empty(const fs::path& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found{};
  const bool empty = file.is_open() && ::fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode) &&
                     found.st_size == 0 && !is_being_written(path);
  errno = EEXIST;
  return empty ? std::move(file) : Descriptor();
}

}  // namespace

std::string to_line(const RunRecord& r) { return line_of(r); }
std::string to_line(const CaseRecord& r) { return line_of(r); }
std::string to_line(const EndRecord& r) { return line_of(r); }
std::string to_line(const LaunchRecord& r) { return line_of(r); }

JournalWriter::JournalWriter(fs::path path, bool overwrite)
    : JournalWriter(std::move(path), overwrite ? Opening::overwrite : Opening::create) {}

JournalWriter JournalWriter::resume(fs::path path) { return {std::move(path), Opening::resume}; }

JournalWriter::JournalWriter(fs::path path, Opening how) : path_(std::move(path)) {
  std::error_code problem;
  absolute_ = fs::absolute(path_, problem);
  const std::string flag = how == Opening::resume ? "--resume" : "--out";
  try {
    open(how);
  } catch (const FileExists&) {
    throw;
  } catch (const Error& e) {
    throw UsageError(fmt::format("{}: {}", flag, e.what()));
  }
}

JournalWriter::~JournalWriter() {
  if (created_ && head_.empty()) ::unlink(absolute_.c_str());
}

/// Does not change the file's content before it holds the lock.
void JournalWriter::open(Opening how) {
  if (how != Opening::resume) make_folder_for(absolute_);
  require_room_beside(absolute_);
  const int flags = how == Opening::resume ? O_RDWR : O_WRONLY | O_CREAT | (how == Opening::create ? O_EXCL : 0);
  file_ = Descriptor(::open(path_.c_str(), flags | O_CLOEXEC, 0644));
  created_ = how == Opening::create && file_.is_open();
  if (!file_.is_open() && errno == EEXIST) file_ = open_empty(path_);
  if (!file_.is_open()) {
    if (errno == EEXIST)
      throw FileExists(fmt::format("--out: {} exists; name another file, or add --overwrite", path_.string()));
    throw Error(fmt::format("cannot {} {}: {}", how == Opening::resume ? "open" : "create", path_.string(),
                            std::strerror(errno)));
  }
  struct stat file{};
  regular_ = ::fstat(file_.get(), &file) == 0 && S_ISREG(file.st_mode);
  if (!regular_) {
    if (how == Opening::resume) throw Error(fmt::format("{} is not a regular file", path_.string()));
    return;
  }
  if (!lock_for_writing(file_.get())) throw Error(fmt::format("{} {}", path_.string(), busy));
  if (how == Opening::resume) return continue_record();
  if (how == Opening::overwrite && ::ftruncate(file_.get(), 0) != 0)
    throw Error(fmt::format("cannot empty {}: {}", path_.string(), std::strerror(errno)));
  sync_folder(absolute_.parent_path());
}

/// Makes the next write start after the last complete record, with the unfinished cases of the previous launch.
void JournalWriter::continue_record() {
  const End end = end_of_records(path_);
  cut_at_ = end.at;
  if (end.lacks_newline) taken_up_ = "\n";
  for (const CaseRecord& c : unfinished_cases(path_)) taken_up_ += to_line(c) + "\n";
}

void JournalWriter::write(const RunRecord& r) {
  head_ = to_line(r) + "\n";
  append(std::exchange(taken_up_, "") + head_);
  if (regular_) remove_unfinished(absolute_);  // already included, or of another run
}

void JournalWriter::write(const CaseRecord& r) { append(to_line(r) + "\n"); }

void JournalWriter::write(const EndRecord& r) {
  append(to_line(r) + "\n");
  if (regular_) remove_unfinished(absolute_);
}

void JournalWriter::write_unfinished(std::span<const CaseRecord> cases) {
  if (!regular_) return;
  require_there();
  std::string lines = head_;
  for (const CaseRecord& c : cases) lines += to_line(c) + "\n";
  busbar::write_unfinished(absolute_, lines);
}

/// Writes to an unlinked file would be lost without an error, and in a truncated file they would leave a hole.
void JournalWriter::require_there() const {
  if (!regular_) return;
  struct stat open_one{}, named{};
  if (::fstat(file_.get(), &open_one) != 0)
    throw OutputError(fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
  if (!cut_at_ && open_one.st_size < ::lseek(file_.get(), 0, SEEK_CUR))
    throw OutputError(
        fmt::format("cannot write {}: another program cut it to {} bytes", path_.string(), open_one.st_size));
  const bool told = ::stat(absolute_.c_str(), &named) == 0 || errno == ENOENT || errno == ENOTDIR || errno == ESTALE;
  if (!told) return;  // e.g. a folder without search permission: the file itself still exists
  if (open_one.st_nlink > 0 && named.st_dev == open_one.st_dev && named.st_ino == open_one.st_ino) return;
  throw OutputError(
      fmt::format("cannot write {}: it was deleted or replaced, or its file system is gone", path_.string()));
}

/// Appends complete lines and syncs. If space runs out, keeps as many complete lines as fit.
void JournalWriter::append(const std::string& lines) {
  require_there();
  if (cut_at_ && (::ftruncate(file_.get(), *cut_at_) != 0 || ::lseek(file_.get(), *cut_at_, SEEK_SET) < 0))
    fail_to_write_record(path_);
  cut_at_.reset();
  const std::int64_t before = ::lseek(file_.get(), 0, SEEK_CUR);
  const std::size_t done = write_all(file_.get(), lines);
  if (done == lines.size() && synced(file_.get())) return;
  const int why = errno;
  const auto last = done == lines.size() ? std::string::npos : lines.substr(0, done).rfind('\n');
  const std::int64_t good = before + (last == std::string::npos ? 0 : static_cast<std::int64_t>(last) + 1);
  if (before >= 0 && done > 0 && ::ftruncate(file_.get(), good) == 0) ::lseek(file_.get(), good, SEEK_SET);
  errno = why;
  fail_to_write_record(path_);
}

/// Writes few large pieces: a write for each line takes longer than making the line.
static void write_lines(std::ostream& out, const Run& run) {
  constexpr std::size_t piece = std::size_t{1} << 18;
  std::string lines;
  const auto add = [&](const std::string& line) {
    lines += line;
    lines += '\n';
    if (lines.size() >= piece) out << std::exchange(lines, {});
  };
  for (std::size_t launch = 0; launch <= run.resumed.size(); ++launch) {
    add(to_line(launch == 0 ? run.head : run.resumed[launch - 1]));
    for (const CaseRecord& c : run.cases)
      if (c.launch == launch) add(to_line(c));
  }
  if (run.end) add(to_line(*run.end));
  out << lines;
}

void write_journal(const fs::path& path, const Run& run, bool overwrite) {
  std::error_code problem;
  const bool replaces = fs::exists(path, problem);
  if (!overwrite && replaces)
    throw FileExists(fmt::format("--out: {} exists; name another file, or add --overwrite", path.string()));
  if (is_being_written(path)) throw UsageError(fmt::format("--out: {} {}", path.string(), busy));
  make_folders(fs::absolute(path, problem).parent_path());
  write_whole(path, [&run](std::ostream& out) { write_lines(out, run); }, "--out");
  if (replaces) remove_unfinished(path);  // the file contains everything of the run
}

}  // namespace busbar
