// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What others got: published results of collectives, one file per source in reports/expected/known (installed as
/// share/busbar/known). docs/expected.md describes the format.
namespace busbar::expected {

/// What a published figure is.
enum class KnownState {
  normal,     ///< given as a usual or good result
  problem,    ///< published because it was too low
  threshold,  ///< the least that a health check accepts
};

constexpr auto words_of(KnownState) { return std::to_array<std::string_view>({"normal", "problem", "threshold"}); }

/// One published figure, out of one line of its source.
struct KnownRow {
  std::string collective;
  std::optional<std::uint64_t> bytes;  ///< empty: not said, or a mean over sizes
  std::string type;                    ///< as published
  std::optional<bool> in_place;
  std::optional<double> algbw_GBps, busbw_GBps, time_us;
  std::string line;  ///< the line itself
};

/// Figures of one machine and launch.
struct KnownRun {
  std::string platform, device;  ///< "AWS p5.48xlarge", "H100-SXM5-80GB" or "CPU: 2 x AMD EPYC 7742"; empty: not said
  std::optional<int> per_node, nodes, ranks;
  std::string intra, inter;          ///< "NVLink", "InfiniBand NDR"; empty: not said, or there is none
  std::optional<double> inter_GBps;  ///< of a node, each way, over all NICs
  std::string library, tool;
  KnownState state = KnownState::normal;
  std::vector<KnownRow> rows;
};

/// One source.
struct KnownSource {
  std::string title, url, date;
  std::vector<KnownRun> results;
};

/// Reads the text of one file. Throws UsageError "<file>: what is wrong in it".
[[nodiscard]] KnownSource parse_known_results(std::string_view text, std::string_view file);

/// Reads all files "*.json" in a folder, by name. Throws UsageError naming the file and what is wrong in it; empty if
/// there is no such folder.
[[nodiscard]] std::vector<KnownSource> read_known_results(const std::filesystem::path& folder);

/// Those that are installed with this program.
[[nodiscard]] std::vector<KnownSource> installed_known_results();

}  // namespace busbar::expected
