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

/// A whole journal, as read back.
struct Run {
  std::string path;  ///< file it was read from
  RunRecord head;
  std::vector<CaseRecord> cases;
  std::optional<EndRecord> end;    ///< empty where the run did not get there
  std::vector<std::string> notes;  ///< what the reader noticed: "line 7 is cut off ..."
  /// Launches that went on with the run, in order: CaseRecord::launch counts them from 1.
  std::vector<RunRecord> resumed;
  std::optional<LaunchRecord> launch;  ///< of several that are one measurement (busbar repeat); empty: it stands alone
};

/// Short name of a run for legends and tables: its labels if it has any, else the file's name without suffix.
[[nodiscard]] std::string display_name(const Run&);

}  // namespace busbar
