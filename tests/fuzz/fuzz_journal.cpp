// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/tables/case_table.hpp"
#include "tests/fuzz/checked_lines.hpp"
#include "tests/fuzz/memory_file.hpp"

/// Any bytes as a journal: they are refused, or become a run that can be written again and shown.
namespace busbar::fuzz {

void check_input(std::string_view bytes) {
  const MemoryFile file(bytes);
  may_refuse([&] {
    const Run run = read_journal(file.path());
    (void)checked_line(run.head);
    for (const CaseRecord& c : run.cases) (void)checked_line(c);
    if (run.end) (void)checked_line(*run.end);
    require_shown(printable_lines(table(run)));
  });
}

}  // namespace busbar::fuzz
