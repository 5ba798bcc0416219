// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ranks/group.hpp"
#include "core/record/fwd.hpp"
#include "core/record/status.hpp"
#include "core/record/telemetry.hpp"

/// Cases as they end, for Prometheus: a file that node exporter's textfile collector reads
/// (https://github.com/prometheus/node_exporter, "Textfile Collector"), in the text exposition format 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/). Names, labels and units: docs/telemetry.md.
namespace busbar {

/// The samples of the last cases as text. Pure: no file, no clock.
class PrometheusPage {
 public:
  /// The result of a case under its own labels; one that has ended before under the same ones is replaced.
  void take_result(const CaseRecord& record);
  /// One GPU of this host over a case: gauges are replaced, counters grow.
  void take_gpu(const GpuTelemetry& gpu);
  /// How a case ended.
  void count(Status status);

  /// All of it. `now_s`: since 1970.
  [[nodiscard]] std::string text(double now_s) const;

 private:
  /// `labels` as they are written, with braces, or nothing.
  void set(std::string_view metric, const std::string& labels, std::optional<double> value, double unit = 1);
  void add(std::string_view metric, const std::string& labels, std::optional<double> more);

  std::map<std::string, std::map<std::string, double>, std::less<>> samples_;
};

/// Writes the file of this host after each case: its first rank does. Other ranks have none of it.
class PrometheusFile {
 public:
  /// Collective. Writes a first page without cases. `hosts`: of each rank, as a number. Every rank throws the
  /// UsageError where some host's file cannot be written.
  PrometheusFile(Group& group, const std::filesystem::path& path, const std::vector<int>& hosts);

  /// A case has ended. Not collective; on each rank `telemetry` and `status` are whole, on rank 0 all of the record is,
  /// and results stand in the file of its host alone, so that a sum over hosts has each once.
  void add_case(const CaseRecord& record);

  /// Why the file is behind. Nothing ends for it: it only shows what the record holds anyway.
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }

 private:
  void write() const;

  std::filesystem::path path_;
  int rank_;
  std::vector<int> here_;  ///< ranks of this host; empty where this rank is not the first of them
  PrometheusPage page_;
  std::optional<std::string> problem_;
};

}  // namespace busbar
