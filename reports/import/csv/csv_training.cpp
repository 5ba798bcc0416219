// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/record/case_record.hpp"
#include "reports/import/csv/csv_cases.hpp"
#include "reports/import/csv/csv_key.hpp"

namespace busbar {
namespace {

std::string word_or(const CsvValues& row, std::string_view name, const std::string& otherwise) {
  const std::string* word = row.word(name);
  return word == nullptr ? otherwise : *word;
}

TrainingKey training_key(const CsvValues& row, const CsvDefaults& defaults) {
  const auto batch = row.count("batch"), global_batch = row.count("global_batch");
  if (batch && global_batch) throw Error("both batch and global_batch; fill one of them");
  TrainingKey t{.compute = word_or(row, "compute", defaults.program),
                .computed_on = word_or(row, "computed_on", "unknown"),
                .batch = batch ? batch : global_batch,
                .image = row.count("image"),
                .scaling = global_batch ? "strong"
                           : batch      ? "weak"
                                        : "unknown",
                .layout = "unknown",
                .jobs = row.count("jobs").value_or(1)};
  if (const std::string* precision = row.word("precision")) t.precision = *precision;
  if (const std::string* told = row.word("scaling")) {
    if (*told != "weak" && *told != "strong")
      throw Error(fmt::format("scaling: unknown '{}'; known: weak, strong", *told));
    if (t.batch && *told != t.scaling)
      throw Error(fmt::format("scaling: {}, but the batch is that {}", *told, batch ? "of a rank" : "of all ranks"));
    t.scaling = *told;
  }
  if (t.batch == 0 || t.jobs < 1) throw Error("batch and jobs are 1 at least");
  return t;
}

void set_intervals(CaseRecord& c, const CsvValues& row, const CsvDefaults& defaults, CsvTally& tally) {
  const auto low = row.figure("rate_low"), high = row.figure("rate_high");
  if (!low || !high) return;
  c.training->samples_per_s_interval = csv_interval(low->value, high->value, row, defaults, tally);
  const auto samples = samples_per_step(*c.key.training, c.key.ranks);
  if (const auto& i = c.training->samples_per_s_interval; i && samples && !row.figure("step"))
    c.interval_s = Interval{.low = *samples / i->high, .high = *samples / i->low, .confidence = i->confidence};
}

}  // namespace

std::optional<CaseRecord> csv_training(const CsvValues& row, const CsvDefaults& defaults, CsvTally& tally) {
  const auto rate = row.figure("rate"), step = row.figure("step");
  if (!rate && !step) return std::nullopt;
  CaseRecord c{.key = csv_key(row, defaults)};
  c.key.kind = CaseKind::training;
  c.key.collective = word_or(row, "model", "");
  if (c.key.collective.empty()) throw Error("no model is named");
  c.key.training = training_key(row, defaults);
  if (c.key.ranks % c.key.training->jobs != 0)
    throw Error(fmt::format("{} ranks are not {} jobs of equally many", c.key.ranks, c.key.training->jobs));
  const auto samples = samples_per_step(*c.key.training, c.key.ranks);
  if (!rate && !samples) throw Error("a step's time gives no rate without its batch");
  c.training = Training{.sample = defaults.sample, .samples_per_s = rate ? rate->value : *samples / step->value};
  if (step || samples) c.time_s = step ? step->value : *samples / rate->value;
  if (!rate) ++tally.rates_computed;
  if (!step && samples) ++tally.times_computed;
  set_intervals(c, row, defaults, tally);
  return c;
}

}  // namespace busbar
