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

/// Words and numbers of training as every part of the report writes them.
namespace busbar::report {

/// True for a case of kind "training" that says what it trained and, where it is ok, what came of it.
[[nodiscard]] bool is_training(const CaseRecord&);

/// Where the times of computing come from: "onednn on cpu", "replayed (a100-pcie)".
[[nodiscard]] std::string computed_by(const TrainingKey&);
[[nodiscard]] bool is_replayed(const CaseKey&);

/// A word or two about each part of a key in which trainings of a model differ, but the number of ranks; empty where it
/// is as usual or does not apply. Always as many and in one order; computed_by() is at `computed_by_part`.
[[nodiscard]] std::vector<std::string> training_parts(const CaseKey&);
inline constexpr std::size_t computed_by_part = 1;

/// "no overlap", "overlap stream"; empty where that does not apply.
[[nodiscard]] std::string overlap_text(const TrainingKey&);

/// The parts that are not empty, joined: "data parallel, onednn on cpu, weak scaling, batch 8 a rank, ...".
[[nodiscard]] std::string set_up(const CaseKey&);

/// What is counted, a second: "images/s".
[[nodiscard]] std::string rate_unit(const Training&);

/// Without the unit: "7.41", "345.2", "2757".
[[nodiscard]] std::string rate(double samples_per_s);

/// Half of an interval over its middle, in per cent: "1.4", "12"; "-" where there is none.
[[nodiscard]] std::string half_width(const std::optional<Interval>&);

/// "96.3 %", "0.52 %"; "-" for null.
[[nodiscard]] std::string percent(std::optional<double> share);

/// "95.1 to 97.5 %"; "-" where there is none.
[[nodiscard]] std::string percent(const std::optional<Interval>& shares);

/// To three digits, for memory: "97.5 MiB". format_size() is exact and therefore long.
[[nodiscard]] std::string about_size(std::uint64_t bytes);

/// "0-3, 8".
[[nodiscard]] std::string rank_list(std::span<const int> ranks);

}  // namespace busbar::report
