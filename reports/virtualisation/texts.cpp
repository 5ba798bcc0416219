// SPDX-License-Identifier: Apache-2.0
#include "reports/virtualisation/texts.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/compare/text.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::virtualisation {
namespace {

using compare::ComparedCase, compare::Verdict;

std::string_view word_of(const compare::Quantity& quantity, Verdict verdict) {
  const bool changed = verdict == Verdict::slower || verdict == Verdict::faster;
  if (changed && &quantity == &lost_time()) return verdict == Verdict::slower ? "more" : "less";
  if (changed && &quantity == &efficiency()) return verdict == Verdict::slower ? "lower" : "higher";
  return name(verdict);
}

}  // namespace

std::string shown_value(const compare::Quantity& quantity, const std::string& unit, double value) {
  if (&quantity == &lost_time()) return report::percent(std::optional(std::max(0.0, lost_fraction(value))));
  if (&quantity == &efficiency()) return report::percent(std::optional(value));
  if (quantity.name == "time") return format_duration(value);
  return (quantity.name == "rate" ? report::rate(value) : report::bandwidth(value)) + " " + unit;
}

std::string shown_value(const ComparedCase& p, double value) { return shown_value(*p.quantity, p.unit, value); }

std::string percent_text(double fraction) { return compare::change_text(1 + fraction) + " %"; }

std::string difference_text(const ComparedCase& p) { return percent_text(p.ratio.ratio() - 1); }

std::string interval_text(const Interval& of_difference) {
  return fmt::format("{} to {}", compare::change_text(1 + of_difference.low), percent_text(of_difference.high));
}

std::string interval_text(const ComparedCase& p) {
  constexpr double widest = 100;  // its ends would have more digits than they mean
  if (!has_interval(p)) return "none";
  if (p.interval.high > widest * p.interval.low) return fmt::format("wider than a factor of {:g}", widest);
  return interval_text({.low = p.interval.low - 1, .high = p.interval.high - 1, .confidence = p.interval.confidence});
}

std::string shown_verdict(const ComparedCase& p) {
  const std::string usual = compare::verdict_text(p);
  return std::string(word_of(*p.quantity, p.verdict)) + usual.substr(name(p.verdict).size());
}

bool has_interval(const ComparedCase& p) { return p.ratio.standard_error > 0; }

std::string with_labels(const std::string& text, const Study& study) {
  return study.labels.empty() ? text : text + ", " + study.labels;
}

std::string sides_text(const Study& study) {
  return with_labels(fmt::format("{} against {}", study.sides[other].text(), study.sides[reference].text()), study);
}

}  // namespace busbar::virtualisation
