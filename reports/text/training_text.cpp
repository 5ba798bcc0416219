// SPDX-License-Identifier: Apache-2.0
#include "reports/text/training_text.hpp"

#include <array>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/record/case_record.hpp"
#include "core/record/status.hpp"

namespace busbar::report {
namespace {

std::string batch(const TrainingKey& t) {
  if (!t.batch) return "batch unknown";
  return fmt::format("batch {} {}", *t.batch, t.scaling == strong_scaling ? "in all" : "a rank");
}

std::string buckets(const TrainingKey& t) {
  if (!t.overlap) return "";
  if (t.bucket_bytes == 0) return "a reduction a gradient";
  const std::string all = "buckets of " + format_size(t.bucket_bytes);
  return t.first_bucket_bytes == t.bucket_bytes ? all : all + ", first " + format_size(t.first_bucket_bytes);
}

/// "spread over hosts", "layout 2x4".
std::string layout_text(const std::string& layout) {
  if (layout == "packed" || layout == "unknown") return "";
  return layout == "spread" ? "spread over hosts" : "layout " + layout;
}

}  // namespace

std::string overlap_text(const TrainingKey& t) {
  if (!t.overlap) return "";
  return *t.overlap == "none" ? "no overlap" : "overlap " + *t.overlap;
}

bool is_training(const CaseRecord& c) {
  return c.key.kind == CaseKind::training && c.key.training && (c.training || !is_measured(c.status));
}

bool is_replayed(const CaseKey& k) { return k.training && k.training->compute == replayed_compute; }

std::string computed_by(const TrainingKey& t) {
  if (t.compute == replayed_compute) return "replayed (" + t.computed_on + ")";
  return t.computed_on == "unknown" ? t.compute : t.compute + " on " + t.computed_on;
}

std::vector<std::string> training_parts(const CaseKey& k) {
  const TrainingKey& t = *k.training;
  return {t.parallel + " parallel",
          computed_by(t),
          t.scaling == "unknown" ? "" : t.scaling + " scaling",
          batch(t),
          t.micro_batches == 1 ? "" : fmt::format("{} micro-batches", t.micro_batches),
          t.image ? fmt::format("{} x {} pixels", *t.image, *t.image) : "",
          t.threads ? plural(*t.threads, "thread") + " a rank" : "",
          layout_text(t.layout),
          overlap_text(t),
          buckets(t),
          t.hierarchical ? "hierarchical" : "",
          t.sharded ? "sharded update" : "",
          t.schedule.value_or(""),
          t.jobs == 1 ? "" : fmt::format("{} jobs", t.jobs),
          k.backend,
          k.memory ? *k.memory + " memory" : "",
          k.type.value_or(""),
          k.algorithm ? "algorithm " + *k.algorithm : "",
          k.group && *k.group != "world" ? "group " + *k.group : ""};
}

std::string set_up(const CaseKey& k) { return join_filled(training_parts(k)); }

std::string rate_unit(const Training& t) { return t.sample + "s/s"; }

std::string rate(double samples_per_s) {
  if (samples_per_s < 1) return fmt::format("{:.3g}", samples_per_s);
  return fmt::format("{:.{}f}", samples_per_s, samples_per_s < 100 ? 2 : samples_per_s < 1000 ? 1 : 0);
}

std::string half_width(const std::optional<Interval>& i) {
  if (!i) return "-";
  const double per_cent = 100 * relative_half_width(*i);
  return fmt::format("{:.{}f}", per_cent, per_cent < 9.95 ? 1 : 0);
}

std::string percent(std::optional<double> share) {
  if (!share) return "-";
  return *share != 0 && *share < 0.01 ? fmt::format("{:.2g} %", 100 * *share) : fmt::format("{:.1f} %", 100 * *share);
}

std::string percent(const std::optional<Interval>& i) {
  return i ? fmt::format("{:.1f} to {:.1f} %", 100 * i->low, 100 * i->high) : "-";
}

std::string about_size(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1024;
  return fmt::format("{:.3g} {}", value, units[unit]);
}

std::string rank_list(std::span<const int> ranks) {
  std::string all;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    all += (all.empty() ? "" : ", ") + std::to_string(ranks[i]);
    if (last > i) all += "-" + std::to_string(ranks[last]);
    i = last + 1;
  }
  return all;
}

}  // namespace busbar::report
