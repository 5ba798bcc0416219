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

/// Words and numbers as every part of the report writes them.
namespace busbar::report {

/// What a report writes where a record holds null.
inline constexpr std::string_view unknown = "unknown";

/// Some host of it is a part of a machine that is made to look like a host (Host::lab).
[[nodiscard]] bool is_lab(const RunRecord&);

/// The first `most` bytes of a text from a record, on one line and with "..." where it goes on.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most = 200);

/// "a, b, c", or "a, b and 3 more" where there are more than `most`.
[[nodiscard]] std::string list(std::span<const std::string> items, std::size_t most = 4);

/// GB/s without the unit: 2 digits behind the point, 4 below 1, two significant ones below 0.001; "unknown" for null.
[[nodiscard]] std::string bandwidth(std::optional<double> gbps);

/// Bus bandwidth of a case as bandwidth(), "-" where it has none: no bytes, or nothing that nccl-tests have a factor
/// for.
[[nodiscard]] std::string bus_bandwidth(const CaseRecord&);

/// format_duration(), "unknown" for null.
[[nodiscard]] std::string duration(std::optional<double> seconds);

/// "15.4 us to 15.9 us (95 %)"; "unknown" for null.
[[nodiscard]] std::string interval(const std::optional<Interval>& seconds);

/// Names of the runs, in order and each unlike the others: display_name(), its first 120 bytes at most, with the
/// folder or a number added where two are alike, "(imported)" after those that were not measured by us, and "(shared
/// GPU)" after those whose ranks shared one.
[[nodiscard]] std::vector<std::string> run_names(std::span<const Run* const>);
[[nodiscard]] std::vector<std::string> run_names(const std::vector<Run>&);

/// Where each of the runs is.
[[nodiscard]] std::vector<const Run*> pointers(std::span<const Run>);

/// One word or two about each part of a key but collective and size: "mpi", "fp32", "out of place", "8 ranks on 2
/// nodes", ... A part that does not apply is an empty text. Always as many and in the order of part_names().
[[nodiscard]] std::vector<std::string> key_parts(const CaseKey&);
[[nodiscard]] std::span<const std::string_view> part_names();

/// "8 ranks on 2 nodes"; "8 ranks" where the nodes are not known.
[[nodiscard]] std::string scale_text(const CaseKey&);

/// The parts of a key that are not empty, joined: "mpi, host memory, fp32, sum, out of place, 2 ranks on 1 node, ...".
/// Of a training set_up() and its ranks.
[[nodiscard]] std::string describe(const CaseKey&);

/// "allreduce"; for other kinds of cases the kind stands before it.
[[nodiscard]] std::string subject(const CaseKey&);

/// What `time` is by this method: "median over iterations, the slowest rank of each", "median over rounds of the
/// medians of their samples, slowest rank of each".
[[nodiscard]] std::string time_rule(const Method&);

/// Sizes of cases as one text: "8 B, 16 B", or "8 B ... 1 MiB (18 sizes)" for many.
[[nodiscard]] std::string size_list(std::span<const std::uint64_t> sizes);

/// "2 runs, 96 cases (3 skipped, 1 failed)".
[[nodiscard]] std::string count_runs_and_cases(const std::vector<Run>&);

}  // namespace busbar::report
