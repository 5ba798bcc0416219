// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/load.hpp"

#include <algorithm>
#include <iterator>

#include "core/base/error.hpp"
#include "core/record/run.hpp"
#include "reports/runs/in_parallel.hpp"

namespace busbar::report {

namespace fs = std::filesystem;

std::vector<fs::path> record_files(const std::vector<std::string>& named) {
  std::vector<fs::path> files;
  for (const std::string& name : named) {
    std::error_code problem;
    if (!fs::is_directory(name, problem)) {
      files.emplace_back(name);
      continue;
    }
    std::vector<fs::path> inside;
    for (const auto& entry : fs::directory_iterator(name, problem)) {
      if (entry.path().extension() == ".jsonl") inside.push_back(entry.path());
    }
    if (inside.empty()) throw UsageError(name + ": no record (*.jsonl) in this folder");
    std::ranges::sort(inside);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

std::vector<Run> load(const std::vector<fs::path>& files, Detail detail) {
  std::vector<std::vector<Run>> of_files(files.size());
  in_parallel(files.size(), [&](std::size_t i) { of_files[i] = read_journals(files[i], detail); });
  std::vector<Run> runs;
  for (auto& of_file : of_files) std::ranges::move(of_file, std::back_inserter(runs));
  return runs;
}

}  // namespace busbar::report
