// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/statistics/interval.hpp"
#include "reports/compare/verdict.hpp"
#include "reports/virtualisation/study.hpp"

/// Text and number formats of costs.
namespace busbar::virtualisation {

/// "15.4 us", "9.81 GB/s", "96.3 %"; of lost_time() the lost fraction.
[[nodiscard]] std::string shown_value(const compare::Quantity&, const std::string& unit, double value);
[[nodiscard]] std::string shown_value(const compare::ComparedCase&, double value);

/// "+12.1 %", "-0.4 %", "0.0 %"; without decimals from 100 % on.
[[nodiscard]] std::string percent_text(double fraction);

/// The value's difference from the reference: "+12.1 %".
[[nodiscard]] std::string difference_text(const compare::ComparedCase&);

/// "+9.0 to +15.3 %"; "none".
[[nodiscard]] std::string interval_text(const compare::ComparedCase&);
[[nodiscard]] std::string interval_text(const Interval& of_difference);

/// The verdict's word for the quantity: "slower", "more", "lower", "inconclusive (~9 launches a side)".
[[nodiscard]] std::string shown_verdict(const compare::ComparedCase&);

/// True if the point has an interval: launches vary, or their variation is assumed.
[[nodiscard]] bool has_interval(const compare::ComparedCase&);

/// The text, followed by the labels that tell the study from others, if any: "What to change, place=network".
[[nodiscard]] std::string with_labels(const std::string& text, const Study&);

/// "VM (KVM) against host (bare metal), place=network".
[[nodiscard]] std::string sides_text(const Study&);

}  // namespace busbar::virtualisation
