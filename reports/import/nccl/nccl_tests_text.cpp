// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "reports/import/importer.hpp"
#include "reports/import/nccl/nccl_log.hpp"
#include "reports/import/nccl/nccl_odd_rows.hpp"
#include "reports/import/nccl/nccl_runs.hpp"

namespace busbar {
namespace {

bool recognises_nccl_text(std::string_view text) {
  LogLines lines(text);
  while (const auto line = lines.next())
    if (trimmed(line->text).starts_with("# nThread ") || nccl_columns(line->text, {})) return true;
  return false;
}

/// The jobs of the first stream, one after another. Other streams are processes that ran beside them.
std::vector<const NcclJob*> jobs_in_turn(const NcclLog& log) {
  std::vector<const NcclJob*> jobs;
  for (const NcclJob& job : log.jobs)
    if (job.stream == log.jobs.front().stream) jobs.push_back(&job);
  return jobs;
}

std::vector<ImportedRun> read_nccl_text(const ImportRequest& request) {
  NcclLog log = read_nccl_log(request.text);
  for (NcclJob& job : log.jobs) drop_odd_rows(job);
  const std::vector<const NcclJob*> jobs = jobs_in_turn(log);  // not empty: recognises() saw the first lines of a job
  return read_parts(
      request, jobs.size(), [&](std::size_t i) { return nccl_run(request, log, *jobs[i]); },
      [&](std::size_t i) { return fmt::format("the run from line {}", jobs[i]->first_line); });
}

}  // namespace

extern const Importer nccl_tests_text{
    .name = "nccl-tests text",
    .about = "what NVIDIA's nccl-tests (and AMD's rccl-tests) print",
    .recognises = recognises_nccl_text,
    .read = read_nccl_text,
    .columns_of_numbers = true,
};

}  // namespace busbar
