// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/anonymiser.hpp"
#include "preflight/check.hpp"
#include "preflight/options.hpp"

/// What is printed and written: JSON objects, one a line, in the order in which they come about (docs/preflight.md);
/// people get the same as text.
namespace busbar::preflight {

/// Record "preflight": what is looked at. `stage_limit_s`: of each stage.
[[nodiscard]] nlohmann::json head(int ranks, const std::vector<std::string>& hosts, double stage_limit_s);
/// Record "stage": it begins.
[[nodiscard]] nlohmann::json begin(Stage stage);
/// Record "check".
[[nodiscard]] nlohmann::json outcome(const Check& check, const std::vector<Finding>& findings);
/// Record "check" of what no row of the table judges: that ranks answer, that MPI's calls succeed.
[[nodiscard]] nlohmann::json outcome(Stage stage, std::string_view check, const Finding& finding,
                                     std::string_view advice);
/// Record "end". `failed`: the first stage that did.
[[nodiscard]] nlohmann::json end(std::optional<Stage> failed, Stage last, int failures, int warnings);

/// As people read it; empty for records that say nothing to them.
[[nodiscard]] std::string text_of(const nlohmann::json& record);

/// Standard output, and the file of --out. Both get what holds no people (core/privacy.hpp) and, with --anonymise, no
/// names of machines.
class Report {
 public:
  /// Throws UsageError where the file cannot be made, or there is no key for --anonymise.
  explicit Report(const Options& options);
  /// Throws Error where the file cannot be written any further.
  void write(const nlohmann::json& record);

 private:
  void take_names_out(nlohmann::json& record);

  bool json_;
  std::optional<Anonymiser> anonymiser_;
  std::optional<std::ofstream> file_;
  std::string path_;
};

}  // namespace busbar::preflight
