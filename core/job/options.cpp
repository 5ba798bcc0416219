// SPDX-License-Identifier: Apache-2.0
#include "core/job/options.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"
#include "core/ranks/here.hpp"
#include "core/record/method.hpp"

namespace busbar {

JobWords job_words() {
  JobWords words;
  if (here::simulation() != nullptr) words.noise = words.timeout = words.startup_timeout = "0";
  return words;
}

void add_job_options(CommandLine& line, JobWords& w) {
  line.begin_group("Sampling");
  line.add("--noise", &w.noise, "time to measure OS noise at start; 0: skip; auto: 1, or a twentieth of --run-budget",
           {.name = "SECONDS"});
  line.begin_group("Limits");
  line.add("--timeout", &w.timeout, "end the job if one turn of a case takes longer; 0: never", {.name = "SECONDS"});
  line.add("--startup-timeout", &w.startup_timeout, "end the job if start-up takes longer; 0: never",
           {.name = "SECONDS"});
  line.begin_group("Output");
  line.add("--out", &w.out, "write the record to this file",
           {.name = "FILE", .completes = Completes::files, .standard = "new file in results/", .common = true});
  line.add("--overwrite", &w.overwrite, "replace the file of --out if it exists");
  line.add("--resume", &w.resume, "continue an unfinished record; repeat the options of its launch",
           {.name = "FILE", .completes = Completes::files});
  line.add("--label", &w.labels, "add a label to the record, e.g. platform=vm; can be repeated",
           {.name = "KEY=VALUE", .single = true, .common = true});
  line.add("--progress", &w.progress, "progress line; auto: on a terminal",
           {.name = "WHEN", .choices = {"auto", "always", "never"}});
  line.add("--telemetry-prometheus", &w.prometheus,
           "after each case, write NAME.prom for the textfile collector of node exporter on each host",
           {.name = "FILE", .completes = Completes::files});
  line.add("--anonymise", &w.anonymise, "replace host names, addresses and UUIDs by aliases (docs/privacy.md)");
}

namespace {

double parse_noise(const std::string& word, std::optional<double> run_budget_s) {
  constexpr double most_s = 1, share = 0.05;
  if (word == "auto") return run_budget_s ? std::min(most_s, share * *run_budget_s) : most_s;
  return parse_seconds("--noise", word);
}

}  // namespace

JobOptions job_options_of(const JobWords& w, std::optional<double> run_budget_s) {
  if (!w.resume.empty() && (!w.out.empty() || w.overwrite))
    throw UsageError(fmt::format("--resume: cannot be used together with {}; it writes into the file that it names",
                                 w.out.empty() ? "--overwrite" : "--out"));
  JobOptions o{.timeout_s = parse_seconds("--timeout", w.timeout),
               .startup_timeout_s = parse_seconds("--startup-timeout", w.startup_timeout),
               .noise_s = parse_noise(w.noise, run_budget_s),
               .overwrite = w.overwrite,
               .labels = parse_labels(w.labels),
               .progress = parse_choice("--progress", w.progress, {"auto", "always", "never"}),
               .anonymise = w.anonymise};
  if (!w.out.empty()) o.out = w.out;
  if (!w.resume.empty()) o.resume = w.resume;
  if (!w.prometheus.empty()) o.telemetry_prometheus = w.prometheus;
  return o;
}

void add_stop_options(CommandLine& line, StopWords& w) {
  line.begin_group("Sampling");
  line.add("--run-budget", &w.run_budget, "maximum time of the launch; 0: no limit",
           {.name = "SECONDS", .common = true});
  line.add("--width", &w.width, "target precision: half-width of a case's confidence interval, % of its time",
           {.name = "PERCENT"});
  line.add("--confidence", &w.confidence, "confidence level of intervals", {.name = "PERCENT"});
  line.add("--min-rounds", &w.min_rounds, "minimum number of rounds per case", {.name = "N"});
  line.add("--min-span", &w.min_span, "minimum wall-clock span of a case's rounds", {.name = "SECONDS"});
  line.add("--time-budget", &w.case_budget, "maximum time per case", {.name = "SECONDS"});
  line.add("--max-samples", &w.max_samples, "maximum number of samples per case", {.name = "N"});
}

StopAt stop_rules_of(const StopWords& w) {
  StopAt stop{
      .confidence = parse_percent("--confidence", w.confidence, 50, 99.99),
      .relative_half_width = parse_percent("--width", w.width, 0.0001, 100),
      .least_rounds = parse_count("--min-rounds", w.min_rounds, 6, 10'000),
      .least_span_s = parse_seconds("--min-span", w.min_span),
      .case_budget_s = parse_seconds("--time-budget", w.case_budget),
      .most_samples = static_cast<std::uint64_t>(parse_count("--max-samples", w.max_samples, 1, 1'000'000'000))};
  if (const double run_s = parse_seconds("--run-budget", w.run_budget); run_s > 0) stop.run_budget_s = run_s;
  return stop;
}

}  // namespace busbar
