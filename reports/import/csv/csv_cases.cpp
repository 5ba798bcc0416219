// SPDX-License-Identifier: Apache-2.0
#include "reports/import/csv/csv_cases.hpp"

#include <cmath>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/record/case_record.hpp"
#include "reports/import/bandwidths.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

// Columns of both kinds of rows

std::optional<std::string> csv_key_memory(const CsvValues& row) {
  const auto told = row.word("memory");
  if (!told) return std::nullopt;
  if (*told == "host" || *told == "cpu") return "host";
  if (*told == "device" || *told == "gpu") return "device";
  throw Error(fmt::format("memory: unknown '{}'; known: host, device", *told));
}

/// A count that must not be 0.
std::optional<int> at_least_one(const CsvValues& row, std::string_view name) {
  const auto n = row.count(name);
  if (n && *n < 1) throw Error(fmt::format("{}: 0 is below 1", name));
  return n;
}

/// The key of a row without collective, model and size. Throws Error if the number of ranks is unknown.
CaseKey csv_key(const CsvValues& row, const CsvDefaults& defaults) {
  CaseKey k{.backend = row.word("backend").value_or("unknown"),
            .memory = csv_key_memory(row),
            .op = row.word("op"),
            .root = row.count("root"),
            .nodes = at_least_one(row, "nodes"),
            .ranks_per_node = at_least_one(row, "ranks_per_node"),
            .algorithm = row.word("algorithm")};
  if (const auto type = row.word("type")) k.type = type_named(*type);
  const auto ranks = at_least_one(row, "ranks");
  if (!ranks && !defaults.ranks)
    throw Error("the number of ranks is not known; fill the column ranks, or add --ranks N");
  k.ranks = ranks.value_or(defaults.ranks.value_or(0));
  if (k.nodes == 1 && !k.ranks_per_node) k.ranks_per_node = k.ranks;
  return k;
}

/// The interval between two figures. Empty without them, and if the confidence is unknown, which the tally counts.
/// Throws Error if it ends before it begins.
std::optional<Interval> csv_interval(const CsvValues& row, std::string_view low_name, std::string_view high_name,
                                     const CsvDefaults& defaults, CsvTally& tally) {
  const auto low = row.figure(low_name), high = row.figure(high_name);
  if (!low || !high) return std::nullopt;
  if (low->value > high->value) throw Error(fmt::format("an interval from {:g} to {:g}", low->value, high->value));
  std::optional<double> confidence = defaults.confidence;
  if (const auto told = row.figure("confidence")) confidence = told->value > 1 ? told->value / 100 : told->value;
  if (confidence && !(*confidence < 1)) throw Error("confidence: give a share below 1, or per cent below 100");
  if (!confidence) {
    ++tally.intervals_unused;
    return std::nullopt;
  }
  return Interval{.low = low->value, .high = high->value, .confidence = *confidence};
}

// Collectives

std::string csv_collective_of(const CsvValues& row, const CsvDefaults& defaults) {
  if (defaults.collective) return *defaults.collective;
  const auto told = row.word("collective");
  if (!told) throw Error("no collective is named; fill the column, or add --collective");
  if (auto name = collective_named(*told)) return *name;
  throw Error(fmt::format("collective: unknown '{}'; known: {}", quotable(*told), collective_names()));
}

struct Figures {
  std::optional<Rounded> time, algbw, busbw;
  [[nodiscard]] bool none() const { return !time && !algbw && !busbw; }
};

/// Keeps the table's figures and computes missing ones.
void set_csv_collective_figures(CaseRecord& c, const Figures& f, CsvTally& tally) {
  const double bytes = static_cast<double>(c.key.bytes), factor = bus_factor_of(c.key.collective, c.key.ranks);
  if (f.time) {
    set_bandwidth(c, f.time->value, factor);
    tally.bandwidths_computed += !f.algbw && !f.busbw ? 1 : 0;
  } else {
    if (c.key.bytes == 0) throw Error("a bandwidth of 0 bytes");
    if (!f.algbw && !(factor > 0)) throw Error("busbw of one rank says nothing of the time");
    set_bandwidth(c, bytes * 1e-9 / (f.algbw ? f.algbw->value : f.busbw->value / factor), factor);
    ++tally.times_computed;
  }
  if (c.key.bytes == 0) return;
  if (!std::isfinite(*c.algbw_GBps) || !std::isfinite(*c.time_s)) throw Error("figures that no machine has");
  if (f.algbw) c.algbw_GBps = f.algbw->value;
  if (f.busbw) c.busbw_GBps = f.busbw->value;
  if (!f.time) return;
  const Computed computed = bandwidth_GBps(bytes, {.value = f.time->value * 1e6, .half_unit = f.time->half_unit * 1e6});
  const auto fits = [](const std::optional<Rounded>& printed, const Computed& range) {
    return !printed || agrees(*printed, range.low, range.high);
  };
  if (fits(f.algbw, computed) && fits(f.busbw, computed.times(factor))) return;
  ++tally.contradicted;
  c.bus_factor.reset();
}

// Trainings

TrainingKey training_key(const CsvValues& row, const CsvDefaults& defaults) {
  const auto batch = row.count("batch"), global_batch = row.count("global_batch");
  if (batch && global_batch) throw Error("both batch and global_batch; fill one of them");
  TrainingKey t{.compute = row.word("compute").value_or(defaults.program),
                .computed_on = row.word("computed_on").value_or("unknown"),
                .batch = batch ? batch : global_batch,
                .image = row.count("image"),
                .scaling = global_batch ? "strong"
                           : batch      ? "weak"
                                        : "unknown",
                .layout = "unknown",
                .jobs = row.count("jobs").value_or(1)};
  if (const auto precision = row.word("precision")) t.precision = *precision;
  if (const auto told = row.word("scaling")) {
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
  c.training->samples_per_s_interval = csv_interval(row, "rate_low", "rate_high", defaults, tally);
  const auto samples = samples_per_step(*c.key.training, c.key.ranks);
  if (const auto& i = c.training->samples_per_s_interval; i && samples && !row.figure("step"))
    c.interval_s = Interval{.low = *samples / i->high, .high = *samples / i->low, .confidence = i->confidence};
}

}  // namespace

std::optional<CaseRecord> csv_collective(const CsvValues& row, const CsvDefaults& defaults, CsvTally& tally) {
  const Figures figures{.time = row.figure("time"), .algbw = row.figure("algbw"), .busbw = row.figure("busbw")};
  if (figures.none()) return std::nullopt;
  CaseRecord c{.key = csv_key(row, defaults)};
  c.key.collective = csv_collective_of(row, defaults);
  const auto bytes = CsvValues::find(row.counts, "bytes");
  if (!bytes) throw Error("no size");
  c.key.bytes = *bytes;
  c.key.in_place = CsvValues::find(row.truths, "in_place");
  c.count = CsvValues::find(row.counts, "count");
  set_csv_collective_figures(c, figures, tally);
  c.interval_s = csv_interval(row, "time_low", "time_high", defaults, tally);
  return c;
}

std::optional<CaseRecord> csv_training(const CsvValues& row, const CsvDefaults& defaults, CsvTally& tally) {
  const auto rate = row.figure("rate"), step = row.figure("step");
  if (!rate && !step) return std::nullopt;
  CaseRecord c{.key = csv_key(row, defaults)};
  c.key.kind = CaseKind::training;
  c.key.collective = row.word("model").value_or("");
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
