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

/// Results for Prometheus, updated as cases end. They go to a file for node exporter's textfile collector
/// (https://github.com/prometheus/node_exporter, "Textfile Collector"), in the text exposition format 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/). Names, labels and units: docs/telemetry.md.
namespace busbar {

/// The metrics as text. Pure: no file, no clock.
class PrometheusPage {
 public:
  /// Sets the result of a case; replaces an earlier one with the same labels.
  void set_case(const CaseRecord& record);
  /// Adds one GPU's telemetry of a case: replaces gauges, increases counters.
  void set_gpu(const GpuTelemetry& gpu);
  /// Counts an ended case.
  void count(Status status);

  /// The whole page. `now_s`: since 1970.
  [[nodiscard]] std::string render(double now_s) const;

 private:
  /// `labels`: as written, with braces, or empty.
  void set(std::string_view metric, const std::string& labels, std::optional<double> value, double unit = 1);
  void add(std::string_view metric, const std::string& labels, std::optional<double> more);

  std::map<std::string, std::map<std::string, double>, std::less<>> samples_;
};

/// Writes the file of this host after each case. Only the first rank of a host writes.
class PrometheusFile {
 public:
  /// Collective over the group. Writes a first page without cases. `hosts`: host number of each rank. Throws UsageError
  /// on every rank if a host's file cannot be written.
  PrometheusFile(Group& group, const std::filesystem::path& path, const std::vector<int>& hosts);

  /// Adds an ended case. Not collective. `telemetry` and `status` must be complete on each rank, the whole record on
  /// rank 0. Only rank 0's host gets results, so that a sum over hosts counts each once.
  void add_case(const CaseRecord& record);

  /// Why the file is out of date. The run continues: the record has the same data.
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }

 private:
  void write() const;

  std::filesystem::path path_;
  int rank_;
  std::vector<int> here_;  ///< ranks of this host; empty unless this rank is the first of them
  PrometheusPage page_;
  std::optional<std::string> problem_;
};

}  // namespace busbar
