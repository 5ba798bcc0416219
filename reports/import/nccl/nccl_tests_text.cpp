// SPDX-License-Identifier: Apache-2.0
#include "reports/import/importer.hpp"
#include "reports/import/nccl/nccl_log.hpp"
#include "reports/import/nccl/nccl_runs.hpp"

namespace busbar {
namespace {

bool recognises_nccl_text(std::string_view text) {
  LogLines lines(text);
  while (const auto line = lines.next())
    if (trimmed(line->text).starts_with("# nThread ") || nccl_columns(line->text, {})) return true;
  return false;
}

std::vector<ImportedRun> read_nccl_text(const ImportRequest& request) {
  const NcclLog log = read_nccl_log(request.text);
  return {nccl_run(request, log, log.jobs.front())};  // not empty: recognises() saw the job's first lines
}

}  // namespace

extern const Importer nccl_tests_text{
    .name = "nccl-tests text",
    .about = "what NVIDIA's nccl-tests (and AMD's rccl-tests) print",
    .recognises = recognises_nccl_text,
    .read = read_nccl_text,
};

}  // namespace busbar
