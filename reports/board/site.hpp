// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/board/board.hpp"
#include "reports/board/board_page.hpp"

/// The board as a static site: index.html, a page per record in runs/, and a page per group over time in groups/.
namespace busbar::board {

/// "runs/20260131T120000Z-allreduce-np8.html": the page of a record, relative to the board. Unique within a folder.
[[nodiscard]] std::string address_of_record(const std::filesystem::path& record);
/// "groups/platform-vm-allreduce-1f3a9c02.html"
[[nodiscard]] std::string address_of_group(const Group&);

/// What `busbar report RECORD` writes. Throws UsageError like report::load().
[[nodiscard]] std::string report_page(const std::filesystem::path& record);
/// The section "Over time" of a group's launches; empty if it has none (too few launches, or within half a day).
[[nodiscard]] std::optional<std::string> trend_page(const Group&);

struct SiteWritten {
  std::string summary;  ///< "2 groups, 16 launches: 0 failed, 1 slower"
  std::size_t drawn = 0, unchanged = 0;
  std::vector<std::string> problems;  ///< files that were left out
};

/// Writes the site of the records in `folder` to `out`, which is created if needed. Pages whose records and busbar are
/// the same as when `out` was last written are not drawn again; those of records that are gone are removed. Throws
/// UsageError if the folder has no record, OutputError if a page cannot be written.
SiteWritten write_site(const std::filesystem::path& folder, const std::filesystem::path& out);

}  // namespace busbar::board
