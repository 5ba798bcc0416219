// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/journal/anonymiser.hpp"
#include "preflight/checks/check.hpp"
#include "preflight/stages/options.hpp"

/// Output of preflight: JSON objects, one per line, in order of occurrence (docs/preflight.md), or the same as text.
namespace busbar::preflight {

/// Record "preflight": the job. `stage_limit_s`: time limit per stage.
[[nodiscard]] nlohmann::json head(int ranks, const std::vector<std::string>& hosts, double stage_limit_s);
/// Record "stage": start of a stage.
[[nodiscard]] nlohmann::json begin(Stage stage);
/// Record "check".
[[nodiscard]] nlohmann::json outcome(const Check& check, const std::vector<CheckResult>& findings);
/// Record "check" without a row in the table: ranks answer, MPI calls succeed.
[[nodiscard]] nlohmann::json outcome(Stage stage, std::string_view check, const CheckResult& finding,
                                     std::string_view advice);
/// Record "end". `failed`: the first failed stage.
[[nodiscard]] nlohmann::json end(std::optional<Stage> failed, Stage last, int failures, int warnings);

/// Text form of a record; empty for records without one.
[[nodiscard]] std::string text_of(const nlohmann::json& record);

/// Writes to standard output and to the file of --out, without personal data (core/base/privacy.hpp) and, with
/// --anonymise, without machine names.
class Report {
 public:
  /// Throws UsageError if the file cannot be created, or --anonymise has no key.
  explicit Report(const PreflightOptions& options);
  /// Throws Error if writing the file fails.
  void write(const nlohmann::json& record);

 private:
  void remove_names(nlohmann::json& record);

  bool json_;
  std::optional<Anonymiser> anonymiser_;
  std::optional<std::ofstream> file_;
  std::string path_;
};

}  // namespace busbar::preflight
