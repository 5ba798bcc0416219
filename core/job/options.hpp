// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/command_line/command_line.hpp"
#include "core/record/fwd.hpp"

/// Options common to all programs under mpirun.
namespace busbar {

struct JobOptions {
  double timeout_s = 300;          ///< limit per turn of a case; 0: none
  double startup_timeout_s = 300;  ///< limit of the start-up; 0: none
  double noise_s = 1;              ///< duration of the noise measurement; 0: none
  std::optional<std::string> out;  ///< empty: a new name under results/
  bool overwrite = false;
  std::optional<std::string> resume;  ///< record to continue; empty: a new one
  std::map<std::string, std::string> labels;
  std::string progress = "auto";                    ///< auto (on a terminal), always or never
  std::optional<std::string> telemetry_prometheus;  ///< file for node exporter: core/job/prometheus.hpp; empty: none
  bool anonymise = false;                           ///< replace machine names by aliases: core/journal/anonymiser.hpp
};

/// Option values as text. parse_command_line() fills them in; the functions below interpret them.
struct JobWords {
  std::vector<std::string> labels;
  std::string noise = "auto", timeout = "300", startup_timeout = "300", out, resume, progress = "auto", prometheus;
  bool overwrite = false, anonymise = false;
};
/// Default values. In a simulation noise and limits are 0: there is no noise, and it always ends.
[[nodiscard]] JobWords job_words();
void add_job_options(CommandLine& line, JobWords& words);
/// `run_budget_s`: of the launch. By default OS noise is measured for 5 % of it, at most 1 s. Throws UsageError.
[[nodiscard]] JobOptions job_options_of(const JobWords& words, std::optional<double> run_budget_s);

/// Exit codes of measuring programs, for --help.
inline constexpr const char* exit_codes =
    "0 all cases measured; 1 a case failed or nothing was measured; 2 wrong use; 3 ranks hung or crashed and the job "
    "was "
    "ended; 4 results could not be written; 130 interrupted.";

/// Values of the stopping options as text; these are the defaults.
struct StopWords {
  std::string width = "2", confidence = "95", min_rounds = "20", min_span = "5";
  std::string case_budget = "3", run_budget = "60", max_samples = "100000";
};
void add_stop_options(CommandLine& line, StopWords& words);
/// Throws UsageError.
[[nodiscard]] StopAt stop_rules_of(const StopWords& words);

}  // namespace busbar
