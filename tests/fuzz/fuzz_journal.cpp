// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/tables/case_table.hpp"
#include "tests/fuzz/checked_lines.hpp"
#include "tests/fuzz/memory_file.hpp"

/// Any bytes as a journal: they are refused, or become a run that can be written again and shown.
namespace busbar::fuzz {
namespace {

void read_bytes(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(data, size);
  may_refuse([&] {
    const Run run = read_journal(file.path());
    (void)checked_line(run.head);
    for (const CaseRecord& c : run.cases) (void)checked_line(c);
    if (run.end) (void)checked_line(*run.end);
    require_shown(printable_lines(table(run)));
  });
}

}  // namespace
}  // namespace busbar::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  busbar::fuzz::read_bytes(data, size);
  return 0;
}
