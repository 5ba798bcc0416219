// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/record/case_record.hpp"
#include "reports/import/bandwidths.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/csv/csv_cases.hpp"
#include "reports/import/csv/csv_key.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

std::string csv_collective_of(const CsvValues& row, const CsvDefaults& defaults) {
  if (defaults.collective) return *defaults.collective;
  const std::string* told = row.word("collective");
  if (told == nullptr) throw Error("no collective is named; fill the column, or add --collective");
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

void set_interval(CaseRecord& c, const CsvValues& row, const CsvDefaults& defaults, CsvTally& tally) {
  const auto low = row.figure("time_low"), high = row.figure("time_high");
  if (!low || !high) return;
  c.interval_s = csv_interval(low->value, high->value, row, defaults, tally);
}

}  // namespace

std::optional<CaseRecord> csv_collective(const CsvValues& row, const CsvDefaults& defaults, CsvTally& tally) {
  const Figures figures{.time = row.figure("time"), .algbw = row.figure("algbw"), .busbw = row.figure("busbw")};
  if (figures.none()) return std::nullopt;
  CaseRecord c{.key = csv_key(row, defaults)};
  c.key.collective = csv_collective_of(row, defaults);
  const auto bytes = row.counts.find("bytes");
  if (bytes == row.counts.end()) throw Error("no size");
  c.key.bytes = bytes->second;
  if (const auto at = row.truths.find("in_place"); at != row.truths.end()) c.key.in_place = at->second;
  if (const auto at = row.counts.find("count"); at != row.counts.end()) c.count = at->second;
  set_csv_collective_figures(c, figures, tally);
  set_interval(c, row, defaults, tally);
  return c;
}

}  // namespace busbar
