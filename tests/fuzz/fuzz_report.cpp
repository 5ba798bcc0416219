// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <vector>

#include "core/base/json.hpp"
#include "core/journal/journal.hpp"
#include "core/record/run.hpp"
#include "reports/compare/document.hpp"
#include "reports/compare/sides.hpp"
#include "reports/drawing/render.hpp"
#include "reports/expected/expected.hpp"
#include "reports/expected/expected_blocks.hpp"
#include "reports/explain/show.hpp"
#include "reports/export/exporter.hpp"
#include "reports/sections/report_document.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/require.hpp"

/// Reads any bytes as a record, and makes reports in each form, explanations, ceilings, exports and a comparison of
/// the record with itself. None may fail on a record that the reader accepts.
namespace busbar::fuzz {
namespace {

void report_on(const std::vector<Run>& runs) {
  const report::Document document = report::make_document("input", runs);
  (void)report::render_html(document, "");
  (void)report::render_markdown(document);
  (void)report::render_json(document).dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  (void)report::render_text(document, {});
}

void compare_all(const std::vector<Run>& runs) {
  (void)explain::json_of(explain::explained(runs)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  (void)expected::blocks_of(expected::expect(runs, std::nullopt));
  for (const Exporter* exporter : table<Exporter>()) (void)exporter->write(runs[0], {});
}

void compare_with_itself(const Run& run) {
  const std::vector<Run> runs{run, run};
  const compare::Request request = compare::between({"a", "b"}, 1, {});
  const compare::Comparison comparison = compare::compare(runs, request);
  (void)compare::to_json(
      {.runs = runs, .request = request, .comparison = comparison, .differences = compare::differences(runs, request)})
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void check_input(std::string_view bytes) {
  const MemoryFile file(bytes);
  may_refuse([&] {
    const std::vector<Run> runs{read_journal(file.path())};
    may_refuse([&] { report_on(runs); });
    may_refuse([&] { compare_all(runs); });
    may_refuse([&] { compare_with_itself(runs[0]); });
  });
}

}  // namespace busbar::fuzz
