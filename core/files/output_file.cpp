// SPDX-License-Identifier: Apache-2.0
#include "core/files/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/files/folders.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

std::string cannot(std::string_view flag, const fs::path& path, std::string_view why) {
  return fmt::format("{}: cannot write {}: {}", flag, path.string(), why);
}

}  // namespace

FreshFile create_fresh(const fs::path& path, mode_t mode) {
  constexpr int most_tries = 10;
  std::random_device random;
  FreshFile fresh;
  for (int i = 0; i < most_tries && !fresh.file.is_open(); ++i) {
    fresh.name = fmt::format("{}.{:08x}.tmp", path.string(), random());
    fresh.file = Descriptor(::open(fresh.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!fresh.file.is_open() && errno != EEXIST) break;
  }
  return fresh;
}

OutputFile::OutputFile(fs::path path, std::string flag) : path_(std::move(path)), flag_(std::move(flag)) {
  std::error_code problem;
  if (fs::is_directory(path_, problem)) throw UsageError(cannot(flag_, path_, "it is a folder"));
  final_ = place();
  errno = 0;
  if (fs::exists(path_, problem) && !fs::is_regular_file(path_, problem))
    stream_.open(path_, std::ios::binary);
  else
    create_beside();
  if (!stream_) throw UsageError(cannot(flag_, path_, std::strerror(errno)));
}

OutputFile::~OutputFile() {
  std::error_code problem;
  if (!beside_.empty()) fs::remove(beside_, problem);
}

/// The path with links resolved, so that a link remains a link.
fs::path OutputFile::place() const {
  std::error_code problem;
  if (!fs::is_symlink(path_, problem)) return path_;
  fs::path target = fs::weakly_canonical(path_, problem);
  return problem || target.empty() ? path_ : target;
}

void OutputFile::create_beside() {
  FreshFile fresh = create_fresh(final_, 0666);
  if (!fresh.file.is_open()) throw UsageError(cannot(flag_, path_, std::strerror(errno)));
  file_ = std::move(fresh.file);
  beside_ = fresh.name;
  stream_.open(fmt::format("/proc/self/fd/{}", file_.get()), std::ios::binary);  // our file, even if its name was
                                                                                 // reused
}

void OutputFile::fail(int why) const { throw OutputError(cannot(flag_, path_, std::strerror(why == 0 ? EIO : why))); }

void OutputFile::finish() {
  stream_.close();
  if (!stream_) fail(errno);
  if (beside_.empty()) return;
  if (::fsync(file_.get()) != 0 && errno != EINVAL) fail(errno);
  std::error_code problem;
  fs::rename(beside_, final_, problem);
  if (problem) fail(problem.value());
  beside_.clear();
  sync_folder(final_.parent_path());
}

void write_standard_output(std::string_view text) {
  const bool whole = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!whole) throw OutputError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void write_whole(const fs::path& path, std::string_view text, std::string_view flag) {
  write_whole(
      path, [text](std::ostream& out) { out.write(text.data(), static_cast<std::streamsize>(text.size())); }, flag);
}

void write_whole(const fs::path& path, const std::function<void(std::ostream&)>& write, std::string_view flag) {
  OutputFile file(path, std::string(flag));
  errno = 0;
  write(file.stream());
  file.finish();
}

}  // namespace busbar
