// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"

/// Words and number formats shared by all parts of the report.
namespace busbar::report {

/// Written where a record holds null.
inline constexpr std::string_view unknown = "unknown";

/// True if any host of the run is a lab host: part of a machine that acts as a separate host (Host::lab).
[[nodiscard]] bool is_lab(const RunRecord&);

/// The first `most` bytes of a record's text, on one line; "..." marks a cut.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most = 200);

/// "a, b, c"; more than `most` items become "a, b and 3 more".
[[nodiscard]] std::string list(std::span<const std::string> items, std::size_t most = 4);

/// The names of owners; `all_of_them` ("all runs") for all of several.
[[nodiscard]] std::string owners_text(std::span<const std::string> owners, std::size_t everybody,
                                      const std::string& all_of_them);

/// Natural order of names: "GPU2" before "GPU10".
[[nodiscard]] bool natural_less(const std::string& a, const std::string& b);

/// GB/s without the unit: 2 decimals, 4 below 1, two significant digits below 0.001; "unknown" for null.
[[nodiscard]] std::string bandwidth(std::optional<double> gbps);

/// Bus bandwidth of a case as in bandwidth(); "-" for 0 bytes or where nccl-tests defines no bus factor.
[[nodiscard]] std::string bus_bandwidth(const CaseRecord&);

/// format_duration(); "unknown" for null.
[[nodiscard]] std::string duration(std::optional<double> seconds);

/// "15.4 us to 15.9 us (95 %)"; "unknown" for null.
[[nodiscard]] std::string interval(const std::optional<Interval>& seconds);

/// Unique names of the runs, in order: their labels without those that all of several runs share, or else their file's
/// name; cut at 120 bytes. Equal names also get the file's name, its folder or a number.
/// Suffixes: "(imported)" or "(simulated)" unless measured, "(shared GPU)" where ranks shared one, "(lab)" as in
/// is_lab().
[[nodiscard]] std::vector<std::string> run_names(std::span<const Run* const>);
[[nodiscard]] std::vector<std::string> run_names(const std::vector<Run>&);

/// Addresses of the runs; valid as long as the span's elements.
[[nodiscard]] std::vector<const Run*> pointers(std::span<const Run>);

/// A short text for each part of a key except collective and size: "mpi", "fp32", "out of place", "8 ranks on 2 nodes".
/// Empty where a part does not apply. Same length and order as part_names().
[[nodiscard]] std::vector<std::string> key_parts(const CaseKey&);
[[nodiscard]] std::span<const std::string_view> part_names();

/// A name for each series: its subject and the parts in which it differs from others of that subject: "allreduce,
/// fp32".
[[nodiscard]] std::vector<std::string> series_names(std::span<const CaseKey* const>);

/// "8 ranks on 2 nodes"; "8 ranks" where the number of nodes is unknown.
[[nodiscard]] std::string scale_text(const CaseKey&);

/// Non-empty parts of a key, joined: "mpi, host memory, fp32, sum, out of place, 2 ranks on 1 node, ...". For training:
/// set_up() and the number of ranks.
[[nodiscard]] std::string describe(const CaseKey&);

/// "allreduce"; other kinds of case are prefixed with the kind.
[[nodiscard]] std::string subject(const CaseKey&);

/// How this method defines `time`: "median over iterations, the slowest rank of each", "median over rounds of the
/// medians of their samples, slowest rank of each".
[[nodiscard]] std::string time_rule(const Method&);

/// Case sizes as one text: "8 B, 16 B", or "8 B ... 1 MiB (18 sizes)" for more than four.
[[nodiscard]] std::string size_list(std::span<const std::uint64_t> sizes);

/// Whether a run ended before its last case, or its record has no end.
[[nodiscard]] bool is_unfinished(const Run&);

/// "2 runs, 96 cases (3 skipped, 1 failed)", "9 runs (1 did not finish), 416 cases (0 skipped, 0 failed)".
[[nodiscard]] std::string count_runs_and_cases(const std::vector<Run>&);

}  // namespace busbar::report
