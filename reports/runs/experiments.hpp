// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"
#include "core/record/training.hpp"
#include "reports/document/charts.hpp"

/// Groups trainings that differ only in the number of ranks.
namespace busbar::report {

/// The ok trainings of one run by number of ranks: one line in a chart, one table of throughput.
struct Experiment {
  std::size_t run = 0;
  bool imported = false;                 ///< measured by another tool
  std::size_t alike = 0;                 ///< experiments of other runs with the same key have the same number
  std::string run_label;                 ///< name of the run, with differences between runs; includes "replayed" if so
  std::string series;                    ///< differences from other experiments of its run; empty if there are none
  std::vector<const CaseRecord*> cases;  ///< fewest ranks first, never empty; pointers into the runs

  [[nodiscard]] const CaseKey& key() const { return cases.back()->key; }
  [[nodiscard]] std::string label() const { return series.empty() ? run_label : run_label + ", " + series; }
};

/// The experiments with one model; those with equal keys are next to each other.
struct Model {
  std::string name;
  std::vector<Experiment> experiments;
};

/// In order of appearance. A single rank reduces nothing, so its case belongs to all experiments of its run that differ
/// only in how gradients are reduced or ranks are placed.
[[nodiscard]] std::vector<Model> models(const std::vector<Run>&);

/// One line per experiment, and their legend. With several runs, colours mark runs and dashes mark series; otherwise
/// colours mark series.
struct Lines {
  std::vector<Line> lines;
  std::vector<LegendEntry> legend;
};
[[nodiscard]] Lines lines_of(const std::vector<Experiment>&);

/// The baseline of scaling: the case with fewest ranks that the others name. Null if there is none.
[[nodiscard]] const CaseRecord* baseline_of(const Experiment&);

/// Scaling of one case. The baseline has 1 by definition, without an interval.
[[nodiscard]] std::optional<Scaling> scaling_of(const Experiment&, const CaseRecord&);

/// True if one training had the ranks to itself.
[[nodiscard]] bool without_neighbours(const Experiment&);

}  // namespace busbar::report
