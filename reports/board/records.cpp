// SPDX-License-Identifier: Apache-2.0
#include "reports/board/records.hpp"

#include <set>

#include "core/base/error.hpp"
#include "core/files/file_lock.hpp"
#include "core/journal/journal.hpp"
#include "core/record/run.hpp"
#include "reports/runs/in_parallel.hpp"

namespace busbar::board {

namespace fs = std::filesystem;

Records::Stamp Records::stamp_of(const fs::path& file) {
  Stamp stamp{.being_written = is_being_written(file)};
  std::error_code problem;
  stamp.size = fs::file_size(file, problem);
  stamp.time = fs::last_write_time(file, problem);
  return stamp;
}

Records::File Records::read(const fs::path& file, const Stamp& stamp) {
  File one{.stamp = stamp};
  try {
    one.runs = read_journals(file, Detail::figures);
  } catch (const UsageError& e) {
    one.problem = e.what();
  }
  return one;
}

bool Records::look() {
  std::vector<std::pair<fs::path, Stamp>> changed;
  std::set<fs::path> seen;
  std::error_code problem;
  for (fs::directory_iterator at(folder_, problem), end; !problem && at != end; at.increment(problem)) {
    if (at->path().extension() != ".jsonl") continue;
    seen.insert(at->path());
    const Stamp stamp = stamp_of(at->path());
    const auto known = files_.find(at->path());
    if (known == files_.end() || known->second.stamp != stamp) changed.emplace_back(at->path(), stamp);
  }
  const std::size_t gone = std::erase_if(files_, [&](const auto& file) { return !seen.contains(file.first); });
  std::vector<File> read_again(changed.size());
  report::in_parallel(changed.size(),
                      [&](std::size_t i) { read_again[i] = read(changed[i].first, changed[i].second); });
  for (std::size_t i = 0; i < changed.size(); ++i) files_.insert_or_assign(changed[i].first, std::move(read_again[i]));
  return gone > 0 || !changed.empty();
}

std::vector<Run> Records::runs() const {
  std::vector<Run> all;
  for (const auto& [path, file] : files_) all.insert(all.end(), file.runs.begin(), file.runs.end());
  return all;
}

std::vector<fs::path> Records::files() const {
  std::vector<fs::path> all;
  for (const auto& [path, file] : files_)
    if (file.problem.empty()) all.push_back(path);
  return all;
}

std::vector<std::string> Records::problems() const {
  std::vector<std::string> all;
  for (const auto& [path, file] : files_)
    if (!file.problem.empty()) all.push_back(file.problem);
  return all;
}

}  // namespace busbar::board
