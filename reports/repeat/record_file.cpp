// SPDX-License-Identifier: Apache-2.0
#include "reports/repeat/record_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"
#include "core/files/descriptor.hpp"
#include "core/files/file_lock.hpp"
#include "core/journal/journal.hpp"
#include "core/journal/unfinished.hpp"
#include "core/record/launch_record.hpp"
#include "core/record/parts.hpp"

namespace busbar::repeat {
namespace {

namespace fs = std::filesystem;

/// The complete lines of a file; empty if it does not exist.
std::string whole_lines(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  text.erase(text.rfind('\n') + 1);
  return text;
}

}  // namespace

RecordFile::RecordFile(fs::path path, bool resume) : path_(std::move(path)) {
  const char* flag = resume ? "--resume" : "--out";
  std::error_code ignored;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), ignored);
  file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | (resume ? 0 : O_CREAT | O_EXCL), 0666));
  if (!file_.is_open()) throw UsageError(fmt::format("{}: {}: {}", flag, path_.string(), std::strerror(errno)));
  if (!lock_for_writing(file_.get()))
    throw UsageError(fmt::format("{}: {} is being written by another run", flag, path_.string()));
}

fs::path RecordFile::of_launch() const { return path_.string() + ".launch"; }

void RecordFile::append(const LaunchRecord& launch) {
  const std::string text = to_line(launch) + "\n" + whole_lines(of_launch());
  const off_t before = ::lseek(file_.get(), 0, SEEK_END);
  if (write_all(file_.get(), text) != text.size() || ::fsync(file_.get()) != 0) {
    const int why = errno;
    if (::ftruncate(file_.get(), before) != 0) errno = why;
    throw OutputError(fmt::format("cannot write {}: {}", path_.string(), std::strerror(why)));
  }
  std::error_code ignored;
  fs::remove(of_launch(), ignored);
  fs::remove(unfinished_beside(of_launch()), ignored);
}

std::vector<LaunchRecord> RecordFile::launches() const {
  std::vector<LaunchRecord> all;
  std::ifstream in(path_, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    if (!all.empty() && line.find(R"("record":"launch")") == std::string::npos) continue;
    try {
      all.push_back(parse_json(line).get<LaunchRecord>());
    } catch (const std::exception&) {  // not JSON, or another kind of record
      throw UsageError(fmt::format("--resume: {} is not a record of busbar repeat", path_.string()));
    }
  }
  return all;
}

}  // namespace busbar::repeat
