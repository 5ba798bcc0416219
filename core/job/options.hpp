// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/command_line/command_line.hpp"
#include "core/record/fwd.hpp"

/// What every program under mpirun lets its user say.
namespace busbar {

struct JobOptions {
  double timeout_s = 300;          ///< for a case's turn in a round; 0: none
  double startup_timeout_s = 300;  ///< until the first one; 0: none
  double noise_s = 1;              ///< how long the noise of the machine is measured; 0: not at all
  std::optional<std::string> out;  ///< empty: a name under results/
  bool overwrite = false;
  std::optional<std::string> resume;  ///< record to go on with; empty: a new one
  std::map<std::string, std::string> labels;
  std::string progress = "auto";                    ///< auto: on a terminal; always; never
  std::optional<std::string> telemetry_prometheus;  ///< file for node exporter: core/job/prometheus.hpp; empty: none
  bool anonymise = false;                           ///< names of machines become aliases: core/journal/anonymiser.hpp
};

/// The command line as text, before anything is made of it: parse_command_line finds the words, these functions say
/// what they mean.
struct JobWords {
  std::vector<std::string> labels;
  std::string noise = "auto", timeout = "300", startup_timeout = "300", out, resume, progress = "auto", prometheus;
  bool overwrite = false, anonymise = false;
};
/// What holds unless the user says otherwise. A simulation has no noise to measure, and its end is in sight.
[[nodiscard]] JobWords job_words();
void add_job_options(CommandLine& line, JobWords& words);
/// `run_budget_s`: of the launch; without --noise a twentieth of it is spent on measuring OS noise, at most 1 s.
/// Throws UsageError.
[[nodiscard]] JobOptions job_options_of(const JobWords& words, std::optional<double> run_budget_s);

/// When the sampling of a case ends. The values here are the defaults.
/// Of the programs that measure, for --help.
inline constexpr const char* exit_codes =
    "0 all cases measured; 1 a case failed or nothing was measured; 2 wrong use; 3 ranks hung or crashed and the job "
    "was "
    "ended; 4 results could not be written; 130 interrupted.";

struct StopWords {
  std::string width = "2", confidence = "95", min_rounds = "20", min_span = "5";
  std::string case_budget = "3", run_budget = "60", max_samples = "100000";
};
void add_stop_options(CommandLine& line, StopWords& words);
/// Throws UsageError.
[[nodiscard]] StopAt stop_rules_of(const StopWords& words);

}  // namespace busbar
