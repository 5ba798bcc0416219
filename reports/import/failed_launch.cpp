// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/abort_lines.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

/// A failed launch prints about a page; a longer text is other output that mentions failures.
constexpr std::size_t longest_log = 64 << 10;

/// The first line in which a launcher reports a failure; empty if there is none.
std::string why(std::string_view text) {
  LogLines lines(text);
  while (const auto line = lines.next())
    if (is_abort_line(line->text)) return quotable(line->text);
  return "";
}

std::vector<ImportedRun> read_failed_launch(const ImportRequest& request) {
  ImportedRun run{.head = imported_head(request, "unknown"),
                  .end = {.status = EndStatus::aborted, .reason = why(request.text)},
                  .collective = "nothing measured"};
  run.head.id = import_id(request, "");
  run.head.ranks = request.ranks.value_or(0);
  run.head.nodes = request.nodes;
  run.head.method = {.cadence = "unknown", .statistic = Statistic::mean, .check = "unknown"};
  run.head.notes = {"the log has no output of a benchmark: the launch failed before it"};
  return {std::move(run)};
}

}  // namespace

/// The last importer in the table: the others claim the logs they recognise, even of failed runs.
extern const Importer failed_launch{
    .name = "a launcher's failure",
    .about = "what mpirun, srun and their like print where a program never got to print anything",
    .recognises = [](std::string_view text) { return text.size() <= longest_log && !why(text).empty(); },
    .read = read_failed_launch,
};

}  // namespace busbar
