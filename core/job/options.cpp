// SPDX-License-Identifier: Apache-2.0
#include "core/job/options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "core/build_info.hpp"
#include "core/error.hpp"
#include "core/here.hpp"
#include "core/words.hpp"

namespace busbar {

JobWords job_words() {
  JobWords words;
  if (here::simulation() != nullptr) words.noise = words.timeout = words.startup_timeout = "0";
  return words;
}

void add_job_options(CLI::App& app, JobWords& w) {
  app.add_option("--noise", w.noise, "seconds at start in which the OS noise is measured; 0: don't (1)")
      ->group("Sampling");
  app.add_option("--timeout", w.timeout,
                 "end the job when a case's turn in a round takes longer, seconds; 0: never (300)")
      ->group("Limits");
  app.add_option("--startup-timeout", w.startup_timeout,
                 "end the job when it takes longer until the first case's turn, seconds; 0: never (300)")
      ->group("Limits");
  app.add_option("--out", w.out, "file for the record (a new one under results/)")->group("Output");
  app.add_flag("--overwrite", w.overwrite, "let --out replace a file")->group("Output");
  app.add_option("--resume", w.resume,
                 "record of a launch of the same words that did not get to its end: measure what it lacks, into it")
      ->group("Output");
  app.add_option("--label", w.labels, "a label of your own for this run: platform=vm; may be repeated")
      ->group("Output");
  app.add_option("--progress", w.progress, "progress line: auto (on a terminal), always, never (auto)")
      ->group("Output");
  app.add_option("--telemetry-prometheus", w.prometheus,
                 "file NAME.prom that node exporter's textfile collector reads, written on each host after each case")
      ->group("Output");
  app.add_flag(
         "--anonymise", w.anonymise,
         "put aliases in the place of hosts, addresses and UUIDs, the same in every run of yours (docs/privacy.md)")
      ->group("Output");
}

JobOptions judge(const JobWords& w) {
  if (!w.resume.empty() && (!w.out.empty() || w.overwrite))
    throw UsageError(fmt::format("--resume: cannot be used together with {}; it writes into the file that it names",
                                 w.out.empty() ? "--overwrite" : "--out"));
  JobOptions o{.timeout_s = parse_seconds("--timeout", w.timeout),
               .startup_timeout_s = parse_seconds("--startup-timeout", w.startup_timeout),
               .noise_s = parse_seconds("--noise", w.noise),
               .overwrite = w.overwrite,
               .labels = parse_labels(w.labels),
               .progress = parse_choice("--progress", w.progress, {"auto", "always", "never"}),
               .anonymise = w.anonymise};
  if (!w.out.empty()) o.out = w.out;
  if (!w.resume.empty()) o.resume = w.resume;
  if (!w.prometheus.empty()) o.telemetry_prometheus = w.prometheus;
  return o;
}

void add_stop_options(CLI::App& app, StopWords& w) {
  const auto add = [&](const char* flag, std::string& word, const std::string& about) {
    app.add_option(flag, word, fmt::format("{} ({})", about, word))->group("Sampling");
  };
  add("--width", w.width, "a case ends when its time is known to this many per cent, either way");
  add("--confidence", w.confidence, "per cent of confidence in that");
  add("--min-rounds", w.min_rounds, "and when it has so many rounds");
  add("--min-span", w.min_span, "and when these lie over so many seconds, to see the states of the machine");
  add("--time-budget", w.case_budget, "or when it took so many seconds of its own");
  add("--run-budget", w.run_budget, "or when all cases together took so many seconds; 0: no limit");
  add("--max-samples", w.max_samples, "or when it has so many samples");
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

std::optional<Information> find_words(CLI::App& app, const std::vector<std::string>& arguments) {
  app.set_version_flag("--version", fmt::format("{} {} ({})", app.get_name(), version(), git_revision()));
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
    app.parse(std::move(reversed));
  } catch (const CLI::CallForVersion& e) {
    return Information{std::string(e.what()) + "\n"};
  } catch (const CLI::Success&) {
    return Information{app.help()};
  } catch (const CLI::ParseError& e) {
    throw UsageError(fmt::format("{} ({} --help shows what there is)", e.what(), app.get_name()));
  }
  return std::nullopt;
}

}  // namespace busbar
