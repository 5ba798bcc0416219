// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/launch_record.hpp"
#include "core/record/run_record.hpp"

namespace busbar {

/// A complete journal, as read.
struct Run {
  std::string path;  ///< file it was read from
  RunRecord head;
  std::vector<CaseRecord> cases;
  std::optional<EndRecord> end;    ///< empty if the run did not reach its end
  std::vector<std::string> notes;  ///< remarks of the reader: "line 7 is cut off ..."
  /// Launches that resumed the run, in order: CaseRecord::launch numbers them from 1.
  std::vector<RunRecord> resumed;
  std::optional<LaunchRecord> launch;  ///< set if it is one of several that form one measurement (busbar repeat)
};

/// Short name of a run for legends and tables: its labels, or else the file name without suffix.
[[nodiscard]] std::string display_name(const Run&);

}  // namespace busbar
