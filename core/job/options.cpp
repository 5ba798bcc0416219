// SPDX-License-Identifier: Apache-2.0
#include "core/job/options.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/error.hpp"
#include "core/here.hpp"
#include "core/record/method.hpp"
#include "core/words.hpp"

namespace busbar {

JobWords job_words() {
  JobWords words;
  if (here::simulation() != nullptr) words.noise = words.timeout = words.startup_timeout = "0";
  return words;
}

void add_job_options(CommandLine& line, JobWords& w) {
  line.begin_group("Sampling");
  line.add("--noise", &w.noise,
           "seconds at start in which the OS noise is measured; 0: don't (1, or a twentieth of --run-budget)",
           {.name = "SECONDS"});
  line.begin_group("Limits");
  line.add("--timeout", &w.timeout, "end the job when a case's turn in a round takes longer, seconds; 0: never (300)",
           {.name = "SECONDS"});
  line.add("--startup-timeout", &w.startup_timeout,
           "end the job when it takes longer until the first case's turn, seconds; 0: never (300)",
           {.name = "SECONDS"});
  line.begin_group("Output");
  line.add("--out", &w.out, "file for the record (a new one under results/)",
           {.name = "FILE", .completes = Completes::files});
  line.add("--overwrite", &w.overwrite, "let --out replace a file");
  line.add("--resume", &w.resume,
           "record of a launch of the same words that did not get to its end: measure what it lacks, into it",
           {.name = "FILE", .completes = Completes::files});
  line.add("--label", &w.labels, "a label of your own for this run: platform=vm; may be repeated",
           {.name = "KEY=VALUE"});
  line.add("--progress", &w.progress, "progress line: auto (on a terminal), always, never (auto)",
           {.name = "WHEN", .choices = {"auto", "always", "never"}});
  line.add("--telemetry-prometheus", &w.prometheus,
           "file NAME.prom that node exporter's textfile collector reads, written on each host after each case",
           {.name = "FILE", .completes = Completes::files});
  line.add("--anonymise", &w.anonymise,
           "put aliases in the place of hosts, addresses and UUIDs, the same in every run of yours (docs/privacy.md)");
}

namespace {

double parse_noise(const std::string& word, std::optional<double> run_budget_s) {
  constexpr double most_s = 1, share = 0.05;
  if (word == "auto") return run_budget_s ? std::min(most_s, share * *run_budget_s) : most_s;
  return parse_seconds("--noise", word);
}

}  // namespace

JobOptions judge(const JobWords& w, std::optional<double> run_budget_s) {
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
  const auto add = [&](const char* flag, std::string& word, const char* value, const std::string& about) {
    line.begin_group("Sampling");
    line.add(flag, &word, fmt::format("{} ({})", about, word), {.name = value});
  };
  add("--width", w.width, "PERCENT", "a case ends when its time is known to this many per cent, either way");
  add("--confidence", w.confidence, "PERCENT", "per cent of confidence in that");
  add("--min-rounds", w.min_rounds, "N", "and when it has so many rounds");
  add("--min-span", w.min_span, "SECONDS", "and when these lie over so many seconds, to see the states of the machine");
  add("--time-budget", w.case_budget, "SECONDS", "or when it took so many seconds of its own");
  add("--run-budget", w.run_budget, "SECONDS",
      "maximum seconds of the launch, also where cases are not done; 0: no limit");
  add("--max-samples", w.max_samples, "N", "or when it has so many samples");
}

StopAt judge(const StopWords& w) {
  StopAt stop{
      .confidence = parse_number("--confidence", w.confidence, 50, 99.9, "a number of per cent from 50 to 99.9") / 100,
      .relative_half_width =
          parse_number("--width", w.width, 0.0001, 100, "a number of per cent from 0.0001 to 100") / 100,
      .least_rounds = parse_count("--min-rounds", w.min_rounds, 6, 10'000),
      .least_span_s = parse_seconds("--min-span", w.min_span),
      .case_budget_s = parse_seconds("--time-budget", w.case_budget),
      .most_samples = static_cast<std::uint64_t>(parse_count("--max-samples", w.max_samples, 1, 1'000'000'000))};
  if (const double run_s = parse_seconds("--run-budget", w.run_budget); run_s > 0) stop.run_budget_s = run_s;
  return stop;
}

}  // namespace busbar
