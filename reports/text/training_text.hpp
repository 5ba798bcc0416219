// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "core/record/training.hpp"
#include "core/statistics/interval.hpp"

/// Words and number formats for training, shared by all parts of the report.
namespace busbar::report {

/// True for a case of kind "training" with its training key and, where it was measured, its results.
[[nodiscard]] bool is_training(const CaseRecord&);

/// Source of the compute times: "onednn on cpu", "replayed (a100-pcie)".
[[nodiscard]] std::string computed_by(const TrainingKey&);
[[nodiscard]] bool is_replayed(const CaseKey&);

/// A short text for each part of a training key except model and number of ranks. Empty where a part has its usual
/// value or does not apply. Fixed length and order; computed_by() is at `computed_by_part`.
[[nodiscard]] std::vector<std::string> training_parts(const CaseKey&);
inline constexpr std::size_t computed_by_part = 1;

/// "no overlap", "overlap stream"; empty where overlap does not apply.
[[nodiscard]] std::string overlap_text(const TrainingKey&);

/// Non-empty training_parts(), joined: "data parallel, onednn on cpu, weak scaling, batch 8 a rank, ...".
[[nodiscard]] std::string set_up(const CaseKey&);

/// Unit of rate(): "images/s".
[[nodiscard]] std::string rate_unit(const Training&);

/// Samples per second without the unit: "7.41", "345.2", "2757".
[[nodiscard]] std::string rate(double samples_per_s);

/// Half-width of an interval in per cent of its middle: "1.4", "12"; "-" for none.
[[nodiscard]] std::string half_width(const std::optional<Interval>&);

/// A fraction in per cent: "96.3 %", "0.52 %"; "-" for null.
[[nodiscard]] std::string percent(std::optional<double> share);

/// "95.1 to 97.5 %"; "-" for none.
[[nodiscard]] std::string percent(const std::optional<Interval>& shares);

/// Bytes to three digits: "97.5 MiB". format_size() is exact and therefore longer.
[[nodiscard]] std::string about_size(std::uint64_t bytes);

/// Sorted ranks as ranges: "0-3, 8".
[[nodiscard]] std::string rank_list(std::span<const int> ranks);

}  // namespace busbar::report
